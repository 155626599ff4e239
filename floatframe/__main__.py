"""`python -m floatframe`: the command line where its script is not on the path."""

from floatframe.cli import main

if __name__ == "__main__":
    main()
