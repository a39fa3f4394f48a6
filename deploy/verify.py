#!/usr/bin/env python3
"""Check from outside that a deployment does what it promises, or that it is gone for good.

    deploy/verify.py deployed --url https://seatfast.example
        Waits until the service answers and its database reads, then races three times as many
        requests as there are seats for a workshop of its own, asks everything again, books a slot
        of its own, and looks at headers and closed doors. What it leaves behind is named verify-*.

    deploy/verify.py deployed --url ... --remember told.json
        Also keeps what this run was told. A later run with the same file first checks that all of
        it is still so: after an upgrade, a restart, or a move of the database.

    deploy/verify.py deleted --database 'postgresql://seatfast@db.example/seatfast'
        Logs in and checks that the schema holds the tombstone and nothing else. The password comes
        from PGPASSWORD or PGPASSFILE. A schema that is missing is a failure: nothing would keep an
        old instance from creating it again, and any wrong database looks the same.

    deploy/verify.py deleted --aws-function NAME --aws-region R --aws-account ID
    deploy/verify.py deleted --cloud-run NAME --google-project P --google-region R
        Ask the cloud, as an identity that demonstrably works there, for the function.

Platforms that want an identity token get the one in SEATFAST_BEARER, or in the file of --bearer.

Exit codes: 0 PASS, 1 FAIL, 2 NOT EVIDENCE (something could not be asked, so its absence is not
proven), 64 bad usage. Needs Python 3.8 or later; the proofs need psql, aws or gcloud.
"""
import argparse
import http.client
import itertools
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from datetime import datetime, timezone
from urllib.parse import urlsplit

PASS, FAIL, NOT_EVIDENCE, BAD_USAGE = 0, 1, 2, 64
VERDICTS = {PASS: "PASS", FAIL: "FAIL", NOT_EVIDENCE: "NOT EVIDENCE"}

CALL_SECONDS_MAX = 15
BODY_BYTES_MAX = 1 << 20
TRIES_MAX = 6
PAUSE_SECONDS_MAX = 3.0
# What platforms and the service say when the outcome is unknown: ask again, with the same id.
UNKNOWN_OUTCOME = {429, 502, 503, 504}

RUNS_REMEMBERED_MAX = 20
MEMORY_BYTES_MAX = 4 << 20
CAPACITY_MAX = 64

WANTED_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Content-Type": "application/json",
}
TAKEN = {"ok": False, "reason": "ALREADY_HELD_OR_BOOKED"}
NOT_OWNER = {"ok": False, "reason": "NOT_OWNER"}


class NoAnswer(Exception):
    """Nothing usable came back; the text says what happened instead."""


class NotEvidence(Exception):
    """Something could not be asked, so that nothing is known about it."""


class BadUsage(Exception):
    """The command line, the environment or a file of ours is wrong."""


class Report:
    """Collects the checks, and shows each at once unless a machine wants them all at the end."""

    OK, FAILED, UNPROVEN, NOTE = "ok", "FAIL", "NOT EVIDENCE", "note"

    def __init__(self, subject, quiet):
        self.subject, self.quiet = subject, quiet
        self.checks, self.secret = [], None
        self.started, self.clock = datetime.now(timezone.utc), time.monotonic()

    def add(self, result, name, detail):
        # What others sent must neither drive the terminal nor give a token away.
        detail = "".join(c if c.isprintable() else " " for c in str(detail))
        if self.secret:
            detail = detail.replace(self.secret, "***")
        self.checks.append({"name": name, "result": result, "detail": detail[:600]})
        if not self.quiet:
            print(f"{result:<5} {name:<18} {detail[:600]}", flush=True)

    def note(self, name, detail):
        self.add(self.NOTE, name, detail)

    def judge(self, name, problems, detail):
        """One check: it failed if there are problems; detail describes success."""
        shown = "; ".join(problems[:3]) + (f"; and {len(problems) - 3} more" if len(problems) > 3 else "")
        self.add(self.FAILED if problems else self.OK, name, shown if problems else detail)
        return not problems

    @contextmanager
    def guard(self, name):
        """Turns what stops a check half way into the result of that check."""
        try:
            yield
        except NoAnswer as fault:
            self.add(self.FAILED, name, fault)
        except NotEvidence as fault:
            self.add(self.UNPROVEN, name, fault)

    def code(self):
        results = {check["result"] for check in self.checks}
        if self.FAILED in results:
            return FAIL
        return NOT_EVIDENCE if self.UNPROVEN in results or self.OK not in results else PASS

    def finish(self, url):
        code = self.code()
        if self.quiet:
            ok = {self.OK: True, self.FAILED: False}
            checks = [{"name": c["name"], "ok": ok.get(c["result"]), **c} for c in self.checks]
            document = {
                "verdict": VERDICTS[code],
                "subject": self.subject,
                "url": url,
                "started": self.started.isoformat(timespec="seconds"),
                "seconds": round(time.monotonic() - self.clock, 2),
                "checks": checks,
            }
            print(json.dumps(document, indent=2))
        else:
            print(f"\n{VERDICTS[code]}: {self.subject}")
            for check in self.checks:
                if check["result"] in (self.FAILED, self.UNPROVEN):
                    print(f"{check['result']}: {check['name']}: {check['detail']}")
        return code


