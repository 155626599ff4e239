"""Pictures of models and their motion, drawn off screen when there is no display."""

from floatframe.viewer.probe import rendering_problem, require_rendering
from floatframe.viewer.render import body_picture, mode_picture, picture
from floatframe.viewer.scene import Scene, scene_of

__all__ = ["Scene", "body_picture", "mode_picture", "picture", "rendering_problem", "require_rendering", "scene_of"]
