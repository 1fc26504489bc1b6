"""The GTP server: what Go programs and their windows speak."""
