"""Runs candidates in turn, and keeps what was measured."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from . import load, processes, services, workloads

# For each workload: until then the JVM's compiler takes as much of the machine as the service.
JVM_WARM_UP_SECONDS = {"hot": 12, "spread": 12, "status": 4}
# A native executable is as fast at once, but opens its connections when they are first needed.
NATIVE_WARM_UP_SECONDS = {"hot": 1}
WARM_UP_CONNECTIONS = 256
PGBENCH_CONNECTIONS_MAX = 64  # it keeps a connection of the server for each


@dataclass(frozen=True)
class Settings:
    seconds: float
    repeats: int
    connections: tuple = (1, 16, 64, 256)
    universe: int = 1000  # workshops of "spread", ids of "replay"
    many_attempts: int = 1_000_000
    fleets: tuple = (1, 4, 16, 64)  # instances with one request at a time
    warms_up: bool = True
    one_by_one: bool = True
    others: tuple = ("workerd", "pgbench")


@dataclass(frozen=True)
class Candidate:
    name: str
    work: Callable  # measures once and returns a load.Result
    pids: Callable  # of the service; the database is watched anyway
    counts: Callable | None = None  # what the service has accepted and rejected so far
    more: dict = field(default_factory=dict)  # to be kept with the samples


class Bench:
    def __init__(self, settings, programs, database, folder):
        self.settings, self.database, self.folder = settings, database, folder
        self.programs = programs  # by name; the first is the one that the others are compared with
        self.run = format(int(time.time()), "x")
        self.workloads = workloads.workloads(self.run)
        self.samples = []
        self._running = {}  # by what they were started for
        self._prepared = set()

    # --- what runs

    def program(self, name):
        """One instance of a program, ready to be measured."""
        if name not in self._running:
            program = self.programs[name]
            self._running[name] = services.start(program, self.database, self.folder)
            self._make_ready(program, self._running[name], WARM_UP_CONNECTIONS)
        return self._running[name]

    def subject(self):
        return self.program(next(iter(self.programs)))

    def workerd(self, slow_flush=False):
        name = "workerd, slow" if slow_flush else "workerd"
        if name not in self._running:
            self._running[name] = services.start_workerd(self.folder, slow_flush)
            workloads.prepare(self._running[name], self.run, self.settings.universe)
        return self._running[name]

    def fleet(self, name, count, settings, connections):
        """Instances of a program with settings of their own, warmed up by so many connections."""
        program = self.programs[name].with_settings(f"{name}-fleet", settings)
        fleet = services.start(program, self.database, self.folder, count)
        self._running[program.name] = fleet
        self._make_ready(program, fleet, connections)
        return fleet

    def _make_ready(self, program, service, connections):
        schema = program.settings.get("SEATFAST_NAMESPACE", "")
        if schema not in self._prepared:
            workloads.prepare(service, self.run, self.settings.universe)
            self._prepared.add(schema)
        if self.settings.warms_up:
            warm_up = JVM_WARM_UP_SECONDS if program.warms_up else NATIVE_WARM_UP_SECONDS
            for workload, seconds in warm_up.items():
                self._load(service, workload, connections, seconds)

    def stop(self):
        for service in reversed(self._running.values()):
            service.stop()
        self._running.clear()

    # --- candidates

    def _load(self, service, workload, connections, seconds, rate=None):
        found = self.workloads[workload]
        return load.against(service, found, connections, seconds, self.settings.universe, rate)

    def by_load(self, service, workload, connections, name=None, rate=None):
        counted = self.workloads[workload].counted
        return Candidate(
            name or service.name,
            lambda: self._load(service, workload, connections, self.settings.seconds, rate),
            service.pids,
            (lambda: service.status(counted)) if counted else None,
            {"rate": rate} if rate else {},
        )

    def by_pgbench(self, script, connections, **variables):
        return Candidate(
            "pgbench",
            lambda: load.pgbench(
                self.database,
                self.folder,
                script,
                connections,
                self.settings.seconds,
                **variables,
            ),
            list,
        )

    # --- measurements

    def compare(self, scenario, case, candidates):
        """Measures each candidate in turn, as often as there are repeats; the order alternates.

        `case` is what sets the rows of one scenario apart, such as a number of connections.
        """
        for repeat in range(self.settings.repeats):
            for candidate in candidates if repeat % 2 == 0 else reversed(candidates):
                sample = {
                    "scenario": scenario,
                    "case": case,
                    "candidate": candidate.name,
                    "repeat": repeat,
                    **self._measure(candidate),
                    **candidate.more,
                }
                self.samples.append(sample)
                print(
                    f"{scenario:<14} {case:>16}  {candidate.name:<12}"
                    f" {sample['per_second']:>8.0f}/s  p99 {sample['p99_us'] / 1000:>8.2f} ms",
                    flush=True,
                )

    def _measure(self, candidate):
        service, database = candidate.pids(), self.database.pids()
        before = processes.cpu_seconds(service), processes.cpu_seconds(database)
        counts_before = candidate.counts() if candidate.counts else None
        watch = processes.Watch(lambda: service + database)
        result = candidate.work()
        others = watch.others()
        service = sorted({*service, *candidate.pids()})
        database = sorted({*database, *self.database.pids()})
        service_cpu = processes.cpu_seconds(service) - before[0]
        database_cpu = processes.cpu_seconds(database) - before[1]
        miscounted = 0
        if counts_before:
            miscounted = miscount(counts_before, candidate.counts(), result.statuses)
        each = 1e6 / max(1, result.requests)
        return {
            "per_second": result.per_second,
            **{f"{name}_us": value for name, value in result.latency_us.items()},
            "service_cpu_us": service_cpu * each,
            "database_cpu_us": database_cpu * each,
            "generator_cpu_us": result.generator_cpu_seconds * each,
            "generator_late_us": result.late_us,
            "others": others,
            "memory_mib": processes.memory_mib(service),
            "requests": result.requests,
            "failed": result.failed,
            "miscounted": miscounted,
        }


def miscount(before, after, statuses):
    """How many answers the service has not counted, or counted without giving one."""
    accepted = after["acceptedRequests"] - before["acceptedRequests"]
    rejected = after["rejectedRequests"] - before["rejectedRequests"]
    return abs(accepted - statuses.get(201, 0)) + abs(rejected - statuses.get(409, 0))
