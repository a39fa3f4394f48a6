"""The PostgreSQL of a benchmark, which all candidates share."""

import os
import subprocess
import sys
import time

from . import processes, tools

SETTING_SECONDS_MAX = 10


class Database:
    """The embedded PostgreSQL, kept by a service that does nothing else, on the packaged jar."""

    def __init__(self, folder, jar):
        self._folder = folder / "keeper"
        port = processes.free_port()
        self._keeper = processes.Process(
            ["java", "-jar", jar / "quarkus-run.jar"],
            folder / "keeper.log",
            {
                "QUARKUS_HTTP_PORT": str(port),
                "QUARKUS_HTTP_HOST": "127.0.0.1",
                "SEATFAST_EMBEDDED_DATABASE": "true",
                "SEATFAST_EMBEDDED_DATABASE_DIR": str(self._folder),
                "SEATFAST_SWEEP_EVERY": "off",
            },
        )
        self._keeper.await_answer(f"http://127.0.0.1:{port}/q/health/ready")
        self.port = (self._folder / "port").read_text().strip()
        self._password = (self._folder / "password").read_text().strip()
        postmaster = self._folder / "data/postmaster.pid"
        self._postmaster_pid = int(postmaster.read_text().split()[0])

    def stop(self):
        self._keeper.stop()

    def pids(self):
        return processes.descendants(self._postmaster_pid)

    def keeper_pids(self):
        return processes.descendants(self._keeper.pid)

    def for_services(self):
        """Settings that lead a service to it, as to any database in production."""
        return {
            "QUARKUS_DATASOURCE_JDBC_URL": f"jdbc:postgresql://127.0.0.1:{self.port}/postgres",
            "QUARKUS_DATASOURCE_USERNAME": "seatfast",
            "QUARKUS_DATASOURCE_PASSWORD": self._password,
        }

    def for_clients(self):
        """The environment of PostgreSQL's own programs."""
        return {
            **os.environ,
            "PGHOST": "127.0.0.1",
            "PGPORT": self.port,
            "PGDATABASE": "postgres",
            "PGUSER": "seatfast",
            "PGPASSWORD": self._password,
        }

    def sql(self, *statements, **variables):
        """Runs statements, each in a transaction of its own, and returns what they print."""
        command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        for name, value in variables.items():
            command += ["-v", f"{name}={value}"]
        done = subprocess.run(
            command,
            input="\n".join(statements),
            env=self.for_clients(),
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"psql failed:\n{done.stderr[-2000:]}")
        return done.stdout.strip()

    def run_file(self, name, **variables):
        self.sql((tools.BENCH / "sql" / name).read_text(), **variables)

    def slow_flush(self, slow):
        """Makes every flush of the write-ahead log take 2 ms longer, or not any more."""
        delay = "2000" if slow else "0"
        self.sql(
            f"ALTER SYSTEM SET commit_delay = {delay};",
            f"ALTER SYSTEM SET commit_siblings = {0 if slow else 5};",
            "SELECT pg_reload_conf();",
        )
        deadline = time.monotonic() + SETTING_SECONDS_MAX
        while self.sql("SHOW commit_delay;") != delay:
            if time.monotonic() > deadline:
                sys.exit("PostgreSQL did not take the new setting of commit_delay")
            time.sleep(0.05)
