"""An older version to compare with: built from its commit, or an executable that somebody kept."""

import shutil
import subprocess
import sys
from pathlib import Path

from . import services, tools

# A schema of its own beside that of the newest version.
SETTINGS = {"SEATFAST_NAMESPACE": "baseline", "SEATFAST_MIGRATE": "never"}
NAME = "baseline"


def program(revision_or_executable):
    executable = Path(revision_or_executable)
    if executable.is_file():
        return services.native(NAME, executable.resolve(), _settings(SETTINGS))
    return services.on_jvm(NAME, _jar(revision_or_executable), _settings(SETTINGS))


def _settings(settings):
    return services.as_older_versions_say(settings)


def _git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=tools.ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"git {' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout.strip()


def _jar(revision):
    """The packaged jar of a commit, built in a worktree if that was not done before."""
    commit = _git("rev-parse", "--verify", f"{revision}^{{commit}}")
    built = tools.BUILT / "baseline" / commit
    if not (built / "quarkus-run.jar").exists():
        print(f"Building {revision}, which takes a minute", flush=True)
        worktree = tools.BUILT / "baseline" / f"worktree-{commit}"
        _git("worktree", "add", "--force", "--detach", str(worktree), commit)
        try:
            command = ["./mvnw", "-q", "-B", "-ntp", "package", "-DskipTests"]
            subprocess.run(command, cwd=worktree, check=True)
            shutil.copytree(worktree / "target/quarkus-app", built)
        finally:
            _git("worktree", "remove", "--force", str(worktree))
    return built
