"""Proves that a running service keeps its contract."""

import re
import secrets

from ..client import NoAnswer
from ..report import PASS
from ..waiting import Deadline
from .contract import is_workshop_status, route_differences
from .race import Race
from .slot import book_slot

WANTED_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Content-Type": "application/json",
}


class Deployed:
    """The checks of a running service, in their order. Each phase has the whole time limit."""

    def __init__(self, client, report, capacity, seconds, memory=None):
        self.client, self.report, self.memory = client, report, memory
        self.capacity, self.seconds = capacity, seconds
        self.run_id = secrets.token_hex(5)
        self.workshop = f"verify-{self.run_id}"

    def run(self):
        if not self.wait_until_ready():
            return
        self.client.deadline = Deadline(self.seconds)
        if self.memory and self.memory.runs:
            self.check_remembered()
        self.client.deadline = Deadline(self.seconds)
        decisions = status = slot = None
        with self.report.guard("race"):
            race = Race(self.client, self.report, self.workshop, self.run_id, self.capacity)
            decisions, status = race.run()
        with self.report.guard("slot"):
            slot = book_slot(self.client, self.report, self.workshop, self.run_id)
        with self.report.guard("headers"):
            self.check_headers(decisions or {})
        with self.report.guard("internals-closed"):
            self.check_internals()
        with self.report.guard("errors"):
            self.check_errors()
        if self.client.repeated:
            self.report.note(
                "lost-answers", f"{self.client.repeated} requests were sent again: outcome unknown"
            )
        if self.memory:
            self.remember({"decisions": decisions, "status": status, "slot": slot})

    def wait_until_ready(self):
        """Routes and data become ready at different moments: all must answer in the same round."""
        wanted = {
            "/health": lambda a: a.is_exactly(200, {"status": "ok"}),
            "/q/health/ready": lambda a: a.status == 200 and a.object.get("status") == "UP",
            f"/workshops/{self.workshop}/status": lambda a: (
                a.status == 200 and is_workshop_status(a.object, self.workshop)
            ),
        }
        deadline = self.client.deadline = Deadline(self.seconds)
        problems, ready = [], ""
        for number in deadline.rounds():
            ready = f"health, readiness and a read answer (round {number})"
            missing = self.missing(wanted)
            if problems and not deadline.remaining():
                break  # the time ran out within the round: the one before says more
            problems = missing
            if not problems:
                break
        if problems:
            last = ", ".join(problems)
            problems = [f"gave up after {self.seconds:g} seconds, still waiting for {last}"]
        return self.report.judge("ready", problems, ready)

    def missing(self, wanted):
        """The paths that do not answer as they must, each with its last answer."""
        missing = []
        for path, is_right in wanted.items():
            try:
                answer = self.client.call("GET", path)
                missing += [] if is_right(answer) else [f"GET {path} (last: {answer})"]
            except NoAnswer as fault:
                missing.append(f"GET {path} (last: {fault})")
        return missing

    def check_headers(self, decisions):
        """Successes, rejections and errors carry the same headers."""
        one_of_each = {
            told["outcome"]: request_id for request_id, told in decisions.items()
        }.values()
        answers = [
            ("GET /health", self.client.ask("GET", "/health")),
            ("a status", self.client.status(self.workshop)),
        ]
        answers += [
            (request_id, self.client.reserve(self.workshop, request_id))
            for request_id in one_of_each
        ]
        answers.append(("an error", self.client.ask("GET", "/verify-no-such-route")))
        problems = []
        for what, answer in answers:
            for header, value in WANTED_HEADERS.items():
                values = re.split(r"\s*[,;]\s*", answer.headers.get(header, "").lower())
                if value not in values:
                    problems.append(
                        f"{what}: {header} is {answer.headers.get(header)}, not {value}"
                    )
        self.report.judge(
            "headers", problems, f"nosniff, no-store and JSON on {len(answers)} kinds of answers"
        )

    def check_internals(self):
        workshop = f"/api/workshops/{self.workshop}"
        routes = [
            ("POST", "/internal/sweep", None),
            ("GET", "/internal/events", None),
            ("GET", "/internal/invariants", None),
            ("GET", f"{workshop}/attempts", None),
            # If this route is open after all, the request changes nothing.
            ("PUT", f"{workshop}/capacity", {"capacity": self.capacity}),
        ]
        problems = route_differences(
            self.client, ((*route, 404, {"error": "not_found"}) for route in routes)
        )
        self.report.judge(
            "internals-closed", problems, "operator routes answer 404 without the operator token"
        )

    def check_errors(self):
        """An error is its code and nothing else: no stack trace, no name or version of a server."""
        path, request_id = f"/workshops/{self.workshop}/reservations", f"verify-{self.run_id}-0"
        wrong = [
            ("GET", "/verify-no-such-route", None, 404, {"error": "not_found"}),
            ("GET", "/workshops/Not-A-Name/status", None, 400, {"error": "invalid_workshop_name"}),
            ("DELETE", path, None, 405, {"error": "method_not_allowed"}),
            ("POST", path, b'{"requestId":', 400, {"error": "invalid_json"}),
            (
                "POST",
                path,
                {"requestId": request_id, "seats": "1"},
                400,
                {"error": "invalid_reservation"},
            ),
        ]
        self.report.judge(
            "errors", route_differences(self.client, wrong), "each is its code and nothing else"
        )

    def check_remembered(self):
        with self.report.guard("remembered"):
            problems, runs = self.memory.differences(self.client), self.memory.runs
            count = sum(len(run["decisions"]) for run in runs)
            unchanged = f"{len(runs)} runs, {count} decisions, {len(runs)} slots: unchanged"
            self.report.judge("remembered", problems, unchanged)

    def remember(self, facts):
        if self.report.code() != PASS:
            self.report.note("remember", "nothing was added to the file, because a check failed")
            return
        try:
            self.memory.append({"at": self.report.started.isoformat(timespec="seconds"), **facts})
            self.report.note(
                "remember",
                f"added to {self.memory.path}, which now holds {len(self.memory.runs)} runs",
            )
        except OSError as fault:
            self.report.judge("remember", [f"cannot write {self.memory.path}: {fault}"], "")
