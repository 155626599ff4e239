"""Networks of elements of any physics: circuits, hydraulics, heat, drives.

In: elements between nodes, by Python or files. Out: runs as of machines, linear analyses.
Elements return flows and their Jacobians by displacement, velocity and acceleration of their nodes' potentials; the
integrator knows nothing about physics. Open `description` first, then `laws`, `equations` and `stepping`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.network.compiled import CompiledNetwork as CompiledNetwork
    from floatframe.network.description import Element as Element
    from floatframe.network.equations import Equations as Equations
    from floatframe.network.files import (
        NetworkFile as NetworkFile,
        describe_network_file as describe_network_file,
        doubtful_connections as doubtful_connections,
        is_network_file as is_network_file,
        is_network_text as is_network_text,
        network_of as network_of,
        network_tables as network_tables,
        read_network as read_network,
        write_network as write_network,
    )
    from floatframe.network.laws import (
        ELECTRIC as ELECTRIC,
        HYDRAULIC as HYDRAULIC,
        LIBRARY as LIBRARY,
        ORIENTATION as ORIENTATION,
        ROTATION as ROTATION,
        SIGNAL as SIGNAL,
        THERMAL as THERMAL,
        TRANSLATION as TRANSLATION,
        At as At,
        Kind as Kind,
        Out as Out,
        Terminal as Terminal,
        by_difference as by_difference,
        check_law as check_law,
        differentiated as differentiated,
        jacobian_errors as jacobian_errors,
        magnitude as magnitude,
        through as through,
        user_kind as user_kind,
    )
    from floatframe.network.linear import NetworkModes as NetworkModes
    from floatframe.network.machine import machine_kind as machine_kind
    from floatframe.network.network import Network as Network
    from floatframe.network.operating import OperatingPoint as OperatingPoint
    from floatframe.network.settings import NetworkSettings as NetworkSettings
    from floatframe.network.stepping import Stepper as Stepper
    from floatframe.network.sweeping import SweptNetwork as SweptNetwork, sweep_network as sweep_network
    from floatframe.network.system import NetworkSystem as NetworkSystem
    from floatframe.network.warmup import warm_up as warm_up
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
