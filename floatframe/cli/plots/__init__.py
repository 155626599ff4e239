"""Commands that draw numbers: channels, spectra, sweeps, contributions of modes.

In: words of the command line. Out: pictures, tables and numbers of runs, sweeps, models and bodies.
Open `plot` first.
"""
