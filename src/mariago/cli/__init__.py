"""The command line: one small file per command, loaded when the command is called."""
