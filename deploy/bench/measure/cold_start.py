"""The benchmark of the start: its command line, and the order of its measurements."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from . import cold_start_report, load, processes, services, starts, tools, workloads
from .database import Database

DESCRIPTION = """\
Measure the start: from a new process to its first decided reservation, the connection included.

    deploy/bench/cold-start                 everything that is built; about ten minutes
    deploy/bench/cold-start --check         the same, and fails if the start got worse
    deploy/bench/cold-start --smoke         does it still work; no numbers to believe

Starts the native executable, the jar and the jar with its cache (deploy/jvm/make-cache) in turn on
one migrated PostgreSQL. Beside them starts a native hello-world of the same Quarkus, which it
builds if need be, so that the table shows what is the framework's and what is ours. Whatever is not
built is left out. Needs a packaged build (./mvnw package) for the database, psql, and a C compiler
for the load.

On a machine that does something else too, only ratios within one run mean anything; the report says
whether it did. Writes cold-start.md and cold-start.json.
"""

LOAD_CONNECTIONS = 64


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="deploy/bench/cold-start",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    target = tools.ROOT / "target"
    option = parser.add_argument
    option("--native", type=Path, help="the native executable (target/*-runner)")
    option(
        "--jar", type=Path, default=target / "quarkus-app", help="the jar's folder (%(default)s)"
    )
    option(
        "--cached-jar",
        type=Path,
        default=target / "jvm",
        help="the folder of the jar and the caches that deploy/jvm/make-cache made (%(default)s)",
    )
    option("--java", action="append", help="a Java to start it with; may be repeated (java)")
    option("--hello", type=Path, help="hello-world's native executable; built if it is not given")
    option("--skip-hello", action="store_true", help="do without it")
    option(
        "--closed", action="store_true", help="start each of ours with seatfast.access=tokens too"
    )
    option("--starts", type=int, default=20, help="of each (%(default)s)")
    option(
        "--load-seconds",
        type=int,
        default=60,
        help="before memory is read again; 0 leaves it out (%(default)s)",
    )
    option("--check", action="store_true", help="exit with 1 if the start got worse")
    option(
        "--save-baseline", action="store_true", help="keep this ratio as the one to compare with"
    )
    option("--out", type=Path, default=tools.BUILT, help="where results go (%(default)s)")
    option("--smoke", action="store_true", help="two starts of the jar, and nothing else")
    parsed = parser.parse_args(arguments)
    if parsed.smoke:
        parsed.starts, parsed.load_seconds, parsed.skip_hello = 2, 0, True
    if parsed.starts < 2:
        parser.error("--starts must be 2 or more")
    if parsed.load_seconds < 0:
        parser.error("--load-seconds must not be negative")
    return parsed


def environment_of(database):
    return {
        "QUARKUS_HTTP_HOST": "127.0.0.1",
        "QUARKUS_LOG_CATEGORY__DEV_SEATFAST_DECISIONS__LEVEL": "WARN",
        **database.for_services(),
    }


def measure_starts(found, count, environment, folder):
    """In turn, in alternating order; the first round only brings the files into memory."""
    name = f"cold-{int(time.time()):x}"
    for round_number in range(count + 1):
        in_order = found if round_number % 2 == 0 else reversed(found)
        for number, candidate in enumerate(in_order):
            workshop = f"{name}-{round_number}-{number}"
            measured = starts.start(candidate, environment, workshop, folder / "candidate.log")
            if round_number > 0:
                candidate.starts.append(measured)
        print(f"\rround {round_number} of {count}", end="", flush=True)
    print()


def measure_load(candidate, seconds, database, environment, folder):
    run = f"load-{time.time_ns():x}"
    hot = workloads.workloads(run)["hot"]
    asked = hot if candidate.ours else workloads.Workload("hello", ("200 GET /hello",))
    database.sql(
        "INSERT INTO seatfast.seat_pool (pool_key, capacity)"
        f" VALUES ('w:{hot.counted}', {services.PLENTY});"
    )

    def put_under_load(process, port):
        service = services.Service(candidate.name, [(process, port)])
        load.against(service, asked, LOAD_CONNECTIONS, seconds, 1)
        candidate.loaded_mb = starts.memory_mb(process.pid)["rss_mb"]

    print(f"{seconds} s of load on {candidate.name}", flush=True)
    starts.start(candidate, environment, f"first-{run}", folder / "candidate.log", put_under_load)


def measure(found, arguments, folder):
    """Measures all candidates, and returns how much of the machine other programs used."""
    database = Database(folder, arguments.jar)
    try:
        environment = environment_of(database)
        if arguments.closed:
            ours = [candidate for candidate in found if candidate.ours]
            token = starts.make_token(ours[0], environment)
            found += [candidate.closed(token) for candidate in ours]
        watch = processes.Watch(lambda: database.pids() + database.keeper_pids())
        measure_starts(found, arguments.starts, environment, folder)
        others = watch.others()
        for candidate in found if arguments.load_seconds else []:
            measure_load(candidate, arguments.load_seconds, database, environment, folder)
    finally:
        database.stop()
    return others


def main(arguments=None):
    arguments = parse_arguments(arguments)
    tools.require("java", "psql")
    if arguments.load_seconds:
        tools.require("cc")
    if not (arguments.jar / "quarkus-run.jar").exists():
        sys.exit("There is nothing to measure; run ./mvnw package first")
    found = starts.candidates(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user
        others = measure(found, arguments, folder)
    cold_start_report.report(found, others, arguments)
