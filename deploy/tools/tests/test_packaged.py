"""The commands as people run them, on the packaged service and across a restart of it."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from seatfast_tools.processes import PACKAGED_JAR, DidNotStart, Service, free_port, packaged_service

from .support import DEPLOY, SECONDS_MAX

MISSING = not (PACKAGED_JAR.exists() and shutil.which("java"))


def run(command, *words):
    done = subprocess.run(
        [DEPLOY / command, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS_MAX,
    )
    return done.returncode, done.stdout


@unittest.skipIf(MISSING, "there is no packaged service (./mvnw package), or no java")
class PackagedServiceTest(unittest.TestCase):
    def test_keeps_what_it_answered_across_a_restart(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.chmod(0o755)  # root's embedded PostgreSQL runs as somebody else
            port, told = free_port(), str(folder / "told.json")
            for expected in ("added to", "1 runs, 12 decisions, 1 slots: unchanged"):
                with packaged_service(
                    folder / "postgres", folder / "log", port
                ).wait_until_ready() as service:
                    code, output = run(
                        "verify", "deployed", "--url", service.url, "--remember", told
                    )
                    self.assertEqual(code, 0, output)
                    self.assertIn(expected, output)
                    code, output = run(
                        "rush", "--url", service.url, "--requests", "64", "--seats", "2"
                    )
                    self.assertEqual(code, 0, output)
                self.assertIsNotNone(service.process.poll())


class CommandTest(unittest.TestCase):
    def test_explains_itself(self):
        for command in ("verify", "rush"):
            with self.subTest(command):
                code, output = run(command, "--help")
                self.assertEqual(code, 0, output)
                self.assertIn(f"deploy/{command}", output)

    def test_ends_with_the_verdict(self):
        self.assertEqual(run("verify", "deleted")[0], 64)


class ServiceTest(unittest.TestCase):
    def service(self, folder, script):
        return Service([sys.executable, "-c", script], {}, os.path.join(folder, "log"))

    def test_shows_the_log_of_a_program_that_ended(self):
        ends = "exit('no database')"
        with tempfile.TemporaryDirectory() as folder, self.service(folder, ends) as service:
            wanted = r"(?s)ended with exit code 1\n.*no database"
            self.assertRaisesRegex(DidNotStart, wanted, service.wait_until_ready)

    def test_kills_a_program_that_does_not_stop(self):
        deaf = (
            "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "print(flush=True); time.sleep(60)"
        )
        with tempfile.TemporaryDirectory() as folder, self.service(folder, deaf) as service:
            while not service.end_of_log():
                self.assertIsNone(service.process.poll())
            service.stop(seconds=0.1)
            self.assertIsNotNone(service.process.poll())