class Deadline:
    """When the time for something is over."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def remaining(self):
        return max(0.0, self.end - time.monotonic())


# --- HTTP ------------------------------------------------------------------------------------


class Answer:
    """What came back."""

    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text
        self.tries = 1
        try:
            self.json = json.loads(text)
        except (ValueError, RecursionError):
            self.json = None
        self.object = self.json if isinstance(self.json, dict) else {}

    def is_exactly(self, status, document):
        return self.status == status and canonical(self.json) == canonical(document)

    def __str__(self):
        return f"{self.status} {self.text[:160].strip()}"


def canonical(document):
    """Equal texts for equal documents; unlike == in Python, 1, 1.0 and true differ."""
    return json.dumps(document, sort_keys=True)


class Client:
    """Asks one service; each request on a connection of its own, each wait bounded."""

    def __init__(self, url, bearer):
        parts = urlsplit(url)
        self.secure, self.host, self.port = parts.scheme == "https", parts.hostname, parts.port
        self.prefix = parts.path.rstrip("/")
        self.headers = {"User-Agent": "seatfast-verify", "Accept": "application/json"}
        if bearer:
            self.headers["Authorization"] = f"Bearer {bearer}"
        self.deadline, self.lost, self.lock = Deadline(0), 0, threading.Lock()

    def call(self, method, path, body=None, connected=None):
        """One request, sent once `connected` returned; a body of bytes goes as it is."""
        seconds = min(CALL_SECONDS_MAX, self.deadline.remaining())
        if seconds <= 0:
            raise NoAnswer("no time left to ask")
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        connection = kind(self.host, self.port, timeout=seconds)
        headers, watchdog = dict(self.headers), None
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.connect()
            if connected:
                connected()
            # A socket's time limit starts anew with each byte; this one does not.
            watchdog = threading.Timer(seconds, hang_up, [connection.sock])
            watchdog.daemon = True
            watchdog.start()
            connection.request(method, self.prefix + path, body, headers)
            response = connection.getresponse()
            content = response.read(BODY_BYTES_MAX + 1)
            if watchdog.finished.is_set():
                raise TimeoutError
            if len(content) > BODY_BYTES_MAX:
                raise NoAnswer("an answer larger than 1 MiB")
            return Answer(response.status, response.headers, content.decode("utf-8", "replace"))
        except (OSError, http.client.HTTPException, ValueError) as fault:
            late = watchdog and watchdog.finished.is_set()
            reason = f"no whole answer within {seconds:.1f} seconds" if late else str(fault) or type(fault).__name__
            raise NoAnswer(reason) from None
        finally:
            if watchdog:
                watchdog.cancel()
            connection.close()

    def ask(self, method, path, body=None, connected=None):
        """Asks until the outcome is known: the same request with the same id finds it."""
        for number in range(1, TRIES_MAX + 1):
            pause = 0.1 * 2**number
            try:
                answer = self.call(method, path, body, connected if number == 1 else None)
                if answer.status not in UNKNOWN_OUTCOME:
                    answer.tries = number
                    return answer
                reason = str(answer)
                wanted = answer.headers.get("Retry-After", "")
                pause = max(pause, float(wanted) if re.fullmatch(r"\d{1,6}", wanted) else 0)
            except NoAnswer as fault:
                reason = str(fault)
            with self.lock:
                self.lost += 1
            pause = min(pause, PAUSE_SECONDS_MAX)
            if number == TRIES_MAX or self.deadline.remaining() <= pause:
                break
            time.sleep(pause)
        raise NoAnswer(f"{method} {path}: no answer in {number} tries, at last: {reason}")

    def problems_of(self, routes):
        """Asks (method, path, body, expected status, expected JSON), and says what was unlike that."""
        problems = []
        for method, path, body, status, document in routes:
            problems += [f"{method} {path}: {p}" for p in unlike(self.ask(method, path, body), status, document)]
        return problems

    def reserve(self, workshop, request_id, connected=None):
        body = {"requestId": request_id, "seats": 1}
        return self.ask("POST", f"/workshops/{workshop}/reservations", body, connected)


def hang_up(sock):
    """Ends whatever waits on a socket, below TLS, which could wait itself."""
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        pass  # it ended by itself


# --- deployed --------------------------------------------------------------------------------


class Deployed:
    """The checks of a running service, in their order. Each phase has the whole time limit."""

    def __init__(self, arguments, client, memory, report):
        self.client, self.memory, self.report = client, memory, report
        self.capacity, self.seconds = arguments.capacity, arguments.timeout
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
            decisions, status = self.race()
        with self.report.guard("slot"):
            slot = self.book_slot()
        with self.report.guard("headers"):
            self.check_headers(decisions or {})
        with self.report.guard("internals-closed"):
            self.check_internals()
        with self.report.guard("errors"):
            self.check_errors()
        if self.client.lost:
            self.report.note("lost-answers", f"{self.client.lost} requests were asked again: outcome unknown")
        if self.memory:
            self.remember({"decisions": decisions, "status": status, "slot": slot})

    def wait_until_ready(self):
        """Routes and data become ready at different moments: all must answer in one round."""
        wanted = {
            "/health": lambda a: a.is_exactly(200, {"status": "ok"}),
            "/q/health/ready": lambda a: a.status == 200 and a.object.get("status") == "UP",
            f"/workshops/{self.workshop}/status": lambda a: a.status == 200 and is_status(a.object, self.workshop),
        }
        self.client.deadline = Deadline(self.seconds)
        pause, rounds = 0.2, 0
        while True:
            rounds, missing = rounds + 1, []
            for path, is_ready in wanted.items():
                try:
                    answer = self.client.call("GET", path)
                    missing += [] if is_ready(answer) else [f"GET {path} (last: {answer})"]
                except NoAnswer as fault:
                    missing.append(f"GET {path} (last: {fault})")
            if not missing or self.client.deadline.remaining() <= pause:
                break
            time.sleep(pause)
            pause = min(pause * 1.5, 2.0)
        if missing:
            missing = [f"gave up after {self.seconds:g} seconds, still waiting for {', '.join(missing)}"]
        return self.report.judge("ready", missing, f"health, readiness and a read answer (round {rounds})")

    def read_status(self, workshop):
        return self.client.ask("GET", f"/workshops/{workshop}/status")

    def race(self):
        """Three requests for every seat, all at once; returns what was told, if all of it fits."""
        unused = expected_status(self.workshop, self.capacity, [])
        answer = self.read_status(self.workshop)
        good = self.report.judge(
            "unused-workshop", unlike(answer, 200, unused), f"shows {self.capacity} free seats, and nothing else"
        )
        answers, lost = self.reserve_at_once([f"verify-{self.run_id}-{n}" for n in range(1, 3 * self.capacity + 1)])
        good &= self.report.judge("race-decisions", lost, f"{len(answers)} requests at once, each was decided")
        good &= self.check_decisions(answers)
        decisions = {
            request: {201: "accepted", 409: "rejected"}[answer.status]
            for request, answer in answers.items()
            if answer.status in (201, 409)
        }
        good &= self.check_never_oversold(answers)
        before = self.read_status(self.workshop)
        good &= self.check_replays(decisions)
        good &= self.check_totals(decisions, before, self.read_status(self.workshop))
        return (decisions, before.json) if good else (None, None)

    def reserve_at_once(self, requests):
        """Connects them all, then sends them all; answers and faults by request id."""
        answers, faults = {}, {}
        line = threading.Barrier(len(requests))

        def connected():
            try:
                line.wait(5)
            except threading.BrokenBarrierError:
                pass  # one of them could not connect, or asks again: the others need not wait

        def reserve(request):
            try:
                answers[request] = self.client.reserve(self.workshop, request, connected)
            except NoAnswer as fault:
                faults[request] = str(fault)
            line.abort()

        threads = [threading.Thread(target=reserve, args=[request], daemon=True) for request in requests]
        for thread in threads:
            thread.start()
        patience = Deadline(self.client.deadline.remaining() + 5)
        for thread in threads:
            thread.join(patience.remaining())
        # A copy, as a thread that is late may still add to it.
        told = {request: answers[request] for request in requests if request in answers}
        undecided = [request for request in requests if request not in told]
        return told, [f"{request} was not decided: {faults.get(request, 'no time left')}" for request in undecided]

    def check_decisions(self, answers):
        """How many were accepted, and that each answer says exactly what it should."""
        counts = {code: sum(a.status == code for a in answers.values()) for code in (201, 409)}
        expected = {201: self.capacity, 409: 2 * self.capacity}
        told = f"{counts[201]} accepted, {counts[409]} rejected of {len(answers)} for {self.capacity} seats"
        good = self.report.judge("race-outcome", [] if counts == expected else [told], told)
        problems = []
        for request, answer in answers.items():
            # Only one that was asked again may be told that it had been decided before.
            replayed = answer.object.get("replayed") is True and answer.tries > 1
            # No seat is given back here: who is rejected saw the workshop full.
            seen = answer.object.get("reserved")
            reserved = seen if answer.status == 201 and type(seen) is int else self.capacity
            problems += self.unlike_decision(request, answer, answer.status, reserved, replayed)
        return self.report.judge("race-bodies", problems, "each is exactly of the contract's form") and good

    def unlike_decision(self, request, answer, code, reserved, replayed):
        """What is wrong with an answer to a request for a seat."""
        outcome = {201: "accepted", 409: "rejected"}.get(code)
        if outcome is None:
            return [f"{request}: {answer}"]
        body = reservation(self.workshop, request, outcome, self.capacity, reserved, replayed)
        problems = [f"{request}: {problem}" for problem in unlike(answer, code, body)]
        header = answer.headers.get("Idempotency-Replayed")
        if header != ("true" if replayed else None):
            problems.append(f"{request}: header Idempotency-Replayed is {header}, replayed {replayed}")
        return problems

    def check_never_oversold(self, answers):
        problems = []
        for request, answer in answers.items():
            reserved = answer.object.get("reserved")
            lowest = 1 if answer.status == 201 else 0
            if type(reserved) is int and not lowest <= reserved <= self.capacity:
                problems.append(f"{request} was told that {reserved} of {self.capacity} seats are taken")
        return self.report.judge("never-oversold", problems, f"no answer told of more than {self.capacity} seats")

    def check_replays(self, decisions):
        taken = sum(outcome == "accepted" for outcome in decisions.values())
        problems = []
        for request, outcome in decisions.items():
            answer = self.client.reserve(self.workshop, request)
            problems += self.unlike_decision(request, answer, 201 if outcome == "accepted" else 409, taken, True)
        return self.report.judge("replays", problems, f"{len(decisions)} asked again, each got its own decision")

    def check_totals(self, decisions, before, after):
        """Compares what is kept with what was told, before and after all were asked again."""
        expected = expected_status(self.workshop, self.capacity, list(decisions.values()))
        problems = unlike(before, 200, expected) or [f"after replays: {p}" for p in unlike(after, 200, expected)]
        told = f"{expected['acceptedRequests']} accepted, {expected['rejectedRequests']} rejected: as told"
        return self.report.judge("durable-totals", problems, told)

    def book_slot(self):
        """Holds and confirms a slot while another user tries to get it; returns it, or None."""
        slot = {"tenantId": self.workshop, "resourceId": "room-1", "slotStartIso": "2030-01-01T10:00:00Z"}
        mine = {**slot, "userId": "verify-user-1", "idempotencyKey": f"verify-{self.run_id}-hold"}
        others = {**slot, "userId": "verify-user-2", "idempotencyKey": f"verify-{self.run_id}-other"}
        held = self.client.ask("POST", "/api/reservations/hold", mine)
        hold = {"ok": True, **{name: held.object.get(name) for name in ("reservationId", "expiresAt")}}
        good = held.is_exactly(200, hold) and is_text(hold["reservationId"]) and type(hold["expiresAt"]) is int
        if not self.report.judge("slot-hold", [] if good else [str(held)], "a free slot is held"):
            return None
        key = {**slot, "reservationId": hold["reservationId"]}
        own, foreign = {**key, "userId": mine["userId"]}, {**key, "userId": others["userId"]}
        same_instant = {**mine, "slotStartIso": "2030-01-01T19:00:00+09:00"}
        done = {"ok": True, "reservationId": hold["reservationId"]}
        steps = [
            ("slot-conflict", "hold", others, 409, TAKEN, "nobody else can hold it"),
            ("slot-replay", "hold", same_instant, 200, hold, "the same key gives the same hold, at the same instant"),
            ("slot-wrong-user", "confirm", foreign, 409, NOT_OWNER, "nobody else can confirm it"),
            ("slot-confirm", "confirm", own, 200, done, "its owner can"),
            ("slot-confirm-again", "confirm", own, 200, done, "twice is the same success twice"),
            ("slot-still-owned", "confirm", foreign, 409, NOT_OWNER, "and still nobody else"),
            ("slot-booked", "hold", others, 409, TAKEN, "nobody else can hold what is confirmed"),
        ]
        for name, action, body, code, expected, detail in steps:
            answer = self.client.ask("POST", f"/api/reservations/{action}", body)
            good &= self.report.judge(name, unlike(answer, code, expected), detail)
        return {**mine, "reservationId": hold["reservationId"]} if good else None

    def check_headers(self, decisions):
        """Of successes, rejections and errors alike."""
        one_of_each = {outcome: request for request, outcome in decisions.items()}.values()
        answers = [("GET /health", self.client.ask("GET", "/health")), ("a status", self.read_status(self.workshop))]
        answers += [(request, self.client.reserve(self.workshop, request)) for request in one_of_each]
        answers.append(("an error", self.client.ask("GET", "/verify-no-such-route")))
        problems = []
        for what, answer in answers:
            for header, value in WANTED_HEADERS.items():
                values = re.split(r"\s*[,;]\s*", answer.headers.get(header, "").lower())
                if value not in values:
                    problems.append(f"{what}: {header} is {answer.headers.get(header)}, not {value}")
        self.report.judge("headers", problems, f"nosniff, no-store and JSON on {len(answers)} kinds of answers")

    def check_internals(self):
        workshop = f"/api/workshops/{self.workshop}"
        doors = [
            ("POST", "/internal/sweep", None),
            ("GET", "/internal/events", None),
            ("GET", "/internal/invariants", None),
            ("GET", f"{workshop}/attempts", None),
            # Should this door be open, nothing changes by it.
            ("PUT", f"{workshop}/capacity", {"capacity": self.capacity}),
        ]
        problems = self.client.problems_of((*door, 404, {"error": "not_found"}) for door in doors)
        self.report.judge("internals-closed", problems, "routes for operators answer 404 to us")

    def check_errors(self):
        """An error is its code and nothing else: no stack trace, no name or version of a server."""
        path, request = f"/workshops/{self.workshop}/reservations", f"verify-{self.run_id}-0"
        wrong = [
            ("GET", "/verify-no-such-route", None, 404, {"error": "not_found"}),
            ("GET", "/workshops/Not-A-Name/status", None, 400, {"error": "invalid_workshop_name"}),
            ("DELETE", path, None, 405, {"error": "method_not_allowed"}),
            ("POST", path, b'{"requestId":', 400, {"error": "invalid_json"}),
            ("POST", path, {"requestId": request, "seats": "1"}, 400, {"error": "invalid_reservation"}),
        ]
        self.report.judge("errors", self.client.problems_of(wrong), "are their code and nothing else")

    def check_remembered(self):
        runs, problems = self.memory.runs, []
        with self.report.guard("remembered"):
            for run in runs:
                problems += [f"run of {run['at']}: {problem}" for problem in self.differences_to(run)]
            count = sum(len(run["decisions"]) for run in runs)
            kept = f"{len(runs)} runs, {count} decisions, {len(runs)} slots: still so"
            self.report.judge("remembered", problems, kept)

    def differences_to(self, run):
        """Asks first what changes nothing: a service that forgot must not decide anew because of us."""
        workshop, problems = run["status"]["workshop"], []
        totals = unlike(self.read_status(workshop), 200, run["status"])
        if totals:
            problems.append(f"totals of {workshop}: {totals[0]}; its ids were not asked")
        for request, outcome in run["decisions"].items() if not totals else ():
            answer = self.client.reserve(workshop, request)
            code, status = (201 if outcome == "accepted" else 409), run["status"]
            body = reservation(workshop, request, outcome, status["capacity"], status["reserved"], True)
            problems += [f"{request}: {problem}" for problem in unlike(answer, code, body)]
        slot = run["slot"]
        kept = {"ok": True, "reservationId": slot["reservationId"]}
        # Fields that a route does not know are ignored, so that the whole slot can be sent.
        lost = unlike(self.client.ask("POST", "/api/reservations/confirm", slot), 200, kept)
        return problems + [f"slot of {slot['tenantId']}: {problem}" for problem in lost]

    def remember(self, facts):
        if self.report.code() != PASS:
            self.report.note("remember", "nothing was added to the file: not all was well")
            return
        try:
            self.memory.append({"at": self.report.started.isoformat(timespec="seconds"), **facts})
            self.report.note("remember", f"added to {self.memory.path}, which now holds {len(self.memory.runs)} runs")
        except OSError as fault:
            self.report.judge("remember", [f"{self.memory.path} can't be written: {fault}"], "")


def reservation(workshop, request, outcome, capacity, reserved, replayed):
    """The answer to a request for one seat."""
    decision = {"workshop": workshop, "requestId": request, "seats": 1, "status": outcome}
    return {**decision, "capacity": capacity, "reserved": reserved, "replayed": replayed}


def expected_status(workshop, capacity, outcomes):
    """Of a workshop where these were the outcomes of requests for one seat."""
    accepted, rejected = outcomes.count("accepted"), outcomes.count("rejected")
    counts = {"acceptedRequests": accepted, "rejectedRequests": rejected, "acceptedSeats": accepted}
    return {"workshop": workshop, "capacity": capacity, "reserved": accepted, **counts}


def is_status(body, workshop):
    """Whether it is of the form of a workshop's status, whatever the counts."""
    form = expected_status(workshop, 0, [])
    same = [type(body.get(name)) is type(value) for name, value in form.items()]
    return all(same) and body.keys() == form.keys() and body["workshop"] == workshop


