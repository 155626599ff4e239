"""Cross-sections of beams and shells."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from floatframe.errors import ModelError
from floatframe.fem.properties import profiles as shapes
from floatframe.fem.properties.laminates import GeneralShellSection, LayeredSection
from floatframe.fem.properties.profiles import Point


@dataclass(frozen=True)
class BeamSection:
    """Constants of a beam cross-section about its centroid, in the local axes y, z.

    A [m2], Iy = ∫z² dA, Iz = ∫y² dA, Iyz = ∫yz dA [m4], torsion constant J [m4]; shear factors ky, kz (kA is the shear
    area; infinity means no shear deformation); shear centre (ey, ez) seen from the centroid [m];
    y_max, z_max the greatest distances of material from the centroid [m], torsion modulus Wt [m3] (greatest shear
    stress = torque / Wt; infinity means not counted), for stresses. Beams are Timoshenko beams with finite shear
    factors and Euler–Bernoulli beams with infinite ones: see `without_shear`.
    """

    A: float
    Iy: float
    Iz: float
    J: float
    Iyz: float = 0.0
    ky: float = math.inf
    kz: float = math.inf
    shear_centre: tuple[float, float] = (0.0, 0.0)
    y_max: float = 0.0
    z_max: float = 0.0
    Wt: float = math.inf
    outline: tuple[Point, ...] = ()  # closed polygon for drawing, about the centroid
    hole: tuple[Point, ...] = ()  # inner polygon of a hollow profile
    name: str = "section"

    def __post_init__(self) -> None:
        where = f"beam section '{self.name}'"
        for symbol in ("A", "Iy", "Iz", "J"):
            value = getattr(self, symbol)
            if not (math.isfinite(value) and value > 0):
                raise ModelError(f"{where}: {symbol} is {value:g}; it must be positive.")
        for symbol in ("ky", "kz", "Wt"):
            value = getattr(self, symbol)
            if not value > 0:
                raise ModelError(f"{where}: {symbol} is {value:g}; it must be positive (infinite leaves it out).")
        if not all(math.isfinite(value) for value in (self.Iyz, *self.shear_centre, self.y_max, self.z_max)):
            raise ModelError(f"{where}: Iyz, shear_centre, y_max and z_max must be finite numbers.")
        if self.Iyz**2 >= self.Iy * self.Iz:
            raise ModelError(f"{where}: Iyz is {self.Iyz:g} m4, its square must be below Iy * Iz; check the signs.")

    @property
    def Ip(self) -> float:  # noqa: N802  (the symbol every engineer uses)
        """Polar moment about the centroid [m4]."""
        return self.Iy + self.Iz

    def without_shear(self) -> BeamSection:
        """Return the same section for Euler–Bernoulli beams, which do not deform by shear."""
        return replace(self, ky=math.inf, kz=math.inf)

    def with_shear_factors(self, ky: float, kz: float) -> BeamSection:
        """Return the same section with other shear factors."""
        return replace(self, ky=ky, kz=kz)

    @classmethod
    def rectangle(cls, width: float, height: float, nu: float = 0.3, name: str = "rectangle") -> BeamSection:
        """Return a solid rectangle: `width` along local y, `height` along local z [m].

        The shear factor is Cowper's for Poisson's ratio `nu` (nu = 0 gives 5/6); J is St-Venant's exact series.
        """
        _check_sizes(name, width=width, height=height)
        J, Wt = shapes.rectangle_torsion(width, height)
        k = shapes.rectangle_shear_factor(nu)
        return cls(
            A=width * height,
            Iy=width * height**3 / 12.0,
            Iz=height * width**3 / 12.0,
            J=J,
            ky=k,
            kz=k,
            y_max=width / 2.0,
            z_max=height / 2.0,
            Wt=Wt,
            outline=shapes.rectangle_outline(width, height),
            name=name,
        )

    @classmethod
    def circle(cls, diameter: float, nu: float = 0.3, name: str = "circle") -> BeamSection:
        """Return a solid circle [m]; the shear factor is the strain-energy one for Poisson's ratio `nu`."""
        _check_sizes(name, diameter=diameter)
        return cls._ring(diameter, 0.0, nu, name)

    @classmethod
    def tube(cls, diameter: float, thickness: float, nu: float = 0.3, name: str = "tube") -> BeamSection:
        """Return a circular tube: outer diameter and wall [m]; shear factor as for `circle`."""
        _check_sizes(name, diameter=diameter, thickness=thickness)
        _check_wall(name, "thickness", thickness, "diameter", diameter)
        return cls._ring(diameter, diameter - 2.0 * thickness, nu, name)

    @classmethod
    def _ring(cls, outer: float, inner: float, nu: float, name: str) -> BeamSection:
        inertia = math.pi * (outer**4 - inner**4) / 64.0
        k = shapes.ring_shear_factor(inner / outer, nu)
        return cls(
            A=math.pi * (outer**2 - inner**2) / 4.0,
            Iy=inertia,
            Iz=inertia,
            J=2.0 * inertia,
            ky=k,
            kz=k,
            y_max=outer / 2.0,
            z_max=outer / 2.0,
            Wt=4.0 * inertia / outer,
            outline=shapes.circle_outline(outer),
            hole=shapes.circle_outline(inner) if inner else (),
            name=name,
        )

    @classmethod
    def box(
        cls, width: float, height: float, thickness: float, flange_thickness: float | None = None, name: str = "box"
    ) -> BeamSection:
        """Return a hollow rectangle: outer `width` along y, outer `height` along z [m].

        `thickness` is that of the two webs (along z) and, unless given apart, of the two flanges (along y).
        """
        web, flange = thickness, thickness if flange_thickness is None else flange_thickness
        _check_sizes(name, width=width, height=height, thickness=web, flange_thickness=flange)
        _check_wall(name, "thickness", web, "width", width)
        _check_wall(name, "flange_thickness", flange, "height", height)
        y, z = width / 2.0, height / 2.0
        outer, inner = (-y, y, -z, z), (web - y, y - web, flange - z, z - flange)
        rim, void = shapes.area_moments([outer]), shapes.area_moments([inner])
        A = rim.A - void.A
        Ay, Az = shapes.box_shear_areas(width, height, web, flange)
        J, Wt = shapes.box_torsion(width, height, web, flange, web, flange)
        return cls(
            A=A,
            Iy=rim.Iy - void.Iy,
            Iz=rim.Iz - void.Iz,
            J=J,
            ky=Ay / A,
            kz=Az / A,
            y_max=y,
            z_max=z,
            Wt=Wt,
            outline=shapes.rectangle_outline(width, height),
            hole=shapes.rectangle_outline(width - 2.0 * web, height - 2.0 * flange),
            name=name,
        )

    @classmethod
    def i_section(
        cls, width: float, height: float, web_thickness: float, flange_thickness: float, name: str = "i_section"
    ) -> BeamSection:
        """Return an I-profile: flanges of `width` along y at z = ± height/2, web along z [m]; fillets left out."""
        _check_profile(name, width, height, web_thickness, flange_thickness)
        return cls._profile(shapes.i_profile(width, height, web_thickness, flange_thickness), name)

    @classmethod
    def channel(
        cls, width: float, height: float, web_thickness: float, flange_thickness: float, name: str = "channel"
    ) -> BeamSection:
        """Return a channel: web along z with `height`, flanges of full `width` from its back towards +y [m]."""
        _check_profile(name, width, height, web_thickness, flange_thickness)
        return cls._profile(shapes.channel_profile(width, height, web_thickness, flange_thickness), name)

    @classmethod
    def angle(cls, width: float, height: float, thickness: float, name: str = "angle") -> BeamSection:
        """Return an angle: legs of full `width` towards +y and full `height` towards +z from the heel [m]."""
        _check_sizes(name, width=width, height=height, thickness=thickness)
        if thickness >= min(width, height):
            raise ModelError(f"beam section '{name}': thickness is {thickness:g} m; it must be below both leg lengths.")
        return cls._profile(shapes.angle_profile(width, height, thickness), name)

    @classmethod
    def _profile(cls, profile: shapes.OpenProfile, name: str) -> BeamSection:
        """Return an open profile made of flat walls."""
        area = shapes.area_moments(profile.rectangles)
        flow = shapes.shear_flow(profile.joints, profile.walls)
        y0, z0 = area.centroid.tolist()
        outline = tuple((y - y0, z - z0) for y, z in profile.outline)
        centre = flow.centre - area.centroid
        return cls(
            A=area.A,
            Iy=area.Iy,
            Iz=area.Iz,
            Iyz=area.Iyz,
            J=profile.J,
            ky=flow.Ay / area.A,
            kz=flow.Az / area.A,
            shear_centre=(float(centre[0]), float(centre[1])),
            y_max=max(abs(y) for y, _ in outline),
            z_max=max(abs(z) for _, z in outline),
            Wt=profile.J / max(wall.thickness for wall in profile.walls),
            outline=outline,
            name=name,
        )


