"""Runs the verifier inside the test's process, on real sockets, and keeps what it printed."""

import contextlib
import faulthandler
import io
import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from seatfast_tools import client
from seatfast_tools.verify import command

from .reservation_service import Running

DEPLOY = Path(__file__).resolve().parents[2]
SECONDS_MAX = 60
PAUSE_SECONDS = 0.01  # between the tries of one request, so that tests need not wait
FOREIGN_SETTINGS = ("PG", "AWS_", "SEATFAST_")


class Outcome:
    """What a run of the verifier said."""

    def __init__(self, code, output, complaints):
        self.code, self.output, self.complaints = code, output, complaints

    @property
    def document(self):
        return json.loads(self.output)

    def named(self, result):
        return {check["name"] for check in self.document["checks"] if check["result"] == result}

    def detail(self, name):
        return " | ".join(
            check["detail"] for check in self.document["checks"] if check["name"] == name
        )


def verify(*arguments, **environment):
    """Runs the verifier; an environment variable of None is removed.

    A run that hangs ends the whole test run with a stack trace.
    """
    clean = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN_SETTINGS)}
    nobody = {"XDG_CONFIG_HOME": os.devnull}  # no login of whoever runs the tests
    merged = {k: v for k, v in {**clean, **nobody, **environment}.items() if v is not None}
    output, complaints = io.StringIO(), io.StringIO()
    faulthandler.dump_traceback_later(SECONDS_MAX, exit=True, file=sys.__stderr__)
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.dict(os.environ, merged, clear=True))
            stack.enter_context(mock.patch.object(client, "PAUSE_SECONDS_MIN", PAUSE_SECONDS))
            stack.enter_context(contextlib.redirect_stdout(output))
            stack.enter_context(contextlib.redirect_stderr(complaints))
            try:
                code = command.main([str(word) for word in arguments])
            except SystemExit as ended:
                code = ended.code
    finally:
        faulthandler.cancel_dump_traceback_later()
    return Outcome(code, output.getvalue(), complaints.getvalue())


class FolderTest(unittest.TestCase):
    """Has a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="verify-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            Path(path).write_text(content, encoding="utf-8")
        return path

    def program(self, name, script):
        """An executable on the PATH that `self.search_path()` gives."""
        os.chmod(self.path(name, f"#!/bin/sh\n{script}\n"), 0o700)

    def search_path(self):
        return self.folder + os.pathsep + os.environ["PATH"]


class DeployedTest(FolderTest):
    def check(self, service, *options, timeout=10, **environment):
        with Running(service) as running:
            return verify(
                "deployed",
                "--url",
                running.url,
                "--json",
                "--timeout",
                timeout,
                *options,
                **environment,
            )

    def assert_passes(self, outcome):
        self.assertEqual(outcome.code, 0, outcome.output + outcome.complaints)
        self.assertEqual(outcome.document["verdict"], "PASS")

    def assert_fails(self, outcome, *names):
        self.assertEqual(outcome.code, 1, outcome.output + outcome.complaints)
        self.assertEqual(outcome.document["verdict"], "FAIL")
        self.assertEqual(outcome.named("FAIL"), set(names), outcome.output)


class DeletedTest(FolderTest):
    def assert_verdict(self, outcome, code, *names):
        """The verdict, and the checks that failed or could not be made."""
        self.assertEqual(outcome.code, code, outcome.output + outcome.complaints)
        verdict = {0: "PASS", 1: "FAIL", 2: "NOT EVIDENCE"}[code]
        self.assertEqual(outcome.document["verdict"], verdict)
        named = outcome.named("FAIL") | outcome.named("NOT EVIDENCE")
        self.assertEqual(named, set(names), outcome.output)
