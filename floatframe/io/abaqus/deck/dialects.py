"""Which of the two programs a deck was written for, by what only CalculiX understands."""

from __future__ import annotations

from collections.abc import Iterable

from floatframe.io.abaqus.deck.deck import Card

_KEYS = {"GREEN", "SENSITIVITY", "CFD", "ROBUSTDESIGN", "GEOMETRICTOLERANCES", "CRACKPROPAGATION", "FEASIBLEDIRECTION"}
_SOLVERS = ("SPOOLES", "PASTIX", "PARDISO", "ITERATIVESCALING", "ITERATIVECHOLESKY", "MATRIXSTORAGE", "TAUCS", "SGI")
_ELEMENTS = ("B31R", "B32R", "S6", "S8")
_MPCS = ("MEANROT", "PLANE", "STRAIGHT", "DIST")


def dialect_of(cards: Iterable[Card]) -> str:
    """Return "calculix" for a deck with cards or options that Abaqus does not have, else "abaqus"."""
    return "calculix" if any(_only_in_calculix(card) for card in cards) else "abaqus"


def _only_in_calculix(card: Card) -> bool:
    if card.key in _KEYS or "".join(card.option("SOLVER").upper().split()) in _SOLVERS:
        return True
    if card.key == "ELEMENT":
        return card.option("TYPE").upper() in _ELEMENTS
    if card.key in ("NODEFILE", "ELFILE", "CONTACTFILE"):
        return card.option("OUTPUT").upper() in ("2D", "3D")
    if card.key == "RIGIDBODY":
        return bool(card.option("ROTNODE"))
    if card.key == "FREQUENCY":
        return bool(card.option("STORAGE"))
    return card.key == "MPC" and any(words[0].upper() in _MPCS for _, words in card.fields())
