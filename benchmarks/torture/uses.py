"""Which commands read which files: each line is one command, `@` stands for the folder of the files.

Before the colon stand the files that are damaged, one at a time; a command fails in a sentence or does its work.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

OWN = """\
plate.h5: info @plate.h5
body.h5: info @body.h5
body.fum: info @body.fum
run.h5: info @run.h5
sweep.h5: info @sweep.h5
stress.h5: info @stress.h5
beam.h5: modes @beam.h5 -n 2
beam.inp: modes @beam.inp -n 2
beam.cdb: modes @beam.cdb -n 2
beam.bdf: modes @beam.bdf -n 2
plate.inp: modes @plate.inp -n 2
mesh.msh mesh.props.toml: modes @mesh.msh -n 2
mesh.vtk: modes @mesh.vtk -n 2
model.toml body.fum: linear @model.toml
track.toml: track @track.toml
network.toml: info @network.toml
moving.h5 model.toml: simulate @model.toml -o @moving.h5 --t-end 0.3 --resume
network.h5 network.toml: simulate @network.toml -o @network.h5 --resume
swing.csv model.toml: fit @model.toml --measured @swing.csv --vary push
psd.csv: random @model.toml --psd drive=@psd.csv --output hinge.angle --band 0.1:20
"""
OTHERS = """\
sweep.h5: sweep @model.toml --vary push=1,2 --study linear -o @sweep.h5 --resume --workers 1
sweep.h5: plot @sweep.h5 --csv @out.csv
sweep.h5: plot @sweep.h5 -o @out.png
sweep.h5: report @sweep.h5 -o @out.html
runs.h5: plot @runs.h5 --csv @out.csv
runs.h5: assess @runs.h5 --over push --amplitude hinge.angle:std
run.h5: plot @run.h5 hinge.angle --rms --csv @out.csv
run.h5: plot @run.h5 hinge.angle --psd -o @out.png
run.h5: report @run.h5 -o @out.html
run.h5: contributions @run.h5 hinge.angle
run.h5: view @run.h5 --save @out.html
run.h5: view @run.h5 --save @out.glb
wheels.h5: assess @wheels.h5
wheels.h5: report @wheels.h5 -o @out.html
strain.h5: stress @strain.h5 --json
strain.h5: life @strain.h5 --curve eurocode:71
strain.h5: report @strain.h5 --curve eurocode:71 -o @out.html
strain.h5: view @strain.h5 --stress --save @out.html
run.h5: srs @run.h5 rod.acceleration.x
network.h5: info @network.h5
network.h5: plot @network.h5 out.voltage --csv @out.csv
network.h5: report @network.h5 -o @out.html
network.toml: linear @network.toml
network.toml: simulate @network.toml -o @out.h5
network.toml: view @network.toml --save @out.png
network.toml: report @network.toml -o @out.html
drive.toml machine.toml: simulate @drive.toml -o @out.h5 --t-end 0.01
drive.toml machine.toml: linear @drive.toml
stress.h5: drop @stress.h5 --modes 1 -o @out.h5
stress.h5 strain.toml: random @strain.toml --psd push.z=0.1 --band 1:100 --body beam --curve eurocode:71
stress.h5 strain.toml: simulate @strain.toml -o @out.h5 --t-end 0.01
stress.h5: report @stress.h5 -o @out.html
body.h5: drop @body.h5 --modes 1 -o @out.fum
body.h5: convert @body.h5 @out.fum
body.h5: plot @body.h5 --mac @modes.h5 -o @out.png
body.fum: drop @body.fum --keep 1 -o @out.h5
body.fum: convert @body.fum @out.h5
body.fum: report @body.fum -o @out.html
body.fum: plot @body.fum --errors @beam.h5 -o @out.png
modes.h5: info @modes.h5
modes.h5: plot @modes.h5 --mac @modes.h5 -o @out.png
modes.h5: view @modes.h5 --model @beam.h5 --save @out.html
beam.h5: reduce @beam.h5 --interface 1,7 -n 2 --stress all -o @out.h5
beam.h5: convert @beam.h5 @out.inp
plate.h5: buckling @plate.h5 --gravity 0,-9.81,0 --fixed 1,2,3,4
plate.h5: plot @plate.h5 --sparsity -o @out.png
plate.h5: report @plate.h5 -o @out.html
plate.h5: view @plate.h5 --mode 1 --save @out.html
beam.inp: convert @beam.inp @out.bdf
beam.cdb: convert @beam.cdb @out.h5
beam.bdf: convert @beam.bdf @out.cdb
beam.bdf: reduce @beam.bdf --interface 1,7 -n 2 -o @out.fum
model.toml body.fum: info @model.toml --json
model.toml body.fum: equilibrium @model.toml
model.toml body.fum: simulate @model.toml -o @out.h5 --t-end 0.01
model.toml body.fum: sweep @model.toml --vary push=1,2 --t-end 0.01 --workers 1 -o @out.h5
model.toml body.fum: response @model.toml --input drive --output hinge.angle --band 0.1:20 --csv @out.csv
model.toml body.fum: statespace @model.toml --input drive --output hinge.angle -o @out.json
model.toml body.fum: export-code @model.toml -o @out.c
model.toml body.fum: drift @model.toml --t-end 0.01
model.toml body.fum: choose @model.toml
model.toml body.fum: view @model.toml --save @out.html
model.toml body.fum: report @model.toml -o @out.html
frame.toml: mesh @frame.toml -o @out.h5
frame.toml: modes @frame.toml -n 2
block.vtu block.props.toml: modes @block.vtu -n 2
block.xdmf: info @block.xdmf
block.med: info @block.med
block.unv: info @block.unv
skin.stl: info @skin.stl
block.msh: info @block.msh
block.mesh: info @block.mesh
block.su2: info @block.su2
block.nodes block.mg block.mm: modes @block.nodes -n 2
outboard.op4: info @outboard.op4
outboard.pch: info @outboard.pch
shaped.toml part.stl: info @shaped.toml
shaped.toml part.stl: view @shaped.toml --save @out.html
obj.toml part.obj: info @obj.toml
ply.toml part.ply: info @ply.toml
glb.toml part.glb: info @glb.toml
step.toml cylinder.step: info @step.toml
line.csv: track @line.csv --csv @out.csv
measured.toml measured.csv: track @measured.toml --csv @out.csv
wheel.prw: conicity --wheel @wheel.prw
wheel.csv: wheel-rail --wheel @wheel.csv --load 1e4
vehicle.toml line.csv wheel.csv: linear @vehicle.toml --at start
vehicle.toml line.csv wheel.csv: simulate @vehicle.toml -o @out.h5 --t-end 0.002
bogie.toml wheelset.toml: linear @bogie.toml
quarter_car.toml: simulate @quarter_car.toml -o @out.h5 --t-end 0.05
quarter_car.toml: linear @quarter_car.toml
disc.toml: simulate @disc.toml -o @out.h5 --t-end 0.01
cart.toml: simulate @cart.toml -o @out.h5 --t-end 0.01
rocket.toml: simulate @rocket.toml -o @out.h5 --t-end 0.01
snowboarder.toml: simulate @snowboarder.toml -o @out.h5 --t-end 0.01
shapes.csv model.toml: fit @model.toml --measured @shapes.csv --vary length
shapes.csv model.toml: fit @model.toml --measured @shapes.csv --vary length -o @out.toml
beam.h5: modes @beam.h5 -n 2 --write @out.h5
beam.h5: view @beam.h5 --mode 1 --save @out.pvd
plate.h5: view @plate.h5 --mode 1 --save @out.png
strain.h5: stress @strain.h5 --save @out.html
strain.h5: life @strain.h5 --curve eurocode:71 --save @out.html
"""


@dataclass(frozen=True)
class Use:
    """A command, its words as written above, and the file that is damaged."""

    file: str
    words: tuple[str, ...]

    def command(self, folder: Path) -> list[str]:
        """The words about files in a folder."""
        return [word.replace("@", f"{folder}/") for word in self.words]


def uses(text: str) -> list[Use]:
    """Every damaged file with its command."""
    found = []
    for line in text.splitlines():
        files, _, words = line.partition(": ")
        found += [Use(file, tuple(shlex.split(words))) for file in files.split()]
    return found
