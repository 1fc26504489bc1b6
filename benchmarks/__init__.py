"""Speed, measured beside what others offer: ``./run bench``, or ``python -m benchmarks``.

One file here is one benchmark: a function ``rows(repeats)`` that returns ``frame.Row`` objects.
Figures are ratios of CPU time in one run on one core; none is asserted by a test.
"""
