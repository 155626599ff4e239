"""What is done with cards that do not describe the structure: reasons for the import report."""

from __future__ import annotations

from floatframe.io.import_log import What

_OUTPUT = "it requests output"
_ANALYSIS = "it controls the analysis"
_LOAD = "loads are not part of the model"
_CONTACT = "contact is not supported: the parts are not tied"

# no influence on a linear model
EFFECTLESS: dict[str, str] = {
    **dict.fromkeys(("HEADING", "PREPRINT", "NOANALYSIS", "RESTART", "FILEFORMAT"), _OUTPUT),
    **dict.fromkeys(
        (
            *("NODEPRINT", "ELPRINT", "NODEFILE", "ELFILE", "NODEOUTPUT", "ELEMENTOUTPUT", "OUTPUT", "CONTACTOUTPUT"),
            *("CONTACTPRINT", "CONTACTFILE", "FACEPRINT", "SECTIONPRINT", "ENERGYOUTPUT", "ENERGYPRINT", "MONITOR"),
            *("PRINT", "TIMEPOINTS", "MODALFILE", "INTEGRATEDOUTPUT", "VIEWFACTOR", "SUBSTRUCTUREMATRIXOUTPUT"),
            *("FILTER", "MATRIXOUTPUT", "MATRIXGENERATE", "INTEGRATEDOUTPUTSECTION"),
        ),
        _OUTPUT,
    ),
    **dict.fromkeys(
        (
            *("STEP", "ENDSTEP", "STATIC", "FREQUENCY", "DYNAMIC", "BUCKLE", "MODALDYNAMIC", "STEADYSTATEDYNAMICS"),
            *("VISCO", "HEATTRANSFER", "COUPLEDTEMPERATURE-DISPLACEMENT", "UNCOUPLEDTEMPERATURE-DISPLACEMENT"),
            *("COMPLEXFREQUENCY", "CFD", "ELECTROMAGNETICS", "SENSITIVITY", "OBJECTIVE", "DESIGNVARIABLES", "GREEN"),
            *("CONTROLS", "AMPLITUDE", "SELECTCYCLICSYMMETRYMODES", "SUBSTRUCTUREGENERATE", "RETAINEDNODALDOFS"),
            *("SELECTEIGENMODES", "SOLVERCONTROLS", "COORDINATEDESIGNVARIABLES", "FEASIBLEDIRECTION", "CONSTRAINT"),
            *("CRACKPROPAGATION", "ROBUSTDESIGN", "CORRELATIONLENGTH", "GEOMETRICTOLERANCES", "REFINEMESH"),
            *("RANDOMFIELD", "STATISTICS", "RESPONSESPECTRUM", "RANDOMRESPONSE", "SPECTRUM"),
        ),
        _ANALYSIS,
    ),
    **dict.fromkeys(
        (
            *("CLOAD", "DLOAD", "DSLOAD", "TEMPERATURE", "DFLUX", "CFLUX", "FILM", "RADIATE", "GRAVITY", "DSFLUX"),
            *("MASSFLOW", "BASEMOTION", "FIELD", "SFILM", "SRADIATE", "CRADIATE", "CFILM", "LOADCASE"),
        ),
        _LOAD,
    ),
    **dict.fromkeys(("PHYSICALCONSTANTS", "VALUESATINFINITY"), "it is about heat or fluids"),
    **dict.fromkeys(
        ("CONTACTDAMPING", "GAPCONDUCTANCE", "GAPHEATGENERATION"),
        "a law of contact acts only with a contact pair",
    ),
    **dict.fromkeys(
        (
            *("CONTACTCONTROLS", "CONTACTPROPERTYASSIGNMENT", "CONTACTFORMULATION", "CLEARANCE"),
            *("CONTACTINTERFERENCE", "CONTACTSTABILIZATION", "CONTACTCONTROLSASSIGNMENT", "CONTACTEXCLUSIONS", "GAP"),
            *("CONTACTINITIALIZATIONASSIGNMENT", "CONTACTINITIALIZATIONDATA", "SURFACEPROPERTYASSIGNMENT"),
            *("SURFACESMOOTHING", "CONTACTINCLUSIONS", "CONTACTCLEARANCE", "CONTACTCLEARANCEASSIGNMENT"),
            *("GAPRADIATION", "GAPELECTRICALCONDUCTANCE", "SURFACEFLAW", "DAMAGESTABILIZATION"),
        ),
        "a law of contact acts only with a contact pair",
    ),
    **dict.fromkeys(
        (
            *("GASKETSECTION", "COHESIVESECTION"),
            *("CONNECTORSTOP", "CONNECTORLOCK", "CONNECTORFRICTION"),
            *("CONNECTORCONSTITUTIVEREFERENCE", "CONNECTORDERIVEDCOMPONENT", "CONNECTORPLASTICITY", "CONNECTORMOTION"),
            *("CONNECTORLOAD", "CONNECTORHARDENING", "CONNECTORPOTENTIAL", "CONNECTORFAILURE", "USERELEMENT"),
            *("UELPROPERTY", "FRAMESECTION", "EULERIANSECTION", "ACOUSTICINFINITESECTION", "SURFACESECTION"),
            *("ITSSECTION", "DRAGCHAIN", "JOINTELASTICITY", "JOINTPLASTICITY"),
        ),
        "the elements that use it are not read",
    ),
    **dict.fromkeys(
        (
            *("SECTIONCONTROLS", "HOURGLASSSTIFFNESS", "BULKVISCOSITY", "DIAGNOSTICS", "EXTREMEVALUE", "MAPSOLUTION"),
            *("ADAPTIVEMESH", "ADAPTIVEMESHCONTROLS", "DISPLAYBODY", "CONFLICTS", "SURFACEMODELDEFINITION"),
            *("POSTOUTPUT", "PSD-DEFINITION", "BASELINECORRECTION", "INERTIARELIEF"),
            *("DESIGNPARAMETER", "DESIGNRESPONSE", "PARAMETERDEPENDENCE", "PARAMETERSHAPEVARIATION", "CO-SIMULATION"),
            *(
                "CO-SIMULATIONCONTROLS",
                "CO-SIMULATIONREGION",
                "INCIDENTWAVEPROPERTY",
                "INCIDENTWAVEINTERACTIONPROPERTY",
            ),
            *("INCIDENTWAVEFLUIDPROPERTY", "IMPEDANCEPROPERTY", "FILMPROPERTY", "CAVITYDEFINITION", "EMISSIVITY"),
            *("RADIATIONVIEWFACTOR", "RADIATIONSYMMETRY", "SURFACEPROPERTY", "TRACERPARTICLE", "USERSUBROUTINES"),
            *("STEADYSTATECRITERIA", "USERSECTION", "WAVE", "WIND", "AQUA", "NODALENERGYRATE"),
        ),
        _ANALYSIS,
    ),
    **dict.fromkeys(("CHANGEFRICTION", "CHANGESURFACEBEHAVIOR", "CHANGECONTACTTYPE"), _ANALYSIS),
    "MEMBRANE": "it is not a card of Abaqus or CalculiX",
    "DISTRIBUTIONTABLE": "the values are in *DISTRIBUTION",
    **dict.fromkeys(("FLUIDSECTION", "BOUNDARYF", "TRANSFORMF", "EQUATIONF"), "no fluid elements are read"),
}

