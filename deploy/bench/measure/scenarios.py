"""The scenarios: which candidates are measured side by side, with which load."""

from . import load
from .bench import PGBENCH_CONNECTIONS_MAX
from .services import ONE_REQUEST_AT_A_TIME

ONE_BY_ONE = "one-by-one"
OPEN_SHARE = 0.7  # of what the closed loop gets through
OPEN_MAXIMUM_CONNECTIONS = 64
OPEN_WORKLOADS = (
    "hot",
    "sold-out",
    "spread",
    "zipf",
    "new-workshops",
    "replay",
    "replay-one",
    "status",
    "hold-confirm",
)


def _connections(count):
    return f"{count} connection" + ("s" if count > 1 else "")


def _side_by_side(bench, workload, connections, pgbench=None, **variables):
    """All programs, workerd and a script of pgbench, with each number of connections in turn."""
    for count in connections:
        candidates = [
            bench.by_load(bench.program(name), workload, count)
            for name in bench.programs
            if name != ONE_BY_ONE or workload == "hot"
        ]
        if "workerd" in bench.settings.others:
            candidates.append(bench.by_load(bench.workerd(), workload, count))
        if pgbench and "pgbench" in bench.settings.others and count <= PGBENCH_CONNECTIONS_MAX:
            candidates.append(bench.by_pgbench(pgbench, count, **variables))
        bench.compare(workload, _connections(count), candidates)


def hot(bench):
    """One workshop that has seats for everybody."""
    workshop = f"hot-{bench.run}"
    _side_by_side(bench, "hot", bench.settings.connections, "hot.sql", workshop=workshop)
    if "pgbench" in bench.settings.others and bench.settings.connections[-1] > 8:
        for count in (4, 8):  # where its best number of connections may lie
            candidate = bench.by_pgbench("hot.sql", count, workshop=workshop)
            bench.compare("hot", _connections(count), [candidate])


def sold_out(bench):
    """One workshop without seats."""
    workshop = f"full-{bench.run}"
    _side_by_side(bench, "sold-out", bench.settings.connections, "hot.sql", workshop=workshop)


def spread(bench):
    """A thousand workshops, each as likely as the others."""
    universe = bench.settings.universe
    _side_by_side(bench, "spread", bench.settings.connections, "spread.sql", universe=universe)


def zipf(bench):
    """A thousand workshops, the n-th of them 1/n as likely as the first."""
    _side_by_side(bench, "zipf", bench.settings.connections)


def new_workshops(bench):
    """Every request is the first one of its workshop."""
    _side_by_side(bench, "new-workshops", bench.settings.connections, "new-workshops.sql")


def replay(bench):
    """One of a thousand requests that were decided before, again."""
    universe = bench.settings.universe
    _side_by_side(bench, "replay", bench.settings.connections, "replay.sql", universe=universe)


def replay_one(bench):
    """The same request by everybody."""
    _side_by_side(bench, "replay-one", bench.settings.connections, "replay.sql", universe=1)


def status(bench):
    """The counts of a workshop."""
    _side_by_side(bench, "status", bench.settings.connections, "status.sql", workshop="replay")


def status_by_size(bench):
    """The counts of a workshop with a million attempts, beside those of one with a thousand."""
    bench.database.run_file("many-attempts.sql", attempts=bench.settings.many_attempts)
    service = bench.subject()
    few = bench.by_load(service, "status", 16, f"{bench.settings.universe:,} attempts")
    many = bench.by_load(service, "status-many", 16, f"{bench.settings.many_attempts:,} attempts")
    bench.compare("status-by-size", _connections(16), [few, many])


def hold_confirm(bench):
    """A slot is held and then confirmed; each of the two counts as a request."""
    _side_by_side(bench, "hold-confirm", bench.settings.connections)


