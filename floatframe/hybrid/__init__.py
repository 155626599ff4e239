"""Hybrid multibody models: rigid and flexible subsystems, joints, forces, equilibrium, simulation."""