def unlike(answer, status, document):
    if answer.is_exactly(status, document):
        return []
    return [f"answered {answer} instead of {status} {json.dumps(document, separators=(',', ':'))}"]


def is_text(value):
    return isinstance(value, str) and value != ""


class Memory:
    """What earlier runs were told, in a file."""

    FORMAT = "seatfast-verify-1"

    def __init__(self, path):
        self.path, self.runs = path, []
        if os.path.exists(path):
            self.runs = self.read()
        elif not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise BadUsage(f"--remember {path}: there is no such folder")

    def read(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                text = file.read(MEMORY_BYTES_MAX + 1)
            document = json.loads(text) if len(text) <= MEMORY_BYTES_MAX else None
        except OSError as fault:
            raise BadUsage(f"--remember {self.path}: {fault.strerror or fault}") from None
        except (ValueError, RecursionError):
            document = None
        try:
            if document["format"] != self.FORMAT or not all(map(self.is_run, document["runs"])):
                raise ValueError
            return document["runs"]
        except (TypeError, KeyError, ValueError, AttributeError):
            raise BadUsage(
                f"--remember {self.path}: not a file that this program wrote, or damaged; nothing was checked"
            ) from None

    @staticmethod
    def is_run(run):
        """Checked to the last field: names in it become parts of paths."""
        status, slot = run["status"], run["slot"]
        outcomes = list(run["decisions"].values())
        fields = ("tenantId", "resourceId", "slotStartIso", "userId", "idempotencyKey", "reservationId")
        return (
            is_text(run["at"])
            and re.fullmatch(r"verify-[0-9a-f]{10}", status["workshop"]) is not None
            and type(status["capacity"]) is int
            and status == expected_status(status["workshop"], status["capacity"], outcomes)
            and set(outcomes) <= {"accepted", "rejected"}
            and all(re.fullmatch(r"verify-[0-9a-f]{10}-\d{1,3}", name) for name in run["decisions"])
            and slot.keys() == set(fields)
            and all(is_text(slot[field]) for field in fields)
        )

    def append(self, run):
        """Replaces the file as a whole, so that a crash leaves the old or the new one."""
        self.runs = (self.runs + [run])[-RUNS_REMEMBERED_MAX:]
        folder = os.path.dirname(os.path.abspath(self.path))
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".verify-")
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump({"format": self.FORMAT, "runs": self.runs}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except OSError:
            os.unlink(name)
            raise


# --- deleted ---------------------------------------------------------------------------------


def run_program(command, deadline, script=None, environment=None):
    """Runs a program to its end or the deadline; its exit code, output and complaints."""
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
            start_new_session=True,  # a group of its own, so that its children can be ended with it
        )
    except OSError as fault:
        raise NotEvidence(f"{command[0]} can't be run: {fault.strerror or fault}") from None
    try:
        output, complaints = process.communicate(script, timeout=seconds)
        return process.returncode, output, complaints.strip()
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise NotEvidence(f"{command[0]} did not end within {seconds:.0f} seconds") from None


