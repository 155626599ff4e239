"""Run the study into a folder: `python -m samples.slider_crank [FOLDER]`."""

import sys
from pathlib import Path

from samples.slider_crank.study import run, table

study = run(Path(sys.argv[1] if len(sys.argv) > 1 else "slider-crank"))
sys.stdout.write(table(study) + "\n" + "".join(f"wrote {path}\n" for path in study.files))
