"""Programs that the benchmarks use: those that must be installed, and those that they build."""

import functools
import shutil
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent.parent
BUILT = ROOT / "target" / "bench"


def require(*names):
    missing = [name for name in names if not shutil.which(name)]
    if missing:
        sys.exit(f"Not on the PATH: {', '.join(missing)}")


def _compile(target, sources, *options):
    BUILT.mkdir(parents=True, exist_ok=True)
    built = BUILT / target
    if not built.exists() or built.stat().st_mtime < max(one.stat().st_mtime for one in sources):
        files = [str(one) for one in sources if one.suffix == ".c"]
        command = ["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-o", str(built), *files]
        subprocess.run([*command, *options], check=True)
    return built


def load_generator():
    return _compile("load", sorted((BENCH / "load").iterdir()), "-lm")


def slow_flush_library():
    return _compile("slow-flush.so", [BENCH / "slow-flush.c"], "-shared", "-fPIC")


@functools.cache
def workerd():
    """Cloudflare's runtime, of the version in package.json."""
    folder = BENCH / "workerd"
    command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "node_modules/.bin/workerd"


def first_line(*command):
    """What a program says of its version."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
        )
        return done.stdout.splitlines()[0]
    except (OSError, IndexError):
        return "?"
