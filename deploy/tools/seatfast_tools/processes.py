"""Starts the service, waits until it is ready, and stops it."""

import os
import signal
import socket
import subprocess
from pathlib import Path

from .client import Client, NoAnswer
from .waiting import Deadline

ROOT = Path(__file__).resolve().parents[3]
PACKAGED_JAR = ROOT / "target/quarkus-app/quarkus-run.jar"
READY_SECONDS_MAX = 120
STOP_SECONDS_MAX = 30
LOG_CHARACTERS_SHOWN = 2000


class DidNotStart(Exception):
    """A program that ended, or did not answer in time; the message has the end of its log."""


def free_port():
    """A TCP port of the loopback address that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def embedded_database(folder):
    """The settings of a service that runs an embedded PostgreSQL below the folder."""
    return {"SEATFAST_EMBEDDED_DATABASE": "true", "SEATFAST_EMBEDDED_DATABASE_DIR": str(folder)}


class Service:
    """A program that serves HTTP on a free port of the loopback address.

    It runs from the constructor on, in a process group of its own, until `stop` or the end of a
    `with` block. Its settings replace those that this process has for Quarkus and Seatfast, so that
    the caller's environment changes nothing. `log` is the file that its output goes to.
    """

    def __init__(self, command, settings, log, folder=ROOT, port=None):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = Path(log)
        inherited = {
            k: v for k, v in os.environ.items() if not k.startswith(("QUARKUS_", "SEATFAST_"))
        }
        address = {"QUARKUS_HTTP_HOST": "127.0.0.1", "QUARKUS_HTTP_PORT": str(self.port)}
        with open(self.log, "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                cwd=folder,
                env={**inherited, **address, **settings},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until_ready(self, path="/q/health/ready", seconds=READY_SECONDS_MAX):
        """Returns itself once the path answers 200; raises DidNotStart."""
        deadline = Deadline(seconds)
        client = Client(self.url, deadline=deadline)
        reason = "no answer"
        for _ in deadline.rounds(pause=0.1, growth=1.0):
            try:
                answer = client.call("GET", path)
                if answer.status == 200:
                    return self
                reason = str(answer)
            except NoAnswer as fault:
                reason = str(fault)
            if self.process.poll() is not None:
                reason = f"it ended with exit code {self.process.returncode}"
                break
        raise DidNotStart(f"{self.url}{path} is not ready: {reason}\n{self.end_of_log()}")

    def end_of_log(self):
        return self.log.read_text(encoding="utf-8", errors="replace")[-LOG_CHARACTERS_SHOWN:]

    def stop(self, seconds=STOP_SECONDS_MAX):
        """Asks the process to end, so that its embedded PostgreSQL ends too; kills both if it does not."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()


def packaged_service(database, log, port=None, **settings):
    """The packaged jar (./mvnw package) on an embedded PostgreSQL in the folder `database`."""
    command = ["java", "-jar", PACKAGED_JAR]
    return Service(command, {**embedded_database(database), **settings}, log, port=port)