def run_for_json(command, deadline, environment=None):
    """What a cloud's program says if all is well; anything else is no evidence."""
    code, output, complaints = run_program(command, deadline, environment=environment)
    try:
        if code == 0:
            return json.loads(output)
        reason = complaints or f"exit code {code}"
    except (ValueError, RecursionError):
        reason = "its output is no JSON"
    words = " ".join(itertools.takewhile(lambda word: not word.startswith("-"), command))
    raise NotEvidence(f"{words}: {reason}")


# pg_depend knows whatever is in a schema, of every kind; it is readable by all, with or without
# rights on the schema. What belongs to the tombstone itself (its types, its indexes) depends on the
# tombstone. Rows hidden by a policy must be an error, not an empty table.
DATABASE_SCRIPT = """
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL statement_timeout = '%(milliseconds)d';
SET LOCAL row_security = off;
SELECT jsonb_build_object(
  'user', current_user,
  'database', current_database(),
  'schema', EXISTS (SELECT FROM pg_namespace WHERE nspname = '%(schema)s'),
  'kind', (SELECT concat(c.relkind, c.relpersistence) FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '%(schema)s' AND c.relname = 'tombstone'),
  'columns', (SELECT jsonb_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)) FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '%(schema)s' AND c.relname = 'tombstone' AND a.attnum > 0 AND NOT a.attisdropped),
  'others', (SELECT jsonb_agg(DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid)) FROM pg_depend d
    JOIN pg_namespace n ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid
    LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
    WHERE n.nspname = '%(schema)s' AND c.relname IS DISTINCT FROM 'tombstone'));
SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = '%(schema)s' AND c.relname = 'tombstone' AND c.relkind = 'r') AS has_tombstone \\gset
\\if :has_tombstone
SELECT jsonb_agg(to_jsonb(t)) FROM (SELECT * FROM "%(schema)s".tombstone LIMIT 2) t;
\\endif
COMMIT;
"""
TOMBSTONE_COLUMNS = {"deleted_at": "timestamp with time zone", "deleted_by": "text"}