def _check_profile(name: str, width: float, height: float, web: float, flange: float) -> None:
    _check_sizes(name, width=width, height=height, web_thickness=web, flange_thickness=flange)
    _check_wall(name, "flange_thickness", flange, "height", height)
    if web >= width:
        raise ModelError(
            f"beam section '{name}': web_thickness is {web:g} m; it must be below the width of {width:g} m."
        )


def _check_wall(name: str, wall: str, value: float, size: str, room: float) -> None:
    if 2.0 * value >= room:
        raise ModelError(
            f"beam section '{name}': {wall} is {value:g} m; two walls do not fit into the {size} of {room:g} m."
        )


def _check_sizes(name: str, **sizes: float) -> None:
    for size, value in sizes.items():
        if not (math.isfinite(value) and value > 0):
            raise ModelError(f"beam section '{name}': {size} is {value:g} m; it must be positive.")


@dataclass(frozen=True)
class ShellSection:
    """A homogeneous shell wall: thickness [m] and offset of its mid-surface from the nodes along the normal [m].

    A material that is not isotropic lies with its axes 1, 2 in the wall, see "direction" of shells.

    shear_factor: part of the thickness that counts in transverse shear, 5/6 for a homogeneous wall.
    """

    thickness: float
    offset: float = 0.0
    shear_factor: float = 5.0 / 6.0
    name: str = "shell"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.thickness) and self.thickness > 0):
            raise ModelError(f"shell section '{self.name}': thickness is {self.thickness:g} m; it must be positive.")
        if not math.isfinite(self.offset):
            raise ModelError(f"shell section '{self.name}': offset is {self.offset:g} m; give a finite number.")
        if not (math.isfinite(self.shear_factor) and self.shear_factor > 0):
            raise ModelError(
                f"shell section '{self.name}': shear_factor is {self.shear_factor:g}; it must be positive "
                "(a large value suppresses shear)."
            )


Section = BeamSection | ShellSection | LayeredSection | GeneralShellSection
WallSection = ShellSection | LayeredSection | GeneralShellSection  # what shells take
