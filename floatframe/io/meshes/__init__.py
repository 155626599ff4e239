"""The room io/meshes."""
