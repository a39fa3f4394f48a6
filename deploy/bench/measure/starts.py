"""What can be started, and one start of it: from a new process to its first answer."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from . import processes, tools

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 20
POLL_SECONDS = 0.001
HELLO = "hello-world"
NATIVE = "native"


class Candidate:
    """Something to start, and what to ask it."""

    def __init__(self, name, command, ours=True, folder=tools.ROOT):
        self.name, self.command = name, [str(part) for part in command]
        self.ours, self.folder = ours, folder
        self.settings, self.token = {}, None
        self.starts = []
        self.loaded_mb = None

    def closed(self, token):
        """The same once more, asking for credentials; its first request brings this token."""
        twin = Candidate(f"{self.name}, closed", self.command, folder=self.folder)
        twin.settings, twin.token = {"SEATFAST_ACCESS": "tokens"}, token
        return twin

    def _credential(self):
        return f"Authorization: Bearer {self.token}\r\n" if self.token else ""

    def request(self, workshop):
        """The bytes of the first request, and the status that it must get."""
        if not self.ours:
            return b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"
        body = b'{"requestId":"first","seats":1}'
        head = (
            f"POST /workshops/{workshop}/reservations HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Length: {len(body)}\r\n"
            f"{self._credential()}\r\n"
        )
        return head.encode() + body, b"201"


# --- candidates


def _existing(path):
    return path.resolve() if path.exists() else sys.exit(f"There is no {path}")


def _native_executable(given):
    if given:
        return _existing(given)
    found = sorted((tools.ROOT / "target").glob("*-runner"))
    return found[0] if found else None


def _hello_executable(given):
    """Built by the same Maven with the same options as ours (MAVEN_ARGS), unless it was before."""
    if given:
        return _existing(given)
    built = tools.BENCH / "hello/target/hello-0.1.0-SNAPSHOT-runner"
    if not built.exists():
        pom = (tools.ROOT / "pom.xml").read_text()
        version = re.search(r"<quarkus.platform.version>(.+?)<", pom).group(1)
        print("Building hello-world, which takes some minutes", flush=True)
        command = [tools.ROOT / "mvnw", "-q", "-B", "-ntp", "-f", tools.BENCH / "hello/pom.xml"]
        command += ["package", "-Dnative", f"-Dquarkus.platform.version={version}"]
        subprocess.run(command, cwd=tools.ROOT, check=True)
    return built


def _java_version(java):
    said = tools.first_line(java, "-version")
    found = re.search(r'version "(\d+)', said)
    return found.group(1) if found else sys.exit(f"{java} is no Java: {said}")


def _on_java(java, jar, cached_jar):
    """The plain jar and, if deploy/jvm/make-cache made a cache for this Java, its jar with that."""
    version = _java_version(java)
    yield Candidate(f"Java {version}", [java, "-jar", jar.resolve() / "quarkus-run.jar"])
    for option, name in (
        ("AOTCache", f"java-{version}.aot"),
        ("SharedArchiveFile", f"java-{version}.jsa"),
    ):
        if (cached_jar / name).exists():
            # From inside its folder: a cache knows its jar by the path that it was made with.
            command = [java, f"-XX:{option}={name}", "-jar", "quarkus-run.jar"]
            yield Candidate(f"Java {version}, {option}", command, folder=cached_jar)


def candidates(arguments):
    found = []
    native = None if arguments.smoke else _native_executable(arguments.native)
    if native:
        found.append(Candidate(NATIVE, [native]))
    if (native or arguments.hello) and not arguments.skip_hello:
        found.append(Candidate(HELLO, [_hello_executable(arguments.hello)], ours=False))
    for java in arguments.java or ["java"]:
        found += _on_java(java, arguments.jar, arguments.cached_jar)
    return found


def make_token(candidate, environment):
    """Makes an API token as an operator does, with one of ours."""
    made = subprocess.run(
        [*candidate.command, "tokens", "create", "--scope", "reserve"],
        cwd=candidate.folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if made.returncode != 0:
        sys.exit(f"{candidate.name} made no token:\n{made.stderr[-2000:]}")
    return made.stdout.strip()


# --- one start


class FailedError(Exception):
    """A start that did not answer as it should."""


def _cpu_ms(pid):
    """What the process has used, ended threads included, to the nanosecond.

    The number of the clock is that of clock_getcpuclockid(3).
    """
    return time.clock_gettime((~pid << 3) | 2) * 1000


def memory_mb(pid):
    """Resident now, at its highest, and with shared pages by share; in millions of bytes."""
    found = {}
    for name in ("status", "smaps_rollup"):
        for line in Path(f"/proc/{pid}/{name}").read_text().splitlines():
            key, _, value = line.partition(":")
            if key in ("VmRSS", "VmHWM", "Pss"):
                found[key] = int(value.split()[0]) * 1024 / 1e6
    return {"rss_mb": found["VmRSS"], "peak_mb": found["VmHWM"], "pss_mb": found["Pss"]}


def _connect(port, process, deadline):
    """Connects as soon as the process listens."""
    while time.monotonic() < deadline:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS_MAX)
        except ConnectionRefusedError:
            if process.poll() is not None:
                raise FailedError(f"it ended with {process.returncode}") from None
            time.sleep(POLL_SECONDS)
    raise FailedError(f"no open port after {START_SECONDS_MAX} s")


def _status_of(connection):
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = connection.recv(65536)
        if not part:
            break
        answer += part
    return answer[9:12]


def _first_answer(candidate, process, port, workshop, begin):
    sent, wanted = candidate.request(workshop)
    with _connect(port, process, begin + START_SECONDS_MAX) as connection:
        opened = time.monotonic()
        connection.sendall(sent)
        status = _status_of(connection)
        answered = time.monotonic()
    if status != wanted:
        raise FailedError(f"it answered {status.decode()!r}")
    return {"open_ms": (opened - begin) * 1000, "answer_ms": (answered - begin) * 1000}


def _launch(candidate, port, environment, log):
    return subprocess.Popen(
        candidate.command,
        cwd=candidate.folder,
        env={
            **os.environ,
            **environment,
            **candidate.settings,
            "QUARKUS_HTTP_PORT": str(port),
        },
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start(candidate, environment, workshop, log_path, then=lambda process, port: None):
    """Starts a candidate, asks once, measures it, calls `then` and stops it."""
    port = processes.free_port()
    with open(log_path, "w") as log:
        begin = time.monotonic()
        process = _launch(candidate, port, environment, log)
        try:
            measured = _first_answer(candidate, process, port, workshop, begin)
            measured["cpu_ms"] = _cpu_ms(process.pid)
            measured.update(memory_mb(process.pid))
            then(process, port)
            return measured
        except (FailedError, OSError) as fault:
            sys.exit(f"{candidate.name}: {fault}\n{Path(log_path).read_text()[-2000:]}")
        finally:
            _stop(process)
