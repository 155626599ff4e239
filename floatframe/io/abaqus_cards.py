"""What is done with cards that do not describe the structure: reasons for the import report."""

from __future__ import annotations

_OUTPUT = "it asks for output"
_ANALYSIS = "it tells how to analyse"
_LOAD = "loads are no part of the model"
_CONTACT = "contact is not followed"

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
    **dict.fromkeys(("CHANGEFRICTION", "CHANGESURFACEBEHAVIOR", "CHANGECONTACTTYPE"), _ANALYSIS),
    "DISTRIBUTIONTABLE": "the values stand in *DISTRIBUTION",
    **dict.fromkeys(("FLUIDSECTION", "FILTER"), "no fluid elements are read"),
}

# what a dynamic analysis may miss
PHYSICS: dict[str, str] = {
    **dict.fromkeys(("CONTACT", "CONTACTINCLUSIONS", "CLEARANCE", "GAP", "CONTACTINITIALIZATIONDATA"), _CONTACT),
    "CYCLICSYMMETRYMODEL": "cyclic symmetry is not followed: the sector stands alone",
    "PRE-TENSIONSECTION": "pre-tension is not followed",
    "PRETENSIONSECTION": "pre-tension is not followed",
    "MODELCHANGE": "parts stay as they are",
    "SUBMODEL": "driven boundaries are not followed",
    "MODALDAMPING": "give the damping of modes to the flexible body",
    "DAMPING": "give the damping of modes to the flexible body",
    "GLOBALDAMPING": "give the damping of modes to the flexible body",
    "INITIALCONDITIONS": "initial stresses and states are not followed",
    "CHANGEMATERIAL": "materials stay as they are",
    "CHANGEPLASTIC": "materials stay as they are",
    "CHANGESOLIDSECTION": "sections stay as they are",
    "NORMAL": "directions across beams and shells follow from sections and nodes alone",
    "NONSTRUCTURALMASS": "masses spread over elements are not read",
    "FASTENER": "fasteners are not read",
    "EMBEDDEDELEMENT": "embedded elements are not joined to their host",
    "SHELLTOSOLIDCOUPLING": "shells are not joined to solids",
}

# cards without which the structure would be another one
REFUSED: dict[str, str] = {
    "PARAMETER": "parameters cannot be read; write the deck with their values",
    "NCOPY": "copied meshes cannot be read; write the nodes out",
    "NMAP": "copied meshes cannot be read; write the nodes out",
    "ELCOPY": "copied meshes cannot be read; write the elements out",
    "USERELEMENT": "user elements cannot be read",
    "MATRIXINPUT": "matrices cannot be read from a deck",
    "MATRIXASSEMBLE": "matrices cannot be read from a deck",
    "SHELLGENERALSECTION": "shells given by stiffness cannot be read; use *SHELL SECTION",
    "CONNECTORSECTION": "connectors cannot be read; use couplings or springs",
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
