"""Moving, turning and mirroring models; what has a direction (beams, masses, couplings, supports) follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from floatframe.arrays import AnyArray, Array, IntArray
from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.builders.picks import axis_vector
from floatframe.fem.dofs import DOF_NAMES, turned_components
from floatframe.fem.elements import Element
from floatframe.fem.masses import PointMass
from floatframe.fem.model import ElementBlock, FEModel
from floatframe.fem.properties import GeneralShellSection, LayeredSection, Material, Section

# corner order of the mirror image of a shape, by (dimension, corners)
_MIRRORED_CORNERS = {
    (0, 1): (0,),
    (1, 2): (1, 0),
    (1, 4): (0, 3, 2, 1),
    (2, 3): (0, 2, 1),
    (2, 4): (0, 3, 2, 1),
    (3, 4): (0, 2, 1, 3),
    (3, 5): (0, 3, 2, 1, 4),
    (3, 6): (0, 2, 1, 3, 5, 4),
    (3, 8): (0, 3, 2, 1, 4, 7, 6, 5),
}

_VECTORS = (
    "orientation",
    "offsets",
    "axes",
    "material_axes",
    "direction",
)  # element data whose rows turn with the model


def translate(fe: FEModel, vector: Iterable[float]) -> FEModel:
    """Return the model moved by a vector (3,) [m]."""
    return replace(fe, nodes=fe.nodes + check.point(vector, "translate: vector"))


def rotate(
    fe: FEModel, axis: str | Iterable[float], angle: float, origin: Iterable[float] = (0.0, 0.0, 0.0)
) -> FEModel:
    """Return the model turned by `angle` [rad] about an axis ("x", "y", "z" or a vector) through `origin` [m]."""
    along = check.direction(axis_vector(axis), "rotate: axis")
    if not np.isfinite(angle):
        raise ModelError(f"rotate: angle is {angle}; give a finite number of radians.")
    return _moved(fe, Rotation.from_rotvec(angle * along).as_matrix(), check.point(origin, "rotate: origin"))


def mirror(fe: FEModel, normal: str | Iterable[float], origin: Iterable[float] = (0.0, 0.0, 0.0)) -> FEModel:
    """Return the mirror image in the plane with this normal ("x", "y", "z" or a vector) through `origin` [m].

    The nodes of every element are put in the order of the mirrored shape: solids keep a positive volume, shells keep
    the image of their normal, and beams change their ends, which keeps unsymmetric sections right.
    """
    along = check.direction(axis_vector(normal), "mirror: normal")
    return _moved(fe, np.eye(3) - 2.0 * np.outer(along, along), check.point(origin, "mirror: origin"))


def _moved(fe: FEModel, R: Array, origin: Array) -> FEModel:
    """Return the model after x -> origin + R (x - origin) with an orthogonal R (3, 3), proper or not."""
    return replace(
        fe,
        nodes=origin + (fe.nodes - origin) @ R.T,
        blocks=tuple(_moved_block(block, fe.nodes, R) for block in fe.blocks),
        point_masses=tuple(
            PointMass(mass.node, mass.mass, R @ mass.inertia @ R.T, R @ mass.offset) for mass in fe.point_masses
        ),
        couplings=tuple(coupling.rotated(R) for coupling in fe.couplings),
        supports=_moved_supports(fe, R),
    )


def _moved_block(block: ElementBlock, nodes: Array, R: Array) -> ElementBlock:
    """Turn the per-element vectors of a block and, for a mirror image, reorder its nodes."""
    handed = round(float(np.linalg.det(R)))
    data = dict(block.data)
    # default axes follow the model axes, so they are written down before these turn
    if "axes" in block.element.data_names:
        data["axes"] = handed * _own_axes(block, nodes)
        data.pop("orientation", None)
    elif "orientation" in block.element.data_names and "orientation" not in data:
        data["orientation"] = _own_axes(block, nodes)[:, 2]
    if "material_axes" in block.element.data_names and block.material is not None and block.material.matrix is not None:
        data.setdefault("material_axes", np.tile(np.eye(3), (len(block), 1, 1)))
    if "direction" in block.element.data_names and _has_direction(block):
        # default directions follow the first sides, which a mirror image changes
        first = nodes[block.connectivity[:, 1]] - nodes[block.connectivity[:, 0]]
        data.setdefault("direction", first)
    data = {name: values @ R.T if name in _VECTORS else values for name, values in data.items()}
    if handed > 0:
        return replace(block, data=data)
    order = _mirrored_order(block.element)
    return replace(
        block,
        material=_mirrored_material(block.material) if block.element.dimension == 2 else block.material,
        section=_mirrored_section(block.section),
        connectivity=block.connectivity[:, order],
        data={name: _mirrored_data(block.element, name, values, order) for name, values in data.items()},
    )


def _has_direction(block: ElementBlock) -> bool:
    """Whether the walls of a block of shells differ by direction."""
    layered = isinstance(block.section, LayeredSection | GeneralShellSection)
    return layered or (block.material is not None and block.material.matrix is not None)


def _mirrored_material(material: Material | None) -> Material | None:
    """Return the image of a material in the plane of its axes 1 and 3, for walls with mirrored directions."""
    if material is None or material.matrix is None:
        return material
    sign = np.array([1.0, 1.0, 1.0, -1.0, -1.0, 1.0])  # shears xy and yz change
    return replace(material, matrix=(np.outer(sign, sign) * material.elasticity()).tolist())


def _mirrored_section(section: Section | None) -> Section | None:
    """Return the image of a wall: angles turn the other way."""
    if isinstance(section, LayeredSection):
        layers = [replace(y, material=_mirrored_material(y.material), angle=-y.angle) for y in section.layers]  # type: ignore[arg-type]
        return replace(section, layers=tuple(layers))
    if isinstance(section, GeneralShellSection):
        plane, across = np.array([1.0, 1.0, -1.0]), np.array([1.0, -1.0])
        signs = {"A": plane, "B": plane, "D": plane, **({} if section.S is None else {"S": across})}
        turned: dict[str, Any] = {
            name: np.outer(sign, sign) * np.array(getattr(section, name)) for name, sign in signs.items()
        }
        return replace(section, **turned)
    return section


def _own_axes(block: ElementBlock, nodes: Array) -> Array:
    """Return the local axes (nel, 3, 3) of all elements."""
    return np.concatenate([np.empty((0, 3, 3)), *(block.element.axes(batch) for _, batch in block.batches(nodes))])


def _mirrored_data(element: Element, name: str, values: AnyArray, order: list[int]) -> AnyArray:
    """Return element data for elements whose nodes stand in another order and whose axes all point the other way."""
    if name == "offsets" or (name == "thickness" and values.ndim == 2):
        return values[:, order]
    if name == "location":
        return 1.0 - values
    if name in ("stiffness", "damping", "mass") and values.ndim == 3:
        # forces change sign with the axes, moments do not
        dofs = np.arange(values.shape[1])
        if values.shape[1] == element.ndof and element.nnode > 1:
            dofs = dofs.reshape(element.nnode, -1)[order].ravel()
        sign = np.where(dofs % element.dof_per_node < 3, -1.0, 1.0)
        return values[:, dofs][:, :, dofs] * np.outer(sign, sign)
    return values


def _mirrored_order(element: Element) -> list[int]:
    """Return the node order of the mirror image: corners by shape, nodes on edges by the corners they stand between."""
    shape = (element.dimension, element.corners)
    if shape not in _MIRRORED_CORNERS:
        raise ModelError(f"mirror: the shape of element kind '{element.kind}' is unknown; it cannot be mirrored.")
    order = list(_MIRRORED_CORNERS[shape])
    between = {}
    for face in element.faces:
        ring = [*face, face[0]]
        for k in range(1, len(face)):
            if face[k] >= element.corners:
                between[face[k]] = frozenset((ring[k - 1], ring[k + 1]))
    place = {corners: node for node, corners in between.items()}
    for node in range(element.corners, element.nnode):
        order.append(place[frozenset(order[corner] for corner in between[node])])
    return order


def _moved_supports(fe: FEModel, R: Array) -> IntArray:
    """Turn held components; what is held in all three directions stays so, a single one must land on an axis again."""
    moved = []
    for node in np.unique(fe.supports[:, 0]):
        held = sorted(fe.supports[fe.supports[:, 0] == node, 1].tolist())
        turned = turned_components(held, R)
        if turned is None:
            names = ", ".join(DOF_NAMES[component] for component in held)
            raise ModelError(
                f"model '{fe.name}': node {node} is held in {names} only, which would not lie along axes after "
                "turning; move the model first and support it then."
            )
        moved += [(node, component) for component in turned]
    return np.array(moved, dtype=np.int64).reshape(-1, 2)
