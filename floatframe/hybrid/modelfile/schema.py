"""The tables of a model file: every key, what it means, and the function of Python that takes it.

Keys are named as the arguments of the Python calls; the two places of a joint or force are `place` and `against`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from floatframe.hybrid.description import (
    blocks,
    constraints,
    forces as elements,
    joints,
    rail as elements_rail,
    track_wheel as elements_wheel,
)
from floatframe.hybrid.modelfile import values as v
from floatframe.hybrid.modelfile.values import Key
from floatframe.hybrid.settings import STARTS

FORMAT = "floatframe-model/1"


@dataclass(frozen=True)
class Kind:
    """A type of joint or force: the call that makes it and the keys behind its name and type."""

    make: Callable[..., Any]
    keys: Mapping[str, Key]
    arguments: Mapping[str, str]  # key -> argument where they differ

    def made(self, values: Mapping[str, Any]) -> Any:
        """Return the thing."""
        return self.make(**{self.arguments.get(key, key): value for key, value in values.items()})


def _kind(make: Callable[..., Any], *groups: Mapping[str, Key], **keys: Key) -> Kind:
    merged = {name: key for group in groups for name, key in group.items()} | keys
    return Kind(make, _NAMED | merged, {"place": "a", "against": "b"} if "against" in merged else {})


NAME = Key("the name: letters, digits, _", v.name, required=True)
_START = {
    "position": Key("start position of the origin in the world [m]; left out, it follows from the joints", v.numbers),
    "rotation": Key("start attitude: quaternion w x y z, matrix, or { axis, angle [rad] }", v.rotation),
    "velocity": Key("start velocity of the origin, world axes [m/s]", v.numbers),
    "angular_velocity": Key("start angular velocity, body axes [rad/s]", v.numbers),
    "on_track": Key("instead of these four: where it starts on the [track], see below", v.on_track),
}

BODY = {
    "name": NAME,
    "mass": Key("mass [kg]; left out with a density", v.number),
    "inertia": Key("about the centre of mass [kg m2]: 3 principal values, xx yy zz xy xz yz, or 3x3", v.numbers),
    "com": Key("centre of mass in body axes [m]", v.numbers, default="[0, 0, 0], or that of the shape"),
    **_START,
    "shape": Key("the surface of the body, .stl .obj .ply .glb .gltf .step, relative to this file, body axes", v.path),
    "density": Key("of the shape [kg/m3]: gives mass, com and inertia", v.number),
    "scale": Key('the unit of the shape: "mm", "cm", "in", "ft", or a number of metres', v.length, default='"m"'),
}
FLEXIBLE = {
    "name": NAME,
    "file": Key("a reduced body, input.fum or .h5, relative to this file", v.path, required=True),
    "damping": Key(
        "ratio of critical damping of the free body's modes; one per mode; a table of ratios over [Hz]; "
        "{ ratio, of }, see below; or { alpha [1/s], beta [s] }",
        v.damping,
        default="0",
    ),
    "modes": Key(
        "the n lowest eigenmodes (no pair is cut), or a list of their numbers from 1; static shapes stay", v.modes
    ),
    "frame": Key('"mean", "chord", ["chord", 1, 201], "node", ["node", 1]', v.frame, default='"mean"'),
    **_START,
    "coriolis": Key("whether modal speeds give Coriolis forces", v.truth, default="true"),
    "stiffening": Key(
        'stiffness under load: "auto", "off", "interface", "full"',
        v.choice("auto", "off", "interface", "full"),
        default='"auto"',
    ),
    "load_limit": Key("part of the buckling load from which a run without stiffening warns", v.number, default="0.05"),
    "deflection_limit": Key("the same for displacements of interface nodes, of the size", v.number, default="0.1"),
    "rotation_limit": Key("the same for their rotations [rad]", v.number, default="0.1"),
}

# joints

_NAMED = {"name": NAME, "type": Key("the type", v.text, required=True)}
_PLACES = {
    "place": Key("the moving place", v.place, required=True),
    "against": Key("the place it moves against", v.place, required=True),
}
_JOINT = {
    **_PLACES,
    "start": Key(
        "start coordinates [m, rad], met as far as the joints allow; nan: from the poses",
        v.start,
    ),
    "start_rate": Key("their start speeds [m/s, rad/s], likewise", v.start),
    "cut": Key("true: a constraint, not a branch of the tree", v.truth, default="false"),
}
_AXIS = {"axis": Key("axis in the axes of `against`", v.numbers, default="[0, 0, 1]")}
_PLANE = {
    "normal": Key("normal of the plane in the axes of `against`", v.numbers, default="[0, 0, 1]"),
    "first": Key("direction of the first coordinate", v.numbers),
}
_NORMAL = Key("normal of the plane through `against`, in its axes", v.numbers, default="[0, 0, 1]")
_FORWARD = Key("the direction it takes, in the axes of `place`", v.numbers, default="[1, 0, 0]")
_JOINT_NAME = Key("the name of a joint", v.text, required=True)

JOINTS: dict[str, Kind] = {
    "revolute": _kind(joints.revolute, _JOINT, _AXIS),
    "prismatic": _kind(joints.prismatic, _JOINT, _AXIS),
    "cylindrical": _kind(joints.cylindrical, _JOINT, _AXIS),
    "spherical": _kind(joints.spherical, _JOINT),
    "universal": _kind(
        joints.universal,
        _JOINT,
        axis_a=Key("axis fixed on `place`, in its axes", v.numbers, required=True),
        axis_b=Key("axis fixed on `against`, in its axes", v.numbers, required=True),
    ),
    "planar": _kind(joints.planar, _JOINT, _PLANE),
    "screw": _kind(joints.screw, _JOINT, _AXIS, pitch=Key("advance [m/rad]", v.number, required=True)),
    "fixed": _kind(joints.fixed, _JOINT),
    "free": _kind(joints.free, _JOINT),
    "point_on_line": _kind(joints.point_on_line, _JOINT, _AXIS),
    "point_on_plane": _kind(joints.point_on_plane, _JOINT, _PLANE),
    "distance": _kind(joints.distance, _JOINT, length=Key("distance [m] (default: that at the start)", v.number)),
    "general": _kind(
        joints.general, _JOINT, steps=Key("list of { rotate = axis } and { translate = axis }", v.steps, required=True)
    ),
    "rolling": _kind(
        constraints.rolling,
        _PLACES,
        radius=Key("of a disc or sphere about `place` that rolls without slip [m]", v.number, required=True),
        axis=Key("of a thin disc, in the axes of `place`; without it a sphere", v.numbers),
        normal=_NORMAL,
        surface=Key(
            "of a sphere instead of the plane: distance [m] from a surface, an expression of x, y, z in the axes of "
            "`against`, positive on its side",
            v.number,
        ),
        height=Key("or z of a surface [m], an expression of x, y in the axes of `against`", v.number),
    ),
    "blade": _kind(constraints.blade, _PLACES, forward=_FORWARD, normal=_NORMAL),
    "wheel": _kind(
        constraints.wheel,
        _PLACES,
        forward=_FORWARD,
        normal=_NORMAL,
        steering=Key("turns its direction about the normal [rad]; an expression", v.number, default="0"),
        radius=Key("way per angle of `joint` [m]; negative if that turns the other way", v.number),
        joint=Key("the joint whose coordinate turns the wheel; without it the wheel has no spin", v.text),
        coordinate=Key("which coordinate of the joint, from 0", v.integer, default="0"),
    ),
    "gear": _kind(
        joints.gear,
        joint1=_JOINT_NAME,
        joint2=_JOINT_NAME,
        ratio=Key("angle 1 = ratio · angle 2 + offset; negative for outer gears", v.number, required=True),
        offset=Key("[rad]", v.number, default="0"),
    ),
    "rack": _kind(
        joints.rack,
        sliding=_JOINT_NAME,
        turning=_JOINT_NAME,
        radius=Key("displacement = radius · angle + offset [m]", v.number, required=True),
        offset=Key("[m]", v.number, default="0"),
    ),
    "motion": _kind(
        joints.motion,
        joint=_JOINT_NAME,
        value=Key("what the coordinate follows, an expression of t [m, rad]", v.number, required=True),
        coordinate=Key("which coordinate of the joint, from 0", v.integer, default="0"),
    ),
    "relation": _kind(
        joints.relation,
        terms=Key("list of { joint, coordinate, factor }", v.terms),
        value=Key("Σ factor · coordinate = value, an expression of t", v.number, default="0"),
        expression=Key("or an expression of places and t that is zero", v.number),
        unit=Key('of the expression: "m" or "rad"', v.text),
    ),
    "velocity_constraint": _kind(
        constraints.velocity_constraint,
        expression=Key("of places, speeds and t, linear in the speeds, that is zero", v.number, required=True),
        unit=Key('of the expression: "m/s" or "rad/s"', v.text),
    ),
}

# forces

_IN_JOINT = {
    "joint": _JOINT_NAME,
    "coordinate": Key("which of its coordinates, from 0 (default: the first that fits)", v.integer),
}
_FRICTION = {
    "force": Key("sliding friction [N, N m]; a table is over the sliding speed", v.law, required=True),
    "speed": Key("sliding speed with most of it [m/s, rad/s]", v.number, default="1e-3"),
    "stick": Key("true: it can hold still", v.truth, default="false"),
    "stiffness": Key("with which it holds [N/m, N m/rad]; needed with stick", v.number),
    "damping": Key("with which it holds [N s/m, N m s/rad]", v.number, default="0"),
    "static": Key("static over sliding friction", v.number, default="1"),
}
_LOAD_AXES = {"axes": Key('"world", or "body": those of the place', v.choice("world", "body"), default='"world"')}
_ACTING = {"place": Key("where it acts", v.place, required=True)}
_STIFFNESS = Key("[N/m]", v.number, default="0")
_DAMPING = Key("[N s/m]", v.number, default="0")


_LOOK = Key('how it is drawn: "coil", "cylinder", "rope", "none"', v.choice(*elements.LOOKS))


def _bump_stop(clearance: Any = None, **more: Any) -> elements.Force:
    return elements.bump_stop(clearance=clearance, **more)


FORCES: dict[str, Kind] = {
    "joint_torque": _kind(
        elements.joint_torque,
        _IN_JOINT,
        torque=Key("on `place` of the joint [N m]; uses angle, rate", v.law, required=True),
    ),
    "joint_force": _kind(
        elements.joint_force,
        _IN_JOINT,
        force=Key("on `place` of the joint [N]; uses displacement, rate", v.law, required=True),
    ),
    "joint_friction": _kind(elements.joint_friction, _IN_JOINT, _FRICTION),
    "spring": _kind(
        elements.spring,
        _PLACES,
        stiffness=_STIFFNESS,
        damping=_DAMPING,
        length=Key("free length [m] (default: the distance at the start)", v.number),
        preload=Key("tension at the free length [N]", v.number, default="0"),
        force=Key("more tension [N]; uses elongation, length, rate; a table is over the elongation", v.law),
        look=_LOOK,
    ),
    "bushing": _kind(
        elements.bushing,
        _PLACES,
        stiffness=Key("3, 6 or 6x6 in the axes of `against` [N/m, N m/rad]", v.numbers, required=True),
        damping=Key("3, 6 or 6x6 [N s/m, N m s/rad]", v.numbers),
        preload=Key("6: force and torque where the axes coincide [N, N m]", v.numbers),
        look=_LOOK,
    ),
    "point_force": _kind(
        elements.point_force,
        _ACTING,
        _LOAD_AXES,
        force=Key("three expressions [N]; a table is over t", v.laws, required=True),
    ),
    "point_torque": _kind(
        elements.point_torque,
        _ACTING,
        _LOAD_AXES,
        torque=Key("three expressions [N m]; a table is over t", v.laws, required=True),
    ),
    "friction": _kind(
        elements.friction,
        _PLACES,
        _FRICTION,
        axis=Key("direction in the axes of `against` (default: the line between the places)", v.numbers),
    ),
    "bump_stop": _kind(
        _bump_stop,
        _PLACES,
        clearance=Key("way to the stop when the places approach [m]", v.number),
        rebound=Key("way to the stop when they part [m]", v.number),
        stiffness=_STIFFNESS,
        damping=_DAMPING,
        length=Key("distance from which the ways count [m] (default: that at the start)", v.number),
        force=Key("more push [N]; uses penetration, rate; a table is over the penetration", v.law),
        look=_LOOK,
    ),
    "contact_plane": _kind(
        elements.contact_plane,
        _PLACES,
        stiffness=Key("[N/m^exponent]", v.number, required=True),
        damping=_DAMPING,
        radius=Key("of the sphere about `place` [m]", v.number, default="0"),
        normal=Key("of the plane through `against`, in its axes", v.numbers, default="[0, 0, 1]"),
        exponent=Key("push = stiffness · penetration^exponent", v.number, default="1"),
        friction=Key("coefficient of sliding friction", v.number, default="0"),
        speed=Key("sliding speed at which it reaches its full value [m/s]", v.number, default="1e-3"),
    ),
}
FORCES["wheel_rail"] = Kind(
    elements_rail.wheel_rail,
    {
        **_NAMED,
        "place": Key("centre of the wheel's rolling circle, y along the axle", v.place, required=True),
        "against": Key("middle of the track, x along it, y to the left, z up", v.place, required=True),
        "side": Key('"left" or "right" rail', v.choice(*elements_rail.SIDES), required=True),
        "radius": Key("of the rolling circle [m]", v.number, required=True),
        "conicity": Key("of a conical wheel [rad]", v.number, default="0.05"),
        "half_gauge": Key("from the middle of the track to a rail [m]", v.number, default="0.75"),
        "profile": Key("radius of the wheel [m] over the distance outward [m], instead of the cone", v.law),
        "lateral": Key("irregularity [m] over the distance along the track [m]", v.law, default="0"),
        "vertical": Key("the same upward", v.law, default="0"),
        "stiffness": Key("of the contact [N/m] (default: Hertz)", v.number),
        "damping": _DAMPING,
        "rail_radius": Key("of the rail's head [m]", v.number, default="0.3"),
        "semi_axes": Key("of the contact ellipse, along and across [m] (default: Hertz)", v.numbers),
        "young": Key("[N/m2]", v.number, default="2.1e11"),
        "poisson": Key("Poisson's ratio", v.number, default="0.28"),
        "law": Key(
            'of creep: "linear", "saturated", "polach"', v.choice(*elements_rail.CREEP_LAWS), default='"polach"'
        ),
        "friction": Key("coefficient", v.number, default="0.3"),
        "friction_ratio": Key("that at high sliding speed over that at rest", v.number, default="1"),
        "friction_decay": Key("how fast it falls with the sliding speed [s/m]", v.number, default="0"),
        "adhesion": Key("Polach's reduction of the slope where it adheres", v.number, default="1"),
        "slip": Key("Polach's reduction of the slope where it slips", v.number, default="0.4"),
        "speed": Key("speed of travel below which creepages do not grow [m/s]", v.number, default="0.1"),
    },
    {"place": "wheel", "against": "track"},
)
FORCES["wheel_on_track"] = Kind(
    elements_wheel.wheel_on_track,
    {
        **_NAMED,
        "place": Key("centre of the wheel's rolling circle, y along the axle to the left", v.place, required=True),
        "side": Key('"left" or "right" rail of the [track]', v.choice("left", "right"), required=True),
        "radius": Key("of the rolling circle [m]", v.number, required=True),
        "profile": Key('of the wheel: "S1002", "cone:0.05", or a file', v.text_or_path, default='"S1002"'),
        "law": Key(
            f"of creep: {', '.join(elements_wheel.TRACK_LAWS)}",
            v.choice(*elements_wheel.TRACK_LAWS),
            default='"polach"',
        ),
        "patch": Key(
            f"of contact: {', '.join(elements_wheel.TRACK_PATCHES)}",
            v.choice(*elements_wheel.TRACK_PATCHES),
            default='"hertz"',
        ),
        "friction": Key("coefficient", v.number, default="0.3"),
        "friction_ratio": Key("that at high sliding speed over that at rest", v.number, default="1"),
        "friction_decay": Key("how fast it falls with the sliding speed [s/m]", v.number, default="0"),
        "adhesion": Key("Polach's reduction of the slope where it adheres", v.number, default="1"),
        "slip": Key("Polach's reduction of the slope where it slips", v.number, default="0.4"),
        "damping": Key("share of the normal force per speed of penetration [s/m]", v.number, default="1"),
        "vertical_stiffness": Key("under the rail [N/m] (default: rigid)", v.number),
        "lateral_stiffness": Key("the same across", v.number),
        "young": Key("[N/m2]", v.number, default="2.1e11"),
        "poisson": Key("Poisson's ratio", v.number, default="0.28"),
        "speed": Key("speed of travel below which creepages do not grow [m/s]", v.number, default="0.1"),
        "strips": Key("of a patch", v.number, default="16"),
        "elements": Key("of a strip in FASTSIM", v.number, default="10"),
    },
    {"place": "wheel"},
)
# said instead of "unknown type"
NO_FILE_KINDS = {
    "user_force": "a model file cannot name Python functions; add it in Python: "
    'file = ff.hybrid.read_model("…"); file.model.add(ff.hybrid.user_force(…))'
}

SUBSYSTEM = {
    "name": NAME,
    "file": Key("another model file, used as a part", v.path),
    "use": Key("or the name of a [define.NAME] in this file", v.text),
    "position": Key("of its origin, in the axes around it [m]", v.numbers, default="[0, 0, 0]"),
    "rotation": Key("of its axes: quaternion w x y z, matrix, or { axis, angle [rad] }", v.rotation),
    "parameters": Key("other values for its parameters; expressions use the outer ones", v.named_numbers),
}

# settings

RECORD = {
    "every": Key("time between two records [s] (default: every step; with auto 1/1000 of the run)", v.number),
    "channels": Key(
        'names such as "crank.angular_velocity", "*" matches any text; of expressions the channels in them',
        v.texts,
        default='["*"]',
    ),
    "start": Key("time of the first record [s]", v.number),
    "coordinates": Key("whether all coordinates are kept, from which nodes are recovered", v.truth, default="true"),
    "checkpoint_every": Key("wall-clock time between two checkpoints to resume from [s]", v.number, default="10"),
    "model": Key("whether the file of results keeps the model, for pictures and reports", v.truth, default="true"),
}
SIMULATE = {
    "t_end": Key("end of the run [s]", v.number, required=True),
    "from": Key('initial state: "start", "equilibrium" or "steady"', v.choice(*STARTS), default='"start"'),
    "method": Key(
        '"auto", "generalised-alpha", "hht", "newmark", "park", "bdf1", "bdf2", "euler", "rk4", "rk45", "dop853", '
        '"radau5", "scipy:NAME", "sundials:NAME"',
        v.text,
        default='"auto"',
    ),
    "step": Key("a fixed step [s]; not together with rtol", v.number),
    "rtol": Key("relative tolerance of controlled steps", v.number),
    "spectral_radius": Key("damping of the highest frequencies: 1 none, 0 most", v.number, default="0.8"),
    "solver": Key(
        'how steps find accelerations: "dec" along the tree, "dense"; for open trees of rigid bodies also "cbm" '
        'composite bodies, "lgr" forces in the joints, "itr" iterations',
        v.text,
        default='"auto"',
    ),
    "newton_tolerance": Key("of the iterations in a step", v.number, default="1e-6"),
    "velocity_constraints": Key(
        "whether recorded speeds, those of every step with explicit and external solvers, obey the joints; "
        '"enforced": those inside implicit steps too',
        v.truth_or_text,
        default="true",
    ),
    "stabilisation": Key(
        "a, b [1/s] of constraints g'' + 2 a g' + b² g = 0, not projected; a matrix K; or \"proposed\"; "
        "euler, rk4, rk45, dop853",
        v.stabilisation,
    ),
    "conserve": Key(
        'what steps keep: a list of "energy", "momentum", "angular_momentum", components of these such as '
        '"momentum.x", or expressions; euler, rk4, rk45, dop853',
        v.text_or_texts,
    ),
    "step_min": Key("smallest step [s]", v.number),
    "step_max": Key(
        "largest step [s], if not given: of the run 1/40 for auto and dop853, 1/50 for radau5, 1/100 for others",
        v.number,
    ),
    "events": Key("expressions of t and measured values; the run stops where one crosses zero", v.texts),
}

STATE = {
    "name": NAME,
    "rate": Key("its time derivative [unit/s], an expression of t, measured values, states, signals", v.number, True),
    "start": Key("value at the start", v.number, default="0"),
    "size": Key(
        "what is large for it: errors of values around zero are measured by 1/1000 of it", v.number, default="1"
    ),
    "unit": Key("for channels and plots", v.text),
}
SIGNAL = {
    "name": NAME,
    "value": Key("an expression of t, measured values, states and other signals", v.number, required=True),
    "unit": Key("for channels and plots", v.text),
}

# blocks

_INPUT = {"input": Key("an expression of t, measured values, states, signals and blocks", v.number, required=True)}
_OUTPUT = {
    "size": Key("what is large for its input or states: see [[state]]", v.number, default="1"),
    "unit": Key("of its output, for channels and plots", v.text),
}

BLOCKS: dict[str, Kind] = {
    "transfer_function": _kind(
        blocks.transfer_function,
        _INPUT,
        _OUTPUT,
        numerator=Key("coefficients from the highest power of s down", v.numbers, required=True),
        denominator=Key("likewise; of at least the same degree", v.numbers, required=True),
    ),
    "pid": _kind(
        blocks.pid,
        {"input": Key("the error: target less measured value", v.number, required=True)},
        kp=Key("output per error", v.number, required=True),
        ki=Key("output per error and second", v.number, default="0"),
        kd=Key("output per rate of the error", v.number, default="0"),
        filter=Key("time constant behind which the derivative is taken [s]; needed with kd", v.number),
        low=Key("lowest output", v.number),
        high=Key("highest output", v.number),
        anti_windup=Key(
            "time constant with which the integral follows a limit [s] (default: √(kd/ki), kp/ki)", v.number
        ),
        start=Key("of the integral, as part of the output", v.number, default="0"),
        size=Key("what is large for its output: see [[state]]", v.number, default="1"),
        unit=Key("of its output, for channels and plots", v.text),
    ),
    "delay": _kind(
        blocks.delay,
        _INPUT,
        _OUTPUT,
        time=Key("by which the output comes later than the input [s]", v.number, required=True),
        start=Key("what the input was before the run (default: what it is at the start)", v.number),
    ),
    "switch": _kind(
        blocks.switch,
        _INPUT,
        on=Key("input at which it turns on", v.number, required=True),
        off=Key("input at which it turns off again, above or below that", v.number, required=True),
        high=Key("output while it is on", v.number, default="1"),
        low=Key("output while it is off", v.number, default="0"),
        start=Key("whether it is on at the start, if the input lies between", v.truth, default="false"),
        unit=Key("of its output, for channels and plots", v.text),
    ),
    "sampled": _kind(
        blocks.sampled,
        _INPUT,
        _OUTPUT,
        period=Key("between samples [s], each of which is held until the next", v.number, required=True),
        offset=Key("time of the first sample [s]", v.number, default="0"),
        start=Key("value before the first sample", v.number, default="0"),
    ),
    "state_space": _kind(
        blocks.state_space,
        _OUTPUT,
        inputs=Key("list of expressions u", v.texts, required=True),
        A=Key("of x' = A x + B u, a list of rows", v.numbers, required=True),
        B=Key("likewise", v.numbers, required=True),
        C=Key("of the outputs y = C x + D u; one is NAME, several are NAME.y1, NAME.y2, …", v.numbers, required=True),
        D=Key("likewise", v.numbers, default="0"),
        start=Key("of the states NAME.x1, NAME.x2, …", v.numbers, default="0"),
    ),
}

STAGE = {
    "name": NAME,
    "when": Key("the time [s], or an expression of t and measured values that crosses zero", v.number, required=True),
    "release": Key("joints, motions and relations that are released", v.texts),
    "lock": Key("those that are locked, at their current position", v.texts),
    "off": Key("forces that are switched off", v.texts),
    "on": Key("forces that are switched on", v.texts),
    "set": Key("new values of parameters", v.named_numbers),
}

PART_TABLES = {
    "parameters": "numbers under names, which expressions use",
    "tables": "functions y(x) under names, for table(name, x)",
    "body": "rigid bodies, one [[body]] each",
    "flexible": "flexible bodies, one [[flexible]] each",
    "wheelset": "wheelsets on the track, one [[wheelset]] each: body NAME in NAME_box, wheels NAME_left, NAME_right",
    "bogie": "bogies on the track, one [[bogie]] each: frame NAME, wheelsets NAME_front, NAME_rear",
    "track_frame": "frames that run along the track, in whose axes vehicles are described, one [[track_frame]] each",
    "joint": "joints and relations, one [[joint]] each",
    "force": "force elements, one [[force]] each",
    "state": "state variables beside the mechanics, one [[state]] each; their names stand in expressions",
    "signal": "names for expressions, one [[signal]] each",
    "block": "parts of controllers, one [[block]] each; their names stand for their outputs",
    "subsystem": "parts used here, one [[subsystem]] each",
}
TOP = {
    "format": f'"{FORMAT}"',
    "name": "of the model (default: that of the file)",
    "gravity": "acceleration in world axes [m/s2], default [0, 0, 0]; a part leaves it to the model around it",
    "define": "parts written here, one [define.NAME] each",
    **PART_TABLES,
    "track": "the railway track that wheels run on, with the keys of a track file, or { file }",
    "stage": "what changes while the model moves, one [[stage]] after another",
    "record": "what a simulation keeps",
    "simulate": "how it is run",
}
