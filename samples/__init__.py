"""Ready-to-run studies. Each folder holds a model builder and runs as `python -m samples.<name>`."""
