"""Load generators, and what each says of one run."""

import json
import secrets
import subprocess
import sys
import time
from dataclasses import dataclass, field

from . import processes, tools

OPEN_CONNECTIONS = 256


@dataclass(frozen=True)
class Result:
    per_second: float
    requests: int  # all that were answered
    latency_us: dict  # p50, p90, p99, p999, max
    late_us: dict | None  # how late the generator itself was, if it knows
    generator_cpu_seconds: float
    failed: int = 0
    statuses: dict = field(default_factory=dict)


def against(service, workload, connections, seconds, universe, rate=None):
    """Sends a workload to a service.

    Without a rate each connection sends again as soon as it is answered. With one, that many
    sequences of requests begin in a second, at random moments.
    """
    _, priority = processes.generator_priority()
    command = [*priority, tools.load_generator()]
    for port in service.ports:
        command += ["--target", port]
    for step in workload.steps:
        command += ["--step", step]
    if workload.capture:
        command += ["--capture", workload.capture]
    if rate:
        command += ["--rate", rate]
    command += ["--connections", connections, "--seconds", seconds, "--universe", universe]
    command += ["--unique", f"r{secrets.token_hex(4)}-"]
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    said = json.loads(done.stdout)
    return Result(
        per_second=said["in_time"] / said["seconds"],
        requests=said["answered"],
        latency_us=said["latency_us"],
        late_us=said["late_us"],
        generator_cpu_seconds=said["cpu_seconds"],
        failed=said["failed"],
        statuses={int(status): count for status, count in said["statuses"].items()},
    )


def pgbench(database, folder, script, connections, seconds, **variables):
    """Runs a script on PostgreSQL. Percentiles come from the log, because its summary has none."""
    _, priority = processes.generator_priority()
    prefix = folder / "transactions"
    command = [*priority, "pgbench", "-n", "-M", "prepared", "-c", str(connections), "-j", "1"]
    command += ["-T", str(max(1, round(seconds))), "-f", str(tools.BENCH / "sql" / script)]
    command += ["-l", f"--log-prefix={prefix}"]
    for name, value in variables.items():
        command += ["-D", f"{name}={value}"]
    began, cpu = time.monotonic(), processes.own_cpu_seconds()
    done = subprocess.run(
        command,
        env=database.for_clients(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    elapsed, cpu = time.monotonic() - began, processes.own_cpu_seconds() - cpu
    latencies = []
    for log in folder.glob("transactions.*"):
        latencies += [int(line.split()[2]) for line in log.read_text().splitlines()]
        log.unlink()
    if done.returncode != 0 or not latencies:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}")
    rates = [
        float(line.split()[2]) for line in done.stdout.splitlines() if line.startswith("tps = ")
    ]
    return Result(
        per_second=rates[0] if rates else len(latencies) / elapsed,
        requests=len(latencies),
        latency_us=percentiles(sorted(latencies)),
        late_us=None,
        generator_cpu_seconds=cpu,
    )


def percentiles(in_order):
    def at(share):
        return in_order[min(len(in_order) - 1, int(len(in_order) * share))]

    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
    return {**{name: at(share) for name, share in shares.items()}, "max": in_order[-1]}
