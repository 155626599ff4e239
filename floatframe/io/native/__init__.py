"""The room io/native."""
