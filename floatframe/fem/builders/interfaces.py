"""One node for many: reference nodes through which a joint or a load acts on a set of nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

import numpy as np

from floatframe.errors import ModelError
from floatframe.fem.builders import _checks as check
from floatframe.fem.couplings import RBE2, RBE3, Coupling
from floatframe.fem.model import FEModel
from floatframe.wording import listed


def with_reference_node(
    fe: FEModel,
    set_name: str,
    kind: Literal["rbe2", "rbe3"] = "rbe2",
    at: Literal["centroid"] | Iterable[float] = "centroid",
) -> FEModel:
    """Return the model with a new node coupled to all nodes of a set, for use as an interface node.

    "rbe2" makes the set rigid; "rbe3" lets it deform and moves the new node with its mean motion. The node stands at
    the centroid of the set or at a point (3,) [m]. It gets the next free number and is the only member of the new set
    `<set_name>_ref`.
    """
    members = fe.pick_nodes(set_name)
    where = f"with_reference_node '{set_name}'"
    if members.size == 0:
        raise ModelError(f"{where}: the set is empty.")
    if f"{set_name}_ref" in fe.node_sets:
        raise ModelError(f"{where}: set '{set_name}_ref' exists already; the set has a reference node.")
    held = np.intersect1d(members, fe.supports[:, 0])
    if held.size and (kind == "rbe2" or held.size == members.size):
        raise ModelError(
            f"{where}: {listed('node', held)} {'are' if held.size > 1 else 'is'} held by the supports of the model; "
            "release them with --no-supports or fe.without_supports()."
        )
    if isinstance(at, str):
        if at != "centroid":
            raise ModelError(f"{where}: at is '{at}'; use 'centroid' or a point.")
        place = fe.nodes[fe.node_index(members)].mean(axis=0)
    else:
        place = check.point(list(at), f"{where}: at")
    number = int(fe.node_ids.max()) + 1
    coupling: Coupling
    if kind == "rbe2":
        coupling = RBE2(number, members.tolist(), name=set_name)
    elif kind == "rbe3":
        coupling = RBE3(number, members.tolist(), independent=True, name=set_name)
    else:
        raise ModelError(f"{where}: kind is '{kind}'; use 'rbe2' (rigid) or 'rbe3' (mean motion).")
    return replace(
        fe,
        nodes=np.vstack([fe.nodes, place]),
        node_ids=np.append(fe.node_ids, number),
        node_sets={**fe.node_sets, f"{set_name}_ref": np.array([number])},
        couplings=(*fe.couplings, coupling),
    )