def open_loop(bench):
    """Arrivals at random, at 70 % of what the same candidate gets through in a closed loop."""
    services = [bench.program(name) for name in bench.programs if name != ONE_BY_ONE]
    if "workerd" in bench.settings.others:
        services.append(bench.workerd())
    for workload in OPEN_WORKLOADS:
        steps = len(bench.workloads[workload].steps)
        candidates = []
        for service in services:
            most = bench.by_load(service, workload, OPEN_MAXIMUM_CONNECTIONS).work()
            rate = max(1, round(OPEN_SHARE * most.per_second / steps))
            candidates.append(bench.by_load(service, workload, load.OPEN_CONNECTIONS, rate=rate))
        bench.compare(f"open {workload}", "70 %", candidates)


def _fleet_names(bench, instances):
    return [
        name
        for name, program in bench.programs.items()
        if name != ONE_BY_ONE and instances <= program.instances_max
    ]


def _beside_fleet(bench, workload, connections, slow_flush=False):
    """What has one process, with as many connections as the fleet has instances."""
    candidates = []
    if "workerd" in bench.settings.others:
        candidates.append(bench.by_load(bench.workerd(slow_flush), workload, connections))
    if "pgbench" in bench.settings.others:
        variables = {
            "hot": {"workshop": f"hot-{bench.run}"},
            "spread": {"universe": bench.settings.universe},
        }
        candidates.append(bench.by_pgbench(f"{workload}.sql", connections, **variables[workload]))
    return candidates


def _fleets(bench, scenario, workloads, sizes, slow_flush=False):
    """Instances with one connection and one request at a time each, as functions have them."""
    bench.stop()  # the database has room for a fleet or for everything else
    fleets = {}
    for name in _fleet_names(bench, 1):
        size = max(count for count in sizes if name in _fleet_names(bench, count))
        fleets[name] = bench.fleet(name, size, ONE_REQUEST_AT_A_TIME, size)
    for workload in workloads:
        for count in sizes:
            candidates = [
                bench.by_load(fleets[name].first(count), workload, count, name)
                for name in _fleet_names(bench, count)
            ]
            candidates += _beside_fleet(bench, workload, count, slow_flush)
            instances = f"{count} instance" + ("s" if count > 1 else "")
            bench.compare(scenario, f"{workload}, {instances}", candidates)
    bench.stop()


def _shared_out(bench, scenario, connections, instances):
    """The same connections to one workshop, through one process and through several."""
    candidates = []
    for name in _fleet_names(bench, instances):
        fleet = bench.fleet(name, instances, {}, connections)
        candidates.append(bench.by_load(fleet.first(1), "hot", connections, name))
        candidates.append(bench.by_load(fleet, "hot", connections, f"{name} x {instances}"))
    bench.compare(scenario, f"hot, {connections} shared", candidates)
    bench.stop()


def fleet(bench):
    """Many instances with one request at a time, on one workshop and on a thousand."""
    sizes = bench.settings.fleets
    _fleets(bench, "fleet", ("hot", "spread"), sizes)
    if max(sizes) >= 4:
        _shared_out(bench, "fleet", 64, 4)


def slow_flush(bench):
    """The same where a flush to disk takes 2 ms longer, as on a network disk."""
    bench.database.slow_flush(True)
    try:
        _fleets(bench, "slow-flush", ("hot", "spread"), bench.settings.fleets, slow_flush=True)
        if max(bench.settings.fleets) >= 4:
            services = [bench.program(name) for name in _fleet_names(bench, 1)]
            candidates = [bench.by_load(service, "hot", 64) for service in services]
            bench.compare("slow-flush", "hot, one process", candidates)
            bench.stop()
    finally:
        bench.database.slow_flush(False)


SCENARIOS = {
    "hot": hot,
    "sold-out": sold_out,
    "spread": spread,
    "zipf": zipf,
    "new-workshops": new_workshops,
    "replay": replay,
    "replay-one": replay_one,
    "status": status,
    "status-by-size": status_by_size,
    "hold-confirm": hold_confirm,
    "open": open_loop,
    "fleet": fleet,
    "slow-flush": slow_flush,
}
