"""Durability: stress fields and strain gauges of bodies in motion, rainflow counting, S–N curves, damage and life.

In: runs whose flexible bodies keep stresses of their shapes, histories, densities. Out: maps, tables, damages.
Open `life` first; `fields` and `gauges` are about stresses, `spectral` about random ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floatframe.doors import open_door

if TYPE_CHECKING:
    from floatframe.durability.curves import (
        CATEGORIES as CATEGORIES,
        SNCurve as SNCurve,
        eurocode as eurocode,
        fkm as fkm,
        own_curve as own_curve,
        read_curve as read_curve,
    )
    from floatframe.durability.damage import (
        CORRECTIONS as CORRECTIONS,
        MEASURES as MEASURES,
        MeanStress as MeanStress,
        history_damages as history_damages,
        miner as miner,
        read_mean_stress as read_mean_stress,
        stress_damages as stress_damages,
    )
    from floatframe.durability.fields import (
        HotSpot as HotSpot,
        PeakMap as PeakMap,
        field_at as field_at,
        hot_spots as hot_spots,
        peak_hold as peak_hold,
    )
    from floatframe.durability.gauges import Rosette as Rosette, gauge as gauge, rosette as rosette
    from floatframe.durability.life import LifeTable as LifeTable, Share as Share, life_table as life_table
    from floatframe.durability.rainflow import (
        Cycles as Cycles,
        rainflow as rainflow,
        turning_points as turning_points,
    )
    from floatframe.durability.random_life import (
        RANDOM_MEASURES as RANDOM_MEASURES,
        output_lives as output_lives,
        random_life_table as random_life_table,
        require_known as require_known,
    )
    from floatframe.durability.spectral import (
        RATES as RATES,
        SpectralMoments as SpectralMoments,
        dirlik as dirlik,
        narrow_band as narrow_band,
        spectral_moments as spectral_moments,
        tovo_benasciutti as tovo_benasciutti,
    )
else:
    __getattr__, __dir__, __all__ = open_door(__name__)
