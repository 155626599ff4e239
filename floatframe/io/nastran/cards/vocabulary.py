"""What Nastran cards that are not read would have meant: harmless ones, and those that the structure would miss."""

from __future__ import annotations

import re

from floatframe.io.import_log import ImportLog
from floatframe.io.nastran.cards.cards import BulkCard

_UNUSED = re.compile(
    r"MAT\w+|TABLEM\d|TABLES\d|TABLEST|NLMOPTS|"
    r"P(COMP[A-Z0-9]*|B\w+|L\w+|SHEAR|SHELL\w*|SOLID\w*|MASS|VISC|GAP|WELD|FAST|ELAS\w?|DAMP\w?|BUSH\w*|BEND|SEAM|AXI\w*|CONEAX|"
    r"ROD|TUBE|BAR\w*|INTE\w*|DUM\d|GENEL|PLANE|IHEX|HEX\w?)"
)
_LOADS = re.compile(
    r"FORCE\d?|MOMENT\d?|PLOAD\w?|PLOADX\d|GRAV|LOAD\w*|TEMP\w*|RFORCE\d?|ACCEL\d?|SPCD|SPCR|DAREA|[TRA]LOAD\w*|[CD]LOAD|LSEQ|"
    r"DEFORM|TABLE\w*|TABD\w+|TABRN\w+|RANDPS|RANDT\d|DELAY|DPHASE|TIC\w?|BOLT\w*|MOMAX\d?|FORCEAX|QBDY\d|QVOL|QHBDY|"
    r"SLOAD|NOLIN\d|ACSRCE|USET\w?LOAD|IMPERF\w*|UNBALNC|CYSUP|GUST|NTHICK|INITS\w*|ISTRS\w*"
)
_ANALYSIS = re.compile(
    r"EIG\w+|FREQ\d?|TSTEP\w*|NLP\w+|NLSTEP|NLADAPT|NLOUT|DTI|SUPORT\d?|SUPAX|[QCBO]SET\d?|OMIT\d?|SPOINT\w?|EPOINT|"
    r"D(V\w+|RESP\d|CON\w+|ES\w+|OPT\w*|SCREEN|LINK|EQATN|TABLE\d?|MNCON|TPL|SIZE|TPG|OBJREF|REPORT|GLOBAL|COMP|SHUFFLE)|"
    r"TOPVAR|TOMVAR|BEADVAR|CORDSET|CORDM|PLOTEL\d?|PLOT\w*|ECHO\w*|MODTRAK|SEQGP|BCPARA|MDLPRM|SWLDPRM|USET\d?|"
    r"SE(BSET|CSET|QSET|QSET1|SET|SUP|TREE|LABEL|ELT|EXCLD|BULK|CONCT|LOAD|LOC|MPLN|NQSET|USET|DP\w+)\d?|RELEASE|EXTRN|"
    r"R(ADM|ADSET|ADLST|ADMTX|ADCAV|VDOF\d?|GYRO|OTOR\w|OTORG|OTORSE|SPINR|SPINT|CROSS|EFCOR\w?)|VARIAN|ITER|ADAPT|OUT\w+|GRAVITY|"
    r"SET\d?|SETREE|ACTIVE|VIEW\w*|GEOM\w*|POINT|FEEDGE|FEFACE|GMCURV|GMINT\w|GMSURF|SKIP\w*|STAT\w*|ASSIGN|SOLUTION|SYSTEM|NASTRAN|DIAG|"
    r"PSET|PVAL|ELIST|MONPNT\d|MONDSP\d|MONSUM\w*|TIRE|FLSYM|HYBDAMP|DAMPING|TF|DSCMCOL|NSMADD|BSURFS?|BCPROPS?|BCRPARA|BGPARM|BCTPARM?|"
    r"BEDGE|BLSEG|BSURF\w*|BFRIC|BCBODY\w?|BCBZIER|BCMATL|BCNURB\w|BCPATCH|BCHANGE|BCMOVE|BCONPRG|BCONPRP|BWIDTH|"
    r"BOUTPUT|BDYLIST|BNDFIX\d?|BNDFREE\d?|BNDFRE\d|SPCOFF\d?|SWITCH|ENDT|SNORM|DDVAL|CBARAO|CREEP"
)
_OTHER_FIELDS = re.compile(
    r"A(ERO\w?|EROZ|E\w+|CMODL|CPEMCP|CTIVAT|CPLNW|MLREG)|CAERO\d|PAERO\d|SPLIN\w+|SPLINE\w*|FL(FACT|UTTER|UTTR)|MKAEROZ?\d?|TRIM\w*|"
    r"DIVERG|CSSCHD|UXVEC|UNIVEC|C?HBDY\w*|CHBDY\w*|PHBDY|CONV\w*|PCONV\w*|RAD\w+|BDYOR|ACTRIM|BODY\w|PANLST\d|ATTACH|"
    r"MLOADS|EXTINP|SURFSET|CROSS\w*|SUBCASE|TITLE|CELIST|ZAERO"
)
# names of no family that stands above, each harmless
_MORE = frozenset(
    """
    ABINFL ACADAPT ACCMETR ACIFPRM ACLOAD ACORDER ALIASM ATVBULK ATVFS BCPFLG BCTPARA BCTPARM BCTPAR2 BCTPAR CBARAO
    CREEP CLOAD CONTRLT CAMPBLL CMARKB2 CMARKN1 CNGRNT CONCTL CYCADD CDAMP5 DAMPGBL DDVAL DEFUSET DELETE DISTORT
    DMIGOUT DSCONS DTEMP DYNRED ELAR ELAR2 ENTUDS ERPPNL EQUIV FBADLAY FBALOAD FBAPHAS FORCDST FREEPT FREQV FRFCOMP
    FRFCONN FRFFLEX FRFRELS FRFSPC1 FRFXIT FRFXIT1 FSICTRL FTGDEF FTGEVNT FTGLOAD FTGPARM FTGSEQ GMLOAD GRIDA
    GRIDMOD GROUP GUST2 IMPCASE IMPGEOM ISTRESS IPSTRAIN LIST MARCIN MARCOUT MARPRN MASSSET MDLABEL MESH METADATA
    MICPNT MNF600 MONCARL MONCNCM MONGRP MPCREEP MTHERM NHRMPRM NLAUTO NLCNTL NLCNTL2 NLCNTLG NLDAMP NLFREQ1 NLHARM
    NLHEATC NLOUTUD NLSTRAT NXSTRAT PANEL PARAMARC PDISTB PERMEAB PFTG PGEN POSTBUK PRESTRS QVECT RANDVAR RCROSSC
    RELAX RENAME RESTART ROTHYBD ROTOR ROTORAX ROTPARM SEBNDRY SEDLINK SEDRSP2 SEDRSP3 SEQROUT SEQSEP SLOADN1 SNORM
    SPBLND1 SPCD2 STOCHAS SURFINI TABL3D0 TABL3D1 TABL3D2 TABLFTG TABLRPC TABSCTL TCNTPRM TICVAL TIM2PSD TMCPARA
    TMPSET TOPDMG TOPSTR TTEMP UDNAME UDSESV UNITS VATVFS VCCT WETELME WETELMG WETLOAD WETSURF ENDT HYPER LABEL
    MATUSHT OPTCONST OPTIPARM DOBJREF DREPADD DREPORT DSHAPE DESGLB DGLOBAL DCOMP DRAPE DTPL DTPG DSIZE SPCDS
    SENSITIVITY ASSEMBLY INCLUDE EXCLUDE RADLIST PRETENS EXTSEOUT LATPRM SURF SUBCOM
    """.split()  # noqa: SIM905  (a table of words)
)
_PARAMETERS = re.compile(r"(NL|FTG|MON|TAB|D2R|MDL|SWL|FRF|ATV)\w+|P[A-Z]+N1")
_OTHER_ELEMENTS = re.compile(
    r"CA(ABSF|CINF\d|XIF\d)|CHAC(AB|BR)|CFLUID\d|CSLOT\d|CORD3\w*|CORD1RX|P(AABSF|ACABS|ACBAR|ACINF)"
)
_CONTACT = re.compile(r"BC(TSET|TADD|ONTACT|TPARA|GRID|AUTOP|TPAR)|BCT\w*|CONTACT|BCONTACT|BCONECT|BCONP|PCONT")
_COUPLINGS = re.compile(
    r"R(SPLINE|SSCON|BE2GS|BE2F|BE3D|ROD\w|BAX|BJOINT|BJSTIF|TRPLT\w?|CONN|PC\w*)|C?YJOIN|CYSYM|CYAX|MPC\w+|BG(SET|ADD)|TIE|JOINTG?|PERBC"
)
_SUPPORTS = re.compile(r"SPC(AX|E\w*)|BNDGRID|GMSPC|GMBC")
_MASSES = re.compile(r"NSM\w*|CONM\d|MFLUID|CFLUID\d|CMASS\w*")
_MATRICES = ("DMIG", "DMIGPCH", "DMIGOP2", "DMIGROT", "DMI", "DMIJ", "DMIK", "DMIJI", "DMIAX", "TF")


