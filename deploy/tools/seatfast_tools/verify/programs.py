"""Runs the programs that can prove an absence: psql, aws and gcloud."""

import itertools
import json
import os
import signal
import subprocess

from ..report import NotEvidence


def run_program(command, deadline, script=None, environment=None):
    """Runs a program until it ends or the deadline; returns its exit code, output and error output."""
    seconds = deadline.remaining()
    if seconds <= 0:
        raise NotEvidence(f"no time left to run {command[0]}")
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if script is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})},
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # a group of its own, so that its children end with it
        )
    except OSError as fault:
        raise NotEvidence(f"cannot run {command[0]}: {fault.strerror or fault}") from None
    try:
        output, errors = process.communicate(script, timeout=seconds)
        return process.returncode, output, errors.strip()
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise NotEvidence(f"{command[0]} did not end within {seconds:.0f} seconds") from None


def run_for_json(command, deadline, environment=None):
    """Returns the JSON that a program printed; anything but success and JSON is no evidence."""
    code, output, errors = run_program(command, deadline, environment=environment)
    try:
        if code == 0:
            return json.loads(output)
        reason = errors or f"exit code {code}"
    except (ValueError, RecursionError):
        reason = "its output is not JSON"
    words = " ".join(itertools.takewhile(lambda word: not word.startswith("-"), command))
    raise NotEvidence(f"{words}: {reason}")