def prove_database(arguments, deadline, report):
    """A login that works sees the tombstone, and nothing besides it."""
    # Half of the time, so that psql and the server end by themselves and can say why.
    seconds = max(2, int(min(10, deadline.remaining() / 2)))
    command = ["psql", "-X", "-w", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", f"--dbname={arguments.database}"]
    script = DATABASE_SCRIPT % {"schema": arguments.namespace, "milliseconds": seconds * 1000}
    code, output, complaints = run_program(command, deadline, script, {"PGCONNECT_TIMEOUT": str(seconds)})
    lines = output.splitlines()
    try:
        found = json.loads(lines[0])
        rows = json.loads(lines[1] or "[]") if len(lines) > 1 else None
        login = f"as {found['user']} to the database {found['database']}"
    except (ValueError, IndexError, TypeError, KeyError):
        raise NotEvidence(f"psql: {complaints or f'unexpected output: {output[:200]}'}") from None
    report.note("database-login", login)
    report.judge("database-schema", problems_of_schema(found), f"{arguments.namespace} holds the tombstone alone")
    if found["kind"] != "rp":
        return
    if code != 0 or rows is None:
        raise NotEvidence(f"the tombstone could not be read: {complaints or f'psql ended with {code}'}")
    intact = len(rows) == 1 and all(is_text(rows[0].get(column)) for column in TOMBSTONE_COLUMNS)
    report.judge(
        "database-tombstone",
        [] if intact else [f"must hold one row that says when and by what: {json.dumps(rows)}"],
        f"deleted at {rows[0]['deleted_at']} by {rows[0]['deleted_by']}" if intact else "",
    )


def problems_of_schema(found):
    if not found["schema"]:
        return ["there is no such schema, hence no tombstone: nothing keeps an old instance from creating it again"]
    problems = [f"still there: {other}" for other in found["others"] or []]
    if found["kind"] is None:
        problems.append("there is no tombstone")
    elif found["kind"] != "rp":
        problems.append("the tombstone is no ordinary, durable table")
    elif found["columns"] != TOMBSTONE_COLUMNS:
        problems.append(f"the tombstone has other columns: {json.dumps(found['columns'])}")
    return problems


def prove_aws(arguments, deadline, report):
    """An identity that works is told by Lambda itself that there is no such function."""
    name, region, account = arguments.aws_function, arguments.aws_region, arguments.aws_account
    environment = {"AWS_PAGER": "", "AWS_MAX_ATTEMPTS": "2"}
    options = ["--region", region, "--output", "json"]
    identity = run_for_json(["aws", "sts", "get-caller-identity", *options], deadline, environment)
    actual = identity.get("Account") if isinstance(identity, dict) else None
    if not is_text(actual):
        raise NotEvidence("aws sts get-caller-identity named no account")
    if account and account != actual:
        raise NotEvidence(f"we are in the account {actual}, not in {account}: absence there proves nothing")
    report.note("aws-identity", f"account {actual}{'' if account else ', not compared: --aws-account would'}")
    command = ["aws", "lambda", "get-function-configuration", "--function-name", name, *options]
    code, _, complaints = run_program(command, deadline, environment=environment)
    # The message names what was looked for: it must be this function, in this place.
    absent = re.search(
        r"\(ResourceNotFoundException\) when calling the GetFunctionConfiguration operation:"
        rf".*:lambda:{region}:{actual}:function:{name}(?![\w:-])",
        complaints,
    )
    if code != 0 and not absent:
        raise NotEvidence(f"aws lambda get-function-configuration: {complaints or f'exit code {code}'}")
    report.judge("aws-function", [] if code else [f"{name} is still there"], f"{name} does not exist in {region}")


def prove_cloud_run(arguments, deadline, report):
    """An identity that sees the project and lists its services does not find this one."""
    name, project = arguments.cloud_run, arguments.google_project
    options = ["--quiet", "--format=json"]
    seen = run_for_json(["gcloud", "projects", "describe", project, *options], deadline)
    if not isinstance(seen, dict) or project not in (seen.get("projectId"), str(seen.get("projectNumber"))):
        raise NotEvidence(f"gcloud projects describe did not show {project}")
    report.note("google-project", f"{project} is visible, {seen.get('lifecycleState', 'in an unknown state')}")
    options += [f"--project={project}", f"--region={arguments.google_region}", "--platform=managed"]
    # To gcloud any 404 is a missing service, even one for a region that does not exist. That the
    # list comes shows that the question reached the right place.
    services = run_for_json(["gcloud", "run", "services", "list", *options], deadline)
    if not isinstance(services, list):
        raise NotEvidence("gcloud run services list: its output is no list")
    listed = any(isinstance(s, dict) and (s.get("metadata") or {}).get("name") == name for s in services)
    code, _, complaints = run_program(["gcloud", "run", "services", "describe", name, *options], deadline)
    absent = re.search(
        rf"\(gcloud\.run\.services\.describe\) (Cannot find service \[{name}\]|NOT_FOUND\b)", complaints
    )
    if code != 0 and not absent and not listed:
        raise NotEvidence(f"gcloud run services describe: {complaints or f'exit code {code}'}")
    problems = [f"{name} is still there"] if listed or code == 0 else []
    report.judge("cloud-run-service", problems, f"{name} does not exist in {project}")


def look_at_url(client, report):
    """What still answers must say that it is deleted. Silence is no evidence of anything."""
    try:
        health = client.call("GET", "/health")
    except NoAnswer as fault:
        report.note("url", f"no answer ({fault}), which proves nothing by itself")
        return
    # Empty bodies: should the service be alive after all, they change nothing.
    routes = [
        ("GET", "/workshops/verify-deleted/status", None),
        ("POST", "/workshops/verify-deleted/reservations", {}),
        ("POST", "/api/reservations/hold", {}),
        ("POST", "/api/reservations/confirm", {}),
        ("GET", "/api/slots", None),
        ("POST", "/api/workshops/verify-deleted/holds", {}),
    ]
    problems = [] if health.status == 200 else [f"GET /health: {health}"]
    problems += client.problems_of((*route, 410, {"status": "cleanup"}) for route in routes)
    report.judge("url", problems, f"healthy, and {len(routes)} routes answer 410")


# --- the command line ------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadUsage(message)


def matching(pattern, what):
    def check(text):
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f"not {what}")
        return text

    return check


