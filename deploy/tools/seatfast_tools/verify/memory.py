"""What earlier runs were told, kept in a file and compared with the service of today."""

import json
import os
import re
import tempfile

from .contract import differences, is_text, workshop_status
from .race import replay_differences

FORMAT = "seatfast-verify-2"
RUNS_MAX = 20
BYTES_MAX = 4 << 20
SLOT_FIELDS = {
    "tenantId",
    "resourceId",
    "slotStartIso",
    "userId",
    "idempotencyKey",
    "reservationId",
}


class BadMemory(Exception):
    """The file cannot be used; the message says why."""


class Memory:
    """The remembered runs, the oldest first, RUNS_MAX at most."""

    def __init__(self, path):
        self.path, self.runs = path, []
        if os.path.exists(path):
            self.runs = self._read()
        elif not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise BadMemory("there is no such folder")

    def _read(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                text = file.read(BYTES_MAX + 1)
            document = json.loads(text) if len(text) <= BYTES_MAX else None
        except OSError as fault:
            raise BadMemory(fault.strerror or str(fault)) from None
        except (ValueError, RecursionError):
            document = None
        try:
            if document["format"] != FORMAT or not all(map(is_run, document["runs"])):
                raise ValueError
            return document["runs"]
        except (TypeError, KeyError, ValueError, AttributeError):
            raise BadMemory(
                "not a file that this program wrote, or damaged; nothing was checked"
            ) from None

    def append(self, run):
        """Replaces the whole file, so that a crash leaves the old one or the new one."""
        self.runs = [*self.runs, run][-RUNS_MAX:]
        folder = os.path.dirname(os.path.abspath(self.path))
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".verify-")
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump({"format": FORMAT, "runs": self.runs}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except OSError:
            os.unlink(name)
            raise

    def differences(self, client):
        """How the service of today differs from what the runs were told."""
        return [
            f"run of {run['at']}: {problem}"
            for run in self.runs
            for problem in run_differences(client, run)
        ]


def is_run(run):
    """Checks a run to the last field, because names in it become parts of paths."""
    status, slot, decisions = run["status"], run["slot"], run["decisions"]
    outcomes = [told["outcome"] for told in decisions.values()]
    return (
        is_text(run["at"])
        and re.fullmatch(r"verify-[0-9a-f]{10}", status["workshop"]) is not None
        and type(status["capacity"]) is int
        and status == workshop_status(status["workshop"], status["capacity"], outcomes)
        and set(outcomes) <= {"accepted", "rejected"}
        and all(re.fullmatch(r"verify-[0-9a-f]{10}-\d{1,3}", name) for name in decisions)
        and all(type(told["reserved"]) is int and len(told) == 2 for told in decisions.values())
        and slot.keys() == SLOT_FIELDS
        and all(is_text(value) for value in slot.values())
    )


def run_differences(client, run):
    """Asks first what changes nothing: a service that lost its data must not decide anew because of us."""
    status, slot = run["status"], run["slot"]
    workshop, problems = status["workshop"], []
    totals = differences(client.status(workshop), 200, status)
    if totals:
        problems.append(f"totals of {workshop}: {totals[0]}; its requests were not sent again")
    for request_id, told in run["decisions"].items() if not totals else ():
        answer = client.reserve(workshop, request_id)
        problems += replay_differences(answer, workshop, request_id, told, status["capacity"])
    kept = {"ok": True, "reservationId": slot["reservationId"]}
    # A route ignores fields that it does not know, so the whole slot can be sent.
    lost = differences(client.ask("POST", "/api/reservations/confirm", slot), 200, kept)
    return problems + [f"slot of {slot['tenantId']}: {problem}" for problem in lost]
