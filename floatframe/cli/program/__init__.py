"""Commands about the program itself: Studio in the browser, and compiling ahead of use.

In: the words of the command line. Out: a running program.
Open `studio` first.
"""