def account(log: ImportLog, name: str, cards: list[BulkCard]) -> None:
    """Tell the log of cards that no part of the reader wants."""
    line, count = cards[0].line, len(cards)
    for pattern, reason in (
        (_LOADS, "loads are not part of the model"),
        (_ANALYSIS, "it concerns the analysis or the output"),
        (_UNUSED, "no element that can be read uses it"),
        (_OTHER_FIELDS, "flow, heat and sound are not part of the model"),
        (_OTHER_ELEMENTS, "flow, heat and sound are not part of the model"),
        (_PARAMETERS, "it concerns the analysis or the output"),
    ):
        if pattern.fullmatch(name) or (pattern is _PARAMETERS and name in _MORE):
            log.skip(name, reason, False, line, count)
            return
    if name in _MATRICES:
        log.skip(name, "case control does not select it for the structure (K2GG, M2GG)", False, line, count)
    elif _CONTACT.fullmatch(name):
        log.lose(name, "coupling", "contact is not read: the surfaces are not joined", line, count)
    elif _COUPLINGS.fullmatch(name):
        log.lose(name, "coupling", "this card is not supported", line, count)
    elif _SUPPORTS.fullmatch(name):
        log.lose(name, "support", "this card is not supported", line, count)
    elif _MASSES.fullmatch(name):
        log.lose(name, "mass", "this card is not supported", line, count)
    elif name.startswith("P"):
        log.skip(name, "no element that can be read uses it", False, line, count)
    elif name.startswith(("C", "GENEL")):
        log.lose(name, "stiffness", "this element is not supported", line, count)
    elif name.startswith(("R", "SPC", "MPC")):
        log.lose(name, "unknown", "this card is not known", line, count)
    else:
        log.skip(name, "this card is not known", True, line, count)
