"""A real PostgreSQL for tests, where its programs are installed."""

import glob
import os
import pwd
import shutil
import subprocess
import tempfile

from seatfast_tools.processes import free_port

PASSWORD = "a-password-for-tests"
SECONDS_MAX = 60


def folder_of_programs():
    """Debian keeps the server's programs off the PATH; the newest version wins."""
    on_path = shutil.which("initdb")
    candidates = [os.path.dirname(on_path)] if on_path else []
    candidates += sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=version_in, reverse=True)
    for folder in candidates:
        if all(
            os.access(os.path.join(folder, name), os.X_OK)
            for name in ("initdb", "pg_ctl", "postgres")
        ):
            return folder
    return None


def version_in(path):
    return float(path.split("/")[4])


def why_not():
    """Why there can be no server here, or None."""
    if folder_of_programs() is None:
        return "no PostgreSQL server is installed"
    if shutil.which("psql") is None:
        return "no psql is installed"
    if os.geteuid() == 0 and not (shutil.which("runuser") and unprivileged_user()):
        return "root cannot run PostgreSQL, and there is no runuser or no user to run it as"
    return None


def unprivileged_user():
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


class Postgres:
    """One server with one database and a superuser whose name is `owner`, with a password."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="verify-postgres-")
        self.programs = folder_of_programs()
        self.prefix = []
        if os.geteuid() == 0:
            user = unprivileged_user()
            self.prefix = ["runuser", "-u", user.pw_name, "--"]
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.port = free_port()

    def start(self):
        password = os.path.join(self.folder, "password")
        with open(password, "w") as file:
            file.write(PASSWORD)
        shutil.chown(password, os.stat(self.folder).st_uid)
        data = os.path.join(self.folder, "data")
        self.run(
            "initdb", "-D", data, "-U", "owner", "-A", "scram-sha-256", "--pwfile", password, "-N"
        )
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.run(
            "pg_ctl",
            "-D",
            data,
            "-w",
            "-l",
            os.path.join(self.folder, "log"),
            "-o",
            options,
            "start",
        )

    def stop(self):
        try:
            self.run("pg_ctl", "-D", os.path.join(self.folder, "data"), "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, program, *arguments):
        # To a file, as a server that goes on running would keep a pipe open.
        with tempfile.TemporaryFile("w+") as said:
            code = subprocess.call(
                [*self.prefix, os.path.join(self.programs, program), *arguments],
                cwd="/",
                timeout=SECONDS_MAX,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
            if code != 0:
                said.seek(0)
                raise RuntimeError(f"{program} ended with {code}: {said.read()[-2000:]}")

    def url(self, user="owner", port=None):
        return f"postgresql://{user}@127.0.0.1:{port or self.port}/postgres"

    def execute(self, sql):
        """Runs statements as the owner and returns what they print."""
        done = subprocess.run(
            [
                "psql",
                "-X",
                "-w",
                "-q",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                f"--dbname={self.url()}",
            ],
            input=sql,
            encoding="utf-8",
            check=True,
            timeout=SECONDS_MAX,
            env={**os.environ, "PGPASSWORD": PASSWORD},
            stdout=subprocess.PIPE,
        )
        return done.stdout.strip()
