"""Elements between two nodes: beams, bars, springs and given matrices.

In: batches of elements with material and section. Out: element matrices, registered by kind.
Open `beam` first.
"""
