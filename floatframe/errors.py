"""The errors a user may see. Every message names the thing, what was found, what was expected and the cure."""

from __future__ import annotations


class FloatframeError(Exception):
    """Base of all errors raised on purpose; the command line prints its text as one line."""


class ModelError(FloatframeError):
    """A model, or a request about it, makes no sense (wrong name, impossible value, missing property)."""


class ReadError(FloatframeError):
    """A file cannot be read: it is broken, truncated or of a kind that is not supported."""


class WriteError(FloatframeError):
    """A result cannot be written in the wanted form or place."""


class NotConverged(FloatframeError):
    """An iteration ended without reaching its tolerance."""


class MissingDependency(FloatframeError, ImportError):
    """An optional package or system library is needed; the text holds the line that installs it."""
