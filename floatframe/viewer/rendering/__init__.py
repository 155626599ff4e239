"""The room viewer/rendering."""
