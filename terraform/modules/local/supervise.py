#!/usr/bin/env python3
"""Keeps one local service alive: one supervisor per folder, one service per supervisor.

    supervise.py start     replaces whatever runs for the folder, and waits until it is ready
    supervise.py stop      stops it; nothing to stop is fine

SEATFAST_LOCAL holds the settings as JSON: directory, command, environment, port, ready_seconds, and
replaces (which run this one takes over from). The folder gets run.json (who runs), service.log and
supervisor.lock, which the supervisor holds as long as it lives, however it ends.

Needs Python 3.9 or newer on Linux or macOS, and nothing else.
"""

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

STOP_SECONDS_MAX = 30  # the service itself gives its requests ten
RESTART_PAUSES_SECONDS = (0.5, 1, 2, 5, 10, 30)
LONG_RUN_SECONDS = 60  # after which a crash counts as the first one
HOPELESS_EXITS = (
    2,
    3,
    4,
)  # a setting, a deleted namespace, a schema: starting again changes nothing
LOG_BYTES_MAX = 10_000_000
LOG_LINES_SHOWN = 5


class Fault(Exception):
    """What the person at the terminal must know."""


class Folder:
    """The files of one service."""

    def __init__(self, path):
        self.path = Path(path)
        self.run_file = self.path / "run.json"
        self.log_file = self.path / "service.log"
        self.lock_file = self.path / "supervisor.lock"

    def lock(self):
        """The supervisor's lock, or None if another process holds it."""
        handle = open(self.lock_file, "a")  # noqa: SIM115, the lock lives as long as the handle
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except OSError:
            handle.close()
            return None

    def run(self):
        try:
            return json.loads(self.run_file.read_text())
        except (OSError, ValueError):
            return {}

    def write_run(self, run):
        unfinished = self.run_file.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(run) + "\n")
        unfinished.replace(self.run_file)  # whole or not at all

    def last_words(self):
        try:
            lines = self.log_file.read_text(errors="replace").splitlines()
        except OSError:
            return ""
        return "\n".join("  " + line[:300] for line in lines[-LOG_LINES_SHOWN:])


def started_at(pid):
    """When a process started, so that its number given to another one is noticed; None if it is gone."""
    try:
        # Linux: the 22nd field, in clock ticks; the name before may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return None if fields[0] == "Z" else fields[19]  # a zombie no longer runs
    except (OSError, IndexError):
        pass
    shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True)
    return shown.stdout.strip() or None


def is_running(process):
    return bool(process) and started_at(process["pid"]) == process["started"]


def end(process, what):
    """Stops a process that is still the one we mean: gently, then not."""
    for sign, seconds in ((signal.SIGTERM, STOP_SECONDS_MAX), (signal.SIGKILL, 5)):
        deadline = time.monotonic() + seconds
        while is_running(process):
            try:
                os.kill(process["pid"], sign)
            except ProcessLookupError:
                return
            if time.monotonic() > deadline:
                break
            time.sleep(0.2)
        if not is_running(process):
            return
    raise Fault(f"The {what} (process {process['pid']}) does not end")


def stop(folder):
    """The supervisor first, or it would start the service again; then a service it left behind."""
    run = folder.run()
    if run:
        end(run.get("supervisor"), "supervisor")
        end(run.get("service"), "service")
    deadline = time.monotonic() + STOP_SECONDS_MAX
    lock = folder.lock()
    while lock is None:
        # One that has not written who it is yet.
        if time.monotonic() > deadline:
            raise Fault(f"Another supervisor holds {folder.lock_file}")
        time.sleep(0.2)
        run = folder.run()
        end(run.get("supervisor"), "supervisor")
        end(run.get("service"), "service")
        lock = folder.lock()
    lock.close()


def require_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as fault:
            raise Fault(
                f"Port {port} can't be used: {fault.strerror}. Something else listens there; stop it,"
                " or choose another port."
            ) from None


