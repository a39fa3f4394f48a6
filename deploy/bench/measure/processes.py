"""Processes: started, watched through /proc, and stopped."""

import functools
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 30


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Process:
    """A server of ours, with everything that it writes in a log file."""

    def __init__(self, command, log, environment=None, folder=None):
        self.log = Path(log)
        self.command = [str(part) for part in command]
        with open(self.log, "w") as output:
            self.process = subprocess.Popen(
                self.command,
                env={**os.environ, **(environment or {})},
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.pid = self.process.pid

    def await_answer(self, url):
        """Waits until `url` answers 200; ends the program with the log's end if it never does."""
        deadline = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(url, timeout=10):
                    return
            except (OSError, urllib.error.HTTPError):
                time.sleep(0.02)
        sys.exit(f"No answer from {url}:\n{self.log.read_text()[-2000:]}")

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.pid, signal.SIGTERM)
            try:
                self.process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                os.killpg(self.pid, signal.SIGKILL)
                self.process.wait()


def descendants(pid):
    """The process and all processes that it has started, directly or not."""
    found, queue = [], [pid]
    while queue:
        current = queue.pop()
        found.append(current)
        try:
            for task in os.listdir(f"/proc/{current}/task"):
                children = Path(f"/proc/{current}/task/{task}/children").read_text()
                queue += map(int, children.split())
        except OSError:
            pass  # it has ended
    return found


def cpu_seconds(pids):
    """What the processes have used, with their children that have ended."""
    total = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += sum(map(int, fields[11:15]))
        except OSError:
            pass  # it has ended, and its parent counts it
    return total / TICKS_PER_SECOND


def memory_mib(pids):
    """What the processes take together; pages that they share are counted once."""
    total = 0
    for pid in pids:
        try:
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            pass  # it has ended
    return total / 1024


def machine_cpu_seconds():
    """What all processors have done since the machine started, and what a hypervisor took."""
    fields = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]))
    idle = fields[3] + fields[4]
    return (sum(fields) - idle) / TICKS_PER_SECOND


def own_cpu_seconds():
    """What this program and its children that have ended have used."""
    used = [resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Watch:
    """How much of the machine processes used that are neither this program nor `server_pids`."""

    def __init__(self, server_pids):
        self.server_pids = server_pids
        self.began = time.monotonic()
        self.machine, self.ours = machine_cpu_seconds(), self._ours()

    def _ours(self):
        return own_cpu_seconds() + cpu_seconds(self.server_pids())

    def others(self):
        """A share of what all cores could have done since the watch began."""
        available = (time.monotonic() - self.began) * os.cpu_count()
        others = machine_cpu_seconds() - self.machine - (self._ours() - self.ours)
        return max(0.0, others) / available


@functools.cache
def generator_priority():
    """The name of a priority, and what to put before a load generator's command to get it.

    A generator that waits for a core sends late and takes its own pause for the service's. It uses
    little of a core, so the kernel may run it before everything else, if it lets us.
    """
    for name, prefix, granted in (
        ("real-time", ["chrt", "--rr", "1"], "os.sched_getscheduler(0) == os.SCHED_RR"),
        ("nice -10", ["nice", "-n", "-10"], "os.nice(0) <= -10"),
    ):
        if shutil.which(prefix[0]):
            probe = [*prefix, sys.executable, "-c", f"import os, sys; sys.exit(not {granted})"]
            if subprocess.run(probe, capture_output=True).returncode == 0:
                return name, prefix
    return "that of other programs", []
