"""Build a wheel that brings compiled code for Linux on x86-64 (version 3), so that its first run compiles nothing.

Other machines, clones and your own policies compile as before. Writes the wheel into ``dist`` or FOLDER.

    python scripts/build_wheel.py [FOLDER]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cirulla_sim.kernel.jit import shipped_folder
from cirulla_sim.kernel.machine_code import BASELINE, BASELINE_FEATURES, read_code, save_code

ROOT = Path(__file__).parents[1]


def compile_all(folder: Path) -> None:
    """Compile every entry point for the baseline into a folder."""
    features = ",".join(f"+{feature}" for feature in BASELINE_FEATURES.split())
    with tempfile.TemporaryDirectory() as cache:
        setting = {"NUMBA_CPU_NAME": BASELINE, "NUMBA_CPU_FEATURES": features, "NUMBA_CACHE_DIR": cache}
        subprocess.run([sys.executable, "-m", "cirulla_sim", "warmup"], env=os.environ | setting, check=True, cwd=ROOT)
        folder.mkdir(parents=True)
        for file in Path(cache).rglob("*.o"):
            code = read_code(file)
            assert code is not None, file
            save_code(code, folder / f"{file.stem.rpartition('-')[0]}.o")


def main() -> None:
    """Compile, build, and leave no compiled code behind."""
    output, folder = sys.argv[1] if len(sys.argv) > 1 else "dist", shipped_folder()
    shutil.rmtree(folder.parent, ignore_errors=True)
    try:
        compile_all(folder)
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", output, "."], check=True, cwd=ROOT
        )
    finally:
        shutil.rmtree(folder.parent, ignore_errors=True)


if __name__ == "__main__":
    main()