def start(folder, settings):
    terraform = os.getppid()
    folder.path.mkdir(parents=True, exist_ok=True)
    stop(folder)
    require_free(settings["port"])
    supervisor = detach(folder, settings)
    wait_until_ready(folder, settings, supervisor, terraform)


def detach(folder, settings):
    """The supervisor outlives Terraform, so it has a session and files of its own."""
    with open(folder.log_file, "ab") as log:
        return subprocess.Popen(
            [sys.executable, __file__, "supervise"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder.path,
            start_new_session=True,
            env={**os.environ, "SEATFAST_LOCAL": json.dumps(settings)},
        )


def wait_until_ready(folder, settings, supervisor, terraform):
    url = f"http://127.0.0.1:{settings['port']}/q/health/ready"
    deadline = time.monotonic() + settings["ready_seconds"]
    while time.monotonic() < deadline:
        if os.getppid() != terraform:
            # Nobody will know that this service is there, and the next apply would find it changing.
            stop(folder)
            raise Fault("The apply was interrupted; the service was stopped")
        if supervisor.poll() is not None:
            raise Fault(
                f"The service does not start. The end of {folder.log_file}:\n{folder.last_words()}"
            )
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (OSError, urllib.error.URLError):
            pass
        time.sleep(0.2)
    stop(folder)
    raise Fault(
        f"The service was not ready after {settings['ready_seconds']} seconds, and was stopped."
        f" The end of {folder.log_file}:\n{folder.last_words()}"
    )


def supervise(folder, settings):
    lock = folder.lock()
    if lock is None:
        raise Fault(f"Another supervisor holds {folder.lock_file}")
    os.set_inheritable(lock.fileno(), False)  # or a service left behind would keep it
    stopping = []
    service = None

    def on_stop(number, frame):
        stopping.append(number)
        if service is not None:
            service.terminate()

    signal.signal(signal.SIGTERM, on_stop)
    run = {
        "id": str(uuid.uuid4()),
        "replaces": settings["replaces"],
        "supervisor": {"pid": os.getpid(), "started": started_at(os.getpid())},
    }
    crashes = 0
    while not stopping:
        begun = time.monotonic()
        limit_log(folder)
        service = subprocess.Popen(
            settings["command"], env={**os.environ, **settings["environment"]}
        )
        run["service"] = {"pid": service.pid, "started": started_at(service.pid)}
        folder.write_run(run)
        if stopping:
            service.terminate()
        code = service.wait()
        if stopping:
            break
        if code in HOPELESS_EXITS:
            sys.exit(code)
        crashes = 1 if time.monotonic() - begun > LONG_RUN_SECONDS else crashes + 1
        pause = RESTART_PAUSES_SECONDS[min(crashes, len(RESTART_PAUSES_SECONDS)) - 1]
        print(
            f"supervisor: the service ended with {code}; starting it again in {pause} s", flush=True
        )
        time.sleep(pause)


def limit_log(folder):
    """Keeps the newer half, between two runs, when no other process has the file open."""
    if folder.log_file.exists() and folder.log_file.stat().st_size > LOG_BYTES_MAX:
        with open(folder.log_file, "r+b") as log:
            log.seek(-LOG_BYTES_MAX // 2, os.SEEK_END)
            newer = log.read()
            log.seek(0)
            log.write(newer)
            log.truncate()


def main():
    try:
        settings = json.loads(os.environ.pop("SEATFAST_LOCAL"))
        folder = Folder(settings["directory"])
        action = {
            "start": lambda: start(folder, settings),
            "stop": lambda: stop(folder) if folder.path.is_dir() else None,
            "supervise": lambda: supervise(folder, settings),
        }[sys.argv[1]]
    except (KeyError, IndexError, ValueError):
        sys.exit(__doc__)
    try:
        action()
    except Fault as fault:
        sys.exit(f"seatfast: {fault}")


if __name__ == "__main__":
    main()