def number(kind, lowest, highest):
    def check(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"not a number from {lowest} to {highest}")
        return value

    return check


def service_url(text):
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good or "@" in parts.netloc or parts.query or parts.fragment or not re.fullmatch(r"[!-~]+", text):
        raise argparse.ArgumentTypeError("not an http or https URL without user, query and fragment")
    return text


def database_url(text):
    # Other users of the machine can read a command line.
    if re.search(r"://[^/@]*:[^/@]*@|password\s*=", text):
        raise argparse.ArgumentTypeError("has a password in it; put that into PGPASSWORD or a PGPASSFILE")
    if not re.match(r"postgres(ql)?://", text) and not re.match(r"\s*\w+\s*=", text):
        raise argparse.ArgumentTypeError("neither postgresql://... nor host=...")
    return text


def parser():
    top = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common = Parser(add_help=False)
    common.add_argument("--timeout", type=number(float, 1, 3600), default=60.0, metavar="SECONDS",
                        help="deployed: the longest wait to become ready, and then as long for what is remembered "
                             "and for the rest; deleted: the longest for all (%(default)g)")
    common.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    common.add_argument("--bearer", metavar="FILE", help="an identity token for the platform (or SEATFAST_BEARER)")
    subjects = top.add_subparsers(dest="subject", metavar="deployed|deleted", parser_class=Parser)
    deployed = subjects.add_parser("deployed", parents=[common], help="check a running service")
    deployed.add_argument("--url", type=service_url, required=True, help="where it is")
    deployed.add_argument("--capacity", type=number(int, 1, CAPACITY_MAX), default=4,
                          help="the deployment's default capacity (%(default)s)")
    deployed.add_argument("--remember", metavar="FILE", help="check what earlier runs were told, and add this one")
    deleted = subjects.add_parser("deleted", parents=[common], help="prove that a deployment is gone")
    deleted.add_argument("--database", type=database_url, metavar="URL", help="of libpq: a URL or host=... pairs")
    deleted.add_argument("--namespace", default="seatfast", help="the schema (%(default)s)",
                         type=matching(r"[a-z][a-z0-9_]{0,47}", "a namespace, [a-z][a-z0-9_]{0,47}"))
    name, place = matching(r"[A-Za-z0-9_-]{1,64}", "a plain name"), matching(r"[a-z0-9-]{1,40}", "a region")
    deleted.add_argument("--aws-function", type=name, metavar="NAME", help="a Lambda function; no ARN, no qualifier")
    deleted.add_argument("--aws-region", type=place, metavar="R")
    deleted.add_argument("--aws-account", type=matching(r"\d{12}", "12 digits"), metavar="ID",
                         help="where the identity must be, or absence would prove nothing")
    deleted.add_argument("--cloud-run", type=name, metavar="NAME", help="a Cloud Run service")
    deleted.add_argument("--google-project", type=matching(r"[a-z0-9:.-]{1,100}", "a project"), metavar="P")
    deleted.add_argument("--google-region", type=place, metavar="R")
    deleted.add_argument("--url", type=service_url,
                         help="what still answers here must be the tombstone (410); proves nothing alone")
    return top


