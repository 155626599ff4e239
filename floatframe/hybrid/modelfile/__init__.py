"""The room hybrid/modelfile."""
