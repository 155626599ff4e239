"""A network file: a sine on a resistor and a capacitor, with a remark."""

from tests.network import filter_network

_REMARKED = filter_network.FILTER.replace('50*t)"', '50*t)"  # V')
FILTER = f"""{_REMARKED.replace('"R1"', '"R"').replace('"C1"', '"C"')}
[simulate]
t_end = 0.02
"""
