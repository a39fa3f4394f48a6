"""The benchmark of throughput and latency: its command line."""

import argparse
import sys
import tempfile
from pathlib import Path

from . import baseline, facts, report, services, tools
from .bench import Bench, Settings
from .database import Database
from .scenarios import ONE_BY_ONE, SCENARIOS

DESCRIPTION = """\
Measure Seatfast beside pgbench on the same PostgreSQL and beside the same decisions on workerd.

    deploy/bench/run                          everything on the JVM
    deploy/bench/run --native PATH            and the native executable
    deploy/bench/run --baseline REVISION      and an older version in the same minutes;
                                             BASELINE_SETTINGS is the prefix of its settings
    deploy/bench/run --only hot fleet --candidates native pgbench
    deploy/bench/run --smoke                  does it still work; no numbers to believe

Needs a packaged build (./mvnw package), Java, a C compiler, npm (for workerd), and psql and
pgbench, which Debian has in the package postgresql-contrib. Load generators, services and database
share this machine, so only the ratios within one run mean anything. Writes results.md, results.svg
and results.json.

scenarios:
"""

OTHERS = ("workerd", "pgbench")


def parse_arguments(arguments):
    width = max(map(len, SCENARIOS))
    listed = "".join(f"  {name:<{width}}  {one.__doc__}\n" for name, one in SCENARIOS.items())
    parser = argparse.ArgumentParser(
        prog="deploy/bench/run",
        description=DESCRIPTION + listed,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    out = tools.ROOT / "target/bench"
    jar = tools.ROOT / "target/quarkus-app"
    candidates = ("native", "jvm", "baseline", ONE_BY_ONE, *OTHERS)
    parser.add_argument("--seconds", type=float, default=4, help="of a measurement (%(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="of each (%(default)s)")
    parser.add_argument("--only", nargs="+", metavar="SCENARIO", choices=list(SCENARIOS))
    parser.add_argument(
        "--candidates",
        nargs="+",
        metavar="NAME",
        choices=candidates,
        help="some of " + ", ".join(candidates),
    )
    parser.add_argument(
        "--connections",
        nargs="+",
        type=int,
        default=[1, 16, 64, 256],
        metavar="N",
        help="of the scenarios that vary them (1 16 64 256)",
    )
    parser.add_argument("--jar", type=Path, default=jar, help="the packaged jar's folder")
    parser.add_argument("--native", type=Path, metavar="PATH", help="the native executable")
    parser.add_argument(
        "--baseline",
        metavar="REVISION",
        help="an older commit, or the path of its native executable",
    )
    parser.add_argument("--out", type=Path, default=out, help="where the results go (%(default)s)")
    parser.add_argument("--smoke", action="store_true", help="half a second of each, once")
    parsed = parser.parse_args(arguments)
    if parsed.native and not parsed.native.is_file():
        parser.error(f"there is no {parsed.native}")
    return parsed


def settings_of(arguments):
    others = tuple(name for name in OTHERS if _wanted(arguments, name))
    if arguments.smoke:
        return Settings(
            seconds=0.4,
            repeats=1,
            connections=(4,),
            universe=20,
            many_attempts=3_200,
            fleets=(1,),
            warms_up=False,
            others=others,
        )
    return Settings(
        seconds=arguments.seconds,
        repeats=arguments.repeats,
        connections=tuple(arguments.connections),
        others=others,
    )


def _wanted(arguments, name):
    return not arguments.candidates or name in arguments.candidates


def programs_of(arguments):
    """What of Seatfast is measured; the first is the one that the others are compared with."""
    found = []
    if arguments.native and _wanted(arguments, "native"):
        found.append(services.native("native", arguments.native.resolve()))
    if _wanted(arguments, "jvm"):
        found.append(services.on_jvm("jvm", arguments.jar))
    if not found:
        sys.exit("There is nothing of Seatfast to measure: name jvm, or native and --native")
    if _wanted(arguments, ONE_BY_ONE) and not arguments.smoke:
        found.append(found[0].with_settings(ONE_BY_ONE, {"SEATFAST_BATCH_REQUESTS_MAX": "1"}))
    if arguments.baseline:
        found.append(baseline.program(arguments.baseline))
    return {program.name: program for program in found}


def run(arguments, folder):
    settings, programs = settings_of(arguments), programs_of(arguments)
    database = Database(folder, arguments.jar)
    try:
        bench = Bench(settings, programs, database, folder)
        try:
            if baseline.NAME in programs:
                services.migrate(programs[baseline.NAME], database)
            for name in arguments.only or SCENARIOS:
                SCENARIOS[name](bench)
        finally:
            bench.stop()
            descriptions = {name: one.__doc__ for name, one in SCENARIOS.items()}
            rows = report.write(
                bench.samples, facts.of_throughput(database), settings, descriptions, arguments.out
            )
    finally:
        database.stop()
    return rows


def main(arguments=None):
    arguments = parse_arguments(arguments)
    tools.require("java", "cc", "psql", "pgbench", "npm")
    if not (arguments.jar / "quarkus-run.jar").exists():
        sys.exit("There is nothing to measure; run ./mvnw package first")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user
        rows = run(arguments, folder)
    print(f"\nresults.md, results.svg and results.json are in {arguments.out}")
    wrong = sum(row["failed"] + row["miscounted"] for row in rows)
    idle = sum(row["per_second"]["median"] < 1 for row in rows)
    if wrong or idle:
        sys.exit(f"{wrong} requests failed or were miscounted, in {idle} rows nothing happened")