# what a dynamic analysis may miss
PHYSICS: dict[str, str] = {
    "PRE-TENSIONSECTION": "pre-tension is not supported",
    "PRETENSIONSECTION": "pre-tension is not supported",
    "MODELCHANGE": "changes of parts are not read",
    "MODALDAMPING": "specify modal damping of the flexible body instead",
    "DAMPING": "specify modal damping of the flexible body instead",
    "GLOBALDAMPING": "specify modal damping of the flexible body instead",
    "CHANGEMATERIAL": "changes of materials are not read",
    "CHANGEPLASTIC": "changes of materials are not read",
    "CHANGESOLIDSECTION": "changes of sections are not read",
    "NORMAL": "normals of beams and shells come from sections and nodes only",
    "IMPERFECTION": "geometric imperfections are not read",
}

# stiffness, mass, supports and couplings that cannot be read
LOST: dict[str, tuple[What, str]] = {
    "CONTACT": ("coupling", _CONTACT),
    "CYCLICSYMMETRYMODEL": ("coupling", "cyclic symmetry is not applied: the sector is on its own"),
    "SUBMODEL": ("support", "driven boundaries are not supported"),
    "ADDEDMASS": ("mass", "masses spread over elements are not read"),
    "BEAMADDEDINERTIA": ("mass", "masses spread over elements are not read"),
    "FASTENER": ("coupling", "fasteners are not read"),
    "RELEASE": ("coupling", "released ends of beams are not read"),
    "JOINT": ("stiffness", "joints are not read"),
    **dict.fromkeys(("REBAR", "REBARLAYER"), ("stiffness", "reinforcements are not read")),
    **dict.fromkeys(("MATRIXINPUT", "MATRIXASSEMBLE"), ("stiffness", "matrices cannot be read from a deck")),
    **dict.fromkeys(("SUBSTRUCTUREPROPERTY", "SUBSTRUCTUREPATH"), ("stiffness", "substructures are not read")),
    "IMPORT": ("unknown", "results of another analysis are not read"),
}

# cards without which the structure would be another one
REFUSED: dict[str, str] = {
    "PARAMETER": "parameters cannot be read; write the deck with their values",
    "NCOPY": "copied meshes cannot be read; write the nodes out",
    "NMAP": "copied meshes cannot be read; write the nodes out",
    "ELCOPY": "copied meshes cannot be read; write the elements out",
}

# cards under *MATERIAL and whether leaving them out is physical for a linear elastic body
MATERIAL_CARDS: dict[str, bool] = {
    **dict.fromkeys(("ELASTIC", "DENSITY"), False),
    **dict.fromkeys(
        (
            *("CONDUCTIVITY", "EXPANSION", "SPECIFICHEAT", "LATENTHEAT", "FLUIDCONSTANTS", "SPECIFICGASCONSTANT"),
            *("MAGNETICPERMEABILITY", "ELECTRICALCONDUCTIVITY", "DEPVAR", "USEROUTPUTVARIABLES", "JOULEHEATFRACTION"),
        ),
        False,
    ),
    **dict.fromkeys(
        (
            *("PLASTIC", "CYCLICHARDENING", "CREEP", "HYPERELASTIC", "HYPERFOAM", "USERMATERIAL", "VISCOELASTIC"),
            *("DEFORMATIONPLASTICITY", "MOHRCOULOMB", "MOHRCOULOMBHARDENING", "CONCRETE", "NOCOMPRESSION", "DAMPING"),
            *("DAMAGEINITIATION", "DAMAGEEVOLUTION", "HYPOELASTIC", "ORTHOTROPIC", "RATEDEPENDENT", "UNIAXIALTESTDATA"),
        ),
        True,
    ),
}