def parse_arguments(words):
    arguments = parser().parse_args(words)
    if arguments.subject is None:
        raise BadUsage("say deployed or deleted; --help tells more")
    if arguments.subject == "deleted":
        if not (arguments.database or arguments.aws_function or arguments.cloud_run):
            raise BadUsage("deleted needs a proof: --database, --aws-function or --cloud-run")
        if bool(arguments.aws_function) != bool(arguments.aws_region):
            raise BadUsage("--aws-function and --aws-region go together")
        if len({bool(arguments.cloud_run), bool(arguments.google_project), bool(arguments.google_region)}) > 1:
            raise BadUsage("--cloud-run, --google-project and --google-region go together")
    return arguments


def read_bearer(arguments):
    """The identity token, or None; never from the command line, which others can read."""
    token, source = os.environ.get("SEATFAST_BEARER", ""), "SEATFAST_BEARER"
    if arguments.bearer:
        source = f"--bearer {arguments.bearer}"
        try:
            with open(arguments.bearer, encoding="ascii") as file:
                token = file.read(1 << 16)
        except (OSError, ValueError) as fault:
            raise BadUsage(f"{source}: {getattr(fault, 'strerror', None) or 'not a token'}") from None
    elif not token:
        return None
    token = token.strip()
    if not re.fullmatch(r"[!-~]{8,}", token):
        raise BadUsage(f"{source}: not a token")
    parts = urlsplit(arguments.url or "")
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise BadUsage(f"{source}: a token does not go over plain http")
    return token


def check_deleted(arguments, client, report):
    deadline = Deadline(arguments.timeout)
    proofs = [
        ("database", arguments.database, prove_database),
        ("aws", arguments.aws_function, prove_aws),
        ("cloud-run", arguments.cloud_run, prove_cloud_run),
    ]
    for name, wanted, prove in proofs:
        if wanted:
            with report.guard(name):
                prove(arguments, deadline, report)
    if client:
        client.deadline = deadline
        with report.guard("url"):
            look_at_url(client, report)


def main(words):
    try:
        arguments = parse_arguments(words)
        report = Report(arguments.subject, arguments.json)
        report.secret = read_bearer(arguments)
        client = Client(arguments.url, report.secret) if arguments.url else None
        if arguments.subject == "deployed":
            memory = Memory(arguments.remember) if arguments.remember else None
            Deployed(arguments, client, memory, report).run()
        else:
            check_deleted(arguments, client, report)
    except BadUsage as fault:
        print(f"verify: {fault}", file=sys.stderr)
        return BAD_USAGE
    return report.finish(arguments.url)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
