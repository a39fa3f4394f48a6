"""On what, with what and when something was measured."""

import os
import platform
import subprocess
import time
from pathlib import Path

from . import processes, tools


def machine():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.machine()
    return f"{os.cpu_count()} cores, {model}, Linux {platform.release()}"


def commit():
    """The checked-out commit, with a plus sign if files differ from it."""
    known = subprocess.run(
        ["git", "describe", "--always", "--abbrev=10", "--dirty=+"],
        cwd=tools.ROOT,
        capture_output=True,
        text=True,
    )
    return known.stdout.strip() or "?"


def date():
    return time.strftime("%Y-%m-%d")


def of_throughput(database):
    facts = {
        "date": date(),
        "commit": commit(),
        "machine": machine(),
        "PostgreSQL": database.sql("SHOW server_version;"),
        "Java": tools.first_line("java", "-version"),
        "pgbench": tools.first_line("pgbench", "--version"),
        "load generator's priority": processes.generator_priority()[0],
    }
    workerd = tools.BENCH / "workerd/node_modules/.bin/workerd"
    if workerd.exists():
        facts["workerd"] = tools.first_line(str(workerd), "--version")
    return facts
