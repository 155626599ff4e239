"""*NONSTRUCTURAL MASS of a deck: mass spread over elements, brought to their nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from floatframe.arrays import Array, IntArray
from floatframe.fem import BeamSection, ElementBlock, LayeredSection, Material, PointMass
from floatframe.io.abaqus.deck import Card, Mesh, Place

_PER = {"TOTALMASS": "total", "MASSPERVOLUME": "volume", "MASSPERAREA": "area", "MASSPERLENGTH": "length"}


@dataclass(frozen=True)
class _Sizes:
    """Nodes (nel, k) of elements, the share of each (nel, k), length or area (nel,), volume and own mass (nel,)."""

    nodes: IntArray
    share: Array
    extent: Array
    volume: Array
    mass: Array


def spread_masses(
    card: Card, place: Place, mesh: Mesh, blocks: list[ElementBlock], ids: IntArray, xyz: Array
) -> list[PointMass]:
    """Return the masses at nodes of one card; ids (nnode,) and xyz (nnode, 3) of all nodes."""
    units = "".join(card.option("UNITS").upper().split())
    lines = card.fields()
    value = card.numbers(lines[0][1][:1], lines[0][0])[0] if lines else 0.0
    if units not in _PER:
        raise card.error(f"{card.name}, UNITS={units or '?'} is unknown; expected {', '.join(_PER)}.")
    members = mesh.elements(card.required("ELSET"), place, card, card.line)
    parts = []
    for block in blocks:
        chosen = np.isin(block.element_ids, members)
        if chosen.any() and (block.material is not None or block.section is not None):
            parts.append(_sizes(block, chosen, xyz))
    by_mass = "VOLUME" not in card.option("DISTRIBUTION").upper() and sum(part.mass.sum() for part in parts) > 0.0
    whole = sum(float((part.mass if by_mass else part.volume).sum()) for part in parts)
    sums = np.zeros(len(ids))
    for part in parts:
        if _PER[units] == "total":
            each = value * (part.mass if by_mass else part.volume) / max(whole, 1e-300)
        else:
            each = value * (part.volume if _PER[units] == "volume" else part.extent)
        np.add.at(sums, part.nodes, part.share * each[:, None])
    if not sums.any():
        mesh.log.lose(card.name, "mass", f"its set '{card.option('ELSET')}' has no elements with a size", card.line)
        return []
    mesh.log.took(card.name)
    return [PointMass(int(ids[row]), float(sums[row])) for row in np.flatnonzero(sums)]


def _sizes(block: ElementBlock, chosen: Array, xyz: Array) -> _Sizes:
    nodes = block.connectivity[chosen]
    x = xyz[nodes]
    section = block.section
    if isinstance(section, BeamSection):
        length = np.sqrt(((x[:, -1] - x[:, 0]) ** 2).sum(axis=1))
        rho = 0.0 if block.material is None else block.material.rho
        volume = length * section.A
        return _Sizes(nodes, np.full(nodes.shape, 0.5), length, volume, volume * rho)
    if section is not None:
        corners = 3 if nodes.shape[1] in (3, 6) else 4
        last = x[:, 3] - x[:, 1] if corners == 4 else x[:, 2] - x[:, 1]
        normal = np.cross(x[:, 2] - x[:, 0], last)
        area = 0.5 * np.sqrt((normal**2).sum(axis=1))
        if isinstance(section, LayeredSection):
            per_area = sum(layer.thickness * layer.material.rho for layer in section.layers)
        else:
            per_area = section.thickness * block.material.rho if block.material is not None else 0.0
        share = np.full((len(nodes), corners), 1.0 / corners)
        return _Sizes(nodes[:, :corners], share, area, area * section.thickness, area * per_area)
    unit = replace(block.material or Material(1.0, 0.0, 1.0), rho=1.0)
    some = replace(
        block,
        material=unit,
        connectivity=nodes,
        element_ids=block.element_ids[chosen],
        data={name: values[chosen] for name, values in block.data.items()},
    )
    pieces = [some.element.lumped_mass(batch) for _, batch in some.batches(xyz)]
    lumped = np.concatenate(pieces).reshape(len(nodes), nodes.shape[1], -1)[:, :, 0]
    volume = lumped.sum(axis=1)
    rho = 0.0 if block.material is None else block.material.rho
    return _Sizes(nodes, lumped / volume[:, None], volume, volume, volume * rho)
