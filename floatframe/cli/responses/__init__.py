"""Commands about what comes out of a machine for what goes in.

In: a model file, names of inputs and outputs. Out: tables, pictures, files of numbers.
Open `response` first; `asked` has what the commands share.
"""
