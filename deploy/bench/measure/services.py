"""The services that are measured: how each is started, and what runs."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from . import processes, tools

TOKEN = "bench"
PLENTY = 1_000_000_000  # seats

# An instance that serves one request at a time, as deploy/lambda/README.md sets it up.
ONE_REQUEST_AT_A_TIME = {
    "QUARKUS_DATASOURCE_JDBC_MAX_SIZE": "1",
    "SEATFAST_BATCH_TRANSACTIONS_MAX": "1",
}


@dataclass(frozen=True)
class Program:
    """A build of Seatfast, and how it is set up."""

    name: str
    command: tuple
    settings: dict = field(default_factory=dict)
    warms_up: bool = False  # it is on a JVM, whose compiler works for the first half minute
    instances_max: int = 64  # that fit into this machine

    def with_settings(self, name, settings):
        return Program(
            name, self.command, {**self.settings, **settings}, self.warms_up, self.instances_max
        )


def on_jvm(name, jar, settings=None):
    command = ("java", "-jar", str(Path(jar) / "quarkus-run.jar"))
    return Program(name, command, settings or {}, warms_up=True, instances_max=4)


def native(name, executable, settings=None):
    return Program(name, (str(executable),), settings or {})


class Service:
    """Instances of one program, and what they need to be measured together."""

    def __init__(self, name, instances, api="/api", capacity_method="PUT"):
        self.name = name
        self._instances = instances  # (process, port)
        self._api, self._capacity_method = api, capacity_method

    @property
    def ports(self):
        return [port for _, port in self._instances]

    def first(self, count):
        """Some of its instances, as a service of their own."""
        return Service(self.name, self._instances[:count], self._api, self._capacity_method)

    def pids(self):
        return [pid for process, _ in self._instances for pid in processes.descendants(process.pid)]

    def stop(self):
        for process, _ in self._instances:
            process.stop()

    def set_capacity(self, workshop, seats=PLENTY):
        path = f"{self._api}/workshops/{workshop}/capacity"
        self._request(self._capacity_method, path, {"capacity": seats}, {200})

    def reserve(self, workshop, request_id, seats):
        body = {"requestId": request_id, "seats": seats}
        self._request("POST", f"/workshops/{workshop}/reservations", body, {201, 409})

    def status(self, workshop):
        return self._request("GET", f"/workshops/{workshop}/status", None, {200})

    def _request(self, method, path, body, expected):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.ports[0]}{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            status, text = refused.code, refused.read()
        if status not in expected:
            sys.exit(f"{self.name}: {method} {path} was answered {status} {text[:500]}")
        return json.loads(text)


def migrate(program, database):
    """Brings the schema of a program into the database, if it is another one than the keeper's."""
    environment = {**database.for_clients(), **database.for_services(), **program.settings}
    done = subprocess.run(
        [*program.command, "migrate"], env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{program.name} could not migrate:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def start(program, database, folder, count=1):
    """Starts instances of a program, and returns when all of them are ready."""
    settings = {
        "QUARKUS_HTTP_HOST": "127.0.0.1",
        "QUARKUS_LOG_CATEGORY__DEV_SEATFAST_DECISIONS__LEVEL": "WARN",
        "SEATFAST_INTERNAL_TOKEN": TOKEN,
        "SEATFAST_SWEEP_EVERY": "off",
        **database.for_services(),
        **program.settings,
    }
    instances = []
    for number in range(count):
        port = processes.free_port()
        process = processes.Process(
            program.command,
            folder / f"{program.name}-{number}.log",
            {**as_older_versions_say(settings), "QUARKUS_HTTP_PORT": str(port)},
        )
        instances.append((process, port))
    for process, port in instances:
        process.await_answer(f"http://127.0.0.1:{port}/q/health/ready")
    return Service(program.name, instances)


BASELINE_PREFIX = os.environ.get("BASELINE_SETTINGS", "SEATFAST")


def as_older_versions_say(settings, prefix=BASELINE_PREFIX):
    """Adds every setting under the prefix that an older version may have for its settings."""
    older = {
        name.replace("SEATFAST_", f"{prefix}_", 1): value
        for name, value in settings.items()
        if "SEATFAST_" in name
    }
    return {**older, **settings}


def start_workerd(folder, slow_flush=False):
    """Starts the other classic design: one object per workshop, with a SQLite database each."""
    port = processes.free_port()
    name = "workerd-slow" if slow_flush else "workerd"
    storage = folder / name
    storage.mkdir(exist_ok=True)
    process = processes.Process(
        [
            tools.workerd(),
            "serve",
            tools.BENCH / "workerd/config.capnp",
            f"--socket-addr=http=127.0.0.1:{port}",
            f"--directory-path=storage={storage}",
        ],
        folder / f"{name}.log",
        {"LD_PRELOAD": str(tools.slow_flush_library())} if slow_flush else {},
    )
    process.await_answer(f"http://127.0.0.1:{port}/health")
    return Service("workerd", [(process, port)], api="", capacity_method="POST")
