"""Build the model and print what is in it."""

from samples.beam import build
from samples.summary import summary

if __name__ == "__main__":
    print(summary(build()))
