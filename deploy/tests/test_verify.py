"""Tests of verify.py, each with a real process of it on real sockets.

Every broken service breaks one thing, and the check that is meant to find it must. The databases
are real where a PostgreSQL server is installed, and skipped where it is not. The real clouds are
never reached: `aws` and `gcloud` are small programs that print what the real ones print.
"""
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest

import postgres_server
from postgres_server import PASSWORD, Postgres
from reservation_service import Running, Service

VERIFY = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "verify.py")
SECONDS_MAX = 60


class Outcome:
    """What a run of verify.py said."""

    def __init__(self, code, output, complaints, seconds):
        self.code, self.output, self.complaints, self.seconds = code, output, complaints, seconds

    @property
    def document(self):
        return json.loads(self.output)

    def named(self, result):
        return {check["name"] for check in self.document["checks"] if check["result"] == result}

    def detail(self, name):
        return " | ".join(check["detail"] for check in self.document["checks"] if check["name"] == name)


def verify(*arguments, **environment):
    """Runs verify.py as its users do; an environment variable of None is removed."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "AWS_", "SEATFAST_"))}
    merged = {k: v for k, v in {**clean, **environment}.items() if v is not None}
    started = time.monotonic()
    process = subprocess.run(
        [sys.executable, VERIFY, *map(str, arguments)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", timeout=SECONDS_MAX, env=merged,
    )
    return Outcome(process.returncode, process.stdout, process.stderr, time.monotonic() - started)


class FolderTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="verify-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        return path


class DeployedTest(FolderTest):
    def check(self, service, *options, timeout=10, **environment):
        with Running(service) as running:
            return verify("deployed", "--url", running.url, "--json", "--timeout", timeout, *options, **environment)

    def assert_passes(self, outcome):
        self.assertEqual(outcome.code, 0, outcome.output + outcome.complaints)
        self.assertEqual(outcome.document["verdict"], "PASS")

    def assert_fails(self, outcome, *names):
        self.assertEqual(outcome.code, 1, outcome.output + outcome.complaints)
        self.assertEqual(outcome.document["verdict"], "FAIL")
        self.assertEqual(outcome.named("FAIL"), set(names), outcome.output)


class GoodServiceTest(DeployedTest):
    def test_passes(self):
        outcome = self.check(Service())
        self.assert_passes(outcome)
        self.assertEqual(outcome.document["subject"], "deployed")
        self.assertIn("4 accepted, 8 rejected of 12", outcome.detail("race-outcome"))
        self.assertTrue(all(check["ok"] for check in outcome.document["checks"]))

    def test_speaks_to_people_in_lines(self):
        with Running(Service()) as running:
            outcome = verify("deployed", "--url", running.url)
        self.assertEqual(outcome.code, 0)
        self.assertTrue(outcome.output.endswith("\nPASS: deployed\n"), outcome.output)
        self.assertRegex(outcome.output, r"(?m)^ok +race-outcome ")

    def test_tells_people_the_reasons_of_a_failure(self):
        class Open(Service):
            def operators(self, method, path):
                return 200, {}

        with Running(Open()) as running:
            outcome = verify("deployed", "--url", running.url)
        self.assertEqual(outcome.code, 1)
        self.assertRegex(outcome.output, r"\nFAIL: deployed\nFAIL: internals-closed: POST /internal/sweep")

    def test_may_have_another_capacity_if_that_is_expected(self):
        class Large(Service):
            capacity = 7

        outcome = self.check(Large(), "--capacity", 7)
        self.assert_passes(outcome)
        self.assertIn("7 accepted, 14 rejected of 21", outcome.detail("race-outcome"))
        self.assertIn("unused-workshop", self.check(Large()).named("FAIL"))

    def test_may_need_a_while_until_its_data_is_ready(self):
        class Slow(Service):
            reads = 0

            def before(self, method, path):
                if path.endswith("/status"):
                    self.reads += 1
                    if self.reads <= 4:
                        return 503, {"error": "unavailable"}

        outcome = self.check(Slow())
        self.assert_passes(outcome)
        self.assertIn("round 5", outcome.detail("ready"))

    def test_may_not_know_the_outcome_at_first(self):
        class Unsure(Service):
            """Decides, and loses every second answer."""

            def answer(self, method, path, text):
                real = super().answer(method, path, text)
                lost = method == "POST" and self.requests % 2
                return (503, {"error": "unavailable"}) if lost else real

        outcome = self.check(Unsure(), timeout=30)
        self.assert_passes(outcome)
        self.assertIn("asked again", outcome.detail("lost-answers"))

    def test_may_ask_for_patience(self):
        class Busy(Service):
            """Knows who comes back before the second it asked for."""

            refused_at, waited = None, SECONDS_MAX

            def before(self, method, path):
                if method == "POST" and self.refused_at is None:
                    self.refused_at = time.monotonic()
                    return 503, {"error": "overloaded"}, {"Retry-After": "1"}
                if method == "GET" and path.endswith("/status") and self.refused_at:
                    self.waited = min(self.waited, time.monotonic() - self.refused_at)
                return None

        busy = Busy()
        self.assert_passes(self.check(busy))
        self.assertGreaterEqual(busy.waited, 1)

    def test_may_lose_connections(self):
        class Torn(Service):
            posts = 0

            def raw_answer(self, handler, stopping):
                self.posts += handler.command == "POST"
                return handler.command == "POST" and self.posts <= 3

        outcome = self.check(Torn())
        self.assert_passes(outcome)
        self.assertTrue(outcome.detail("lost-answers").startswith("3 "), outcome.output)


class BrokenServiceTest(DeployedTest):
    """One broken thing each, found by the check of that name."""

    def test_oversells(self):
        class Oversells(Service):
            def fits(self, workshop):
                return workshop["reserved"] < workshop["capacity"] + 1

        names = self.check(Oversells()).named("FAIL")
        self.assertTrue({"race-outcome", "never-oversold"} <= names, names)

    def test_accepts_fewer_than_it_could(self):
        class Timid(Service):
            def fits(self, workshop):
                return workshop["reserved"] < workshop["capacity"] - 1

        # Its rejections also say that there was a seat left.
        self.assert_fails(self.check(Timid()), "race-outcome", "race-bodies")

    def test_decides_again(self):
        class Forgets(Service):
            def recall(self, workshop, request):
                return None

        self.assert_fails(self.check(Forgets()), "replays", "durable-totals")

    def test_replays_another_decision(self):
        class Mixes(Service):
            def recall(self, workshop, request):
                known = super().recall(workshop, request)
                return known and ("rejected" if known == "accepted" else "accepted")

        self.assert_fails(self.check(Mixes()), "replays")

    def test_replays_without_saying_so(self):
        class Silent(Service):
            def reserve(self, name, workshop, request):
                return (*super().reserve(name, workshop, request)[:2], {})

        self.assert_fails(self.check(Silent()), "replays")

    def test_says_replayed_of_a_first_decision(self):
        class Hasty(Service):
            def reserve(self, name, workshop, request):
                code, body, _ = super().reserve(name, workshop, request)
                return code, {**body, "replayed": True}, {"Idempotency-Replayed": "true"}

        self.assert_fails(self.check(Hasty()), "race-bodies")

    def test_keeps_other_totals_than_it_told(self):
        class Loses(Service):
            def reserve(self, name, workshop, request):
                answer = super().reserve(name, workshop, request)
                workshop["tally"]["rejected"] = min(workshop["tally"]["rejected"], 7)
                return answer

        self.assert_fails(self.check(Loses()), "durable-totals")

    def test_tells_once_of_more_seats_than_there_are(self):
        class Boasts(Service):
            def told_reserved(self, workshop, replayed):
                first = workshop["reserved"] == 4 and not workshop["tally"]["rejected"]
                return 5 if first else workshop["reserved"]

        self.assert_fails(self.check(Boasts()), "never-oversold")

    def test_answers_with_numbers_as_texts(self):
        class Texts(Service):
            def reserve(self, name, workshop, request):
                code, body, headers = super().reserve(name, workshop, request)
                return code, {**body, "seats": "1"}, headers

        self.assert_fails(self.check(Texts()), "race-bodies", "replays")

    def test_answers_true_where_one_is_meant(self):
        class Booleans(Service):
            def reserve(self, name, workshop, request):
                code, body, headers = super().reserve(name, workshop, request)
                return code, {**body, "seats": True}, headers

        self.assert_fails(self.check(Booleans()), "race-bodies", "replays")

    def test_never_decides_one_of_them(self):
        class Stuck(Service):
            def before(self, method, path):
                return None

            def reserve(self, name, workshop, request):
                if request.endswith("-5"):
                    return 503, {"error": "unavailable"}
                return super().reserve(name, workshop, request)

        outcome = self.check(Stuck(), timeout=5)
        self.assertEqual(outcome.code, 1)
        self.assertIn("race-decisions", outcome.named("FAIL"))
        self.assertIn("-5 was not decided", outcome.detail("race-decisions"))

    def test_lacks_a_header_on_rejections(self):
        for header, value in (
            ("X-Content-Type-Options", ""), ("Cache-Control", "max-age=60"), ("Content-Type", "text/html"),
        ):
            class Careless(Service):
                def reserve(self, name, workshop, request):
                    code, body, headers = super().reserve(name, workshop, request)
                    return code, body, {**headers, header: value} if code == 409 else headers

            with self.subTest(header):
                outcome = self.check(Careless())
                self.assert_fails(outcome, "headers")
                self.assertIn(header, outcome.detail("headers"))

    def test_opens_an_internal_route(self):
        for door in ("/internal/sweep", "/internal/events", "/internal/invariants", "attempts", "capacity"):
            class Open(Service):
                def operators(self, method, path):
                    return (200, {"done": True}) if path.endswith(door) else super().operators(method, path)

            with self.subTest(door):
                outcome = self.check(Open())
                self.assert_fails(outcome, "internals-closed")
                self.assertIn(door, outcome.detail("internals-closed"))

    def test_shows_a_stack_trace(self):
        class Chatty(Service):
            def failure(self, code, error):
                trace = {"stack": "java.lang.Exception\n\tat a.B.c(B.java:1)"} if error == "invalid_json" else {}
                return code, {"error": error, **trace}

        outcome = self.check(Chatty())
        self.assert_fails(outcome, "errors")
        self.assertIn("java.lang", outcome.detail("errors"))

    def test_gives_a_hold_twice(self):
        class Generous(Service):
            def has_slot(self, slot, body):
                return slot

        self.assert_fails(self.check(Generous()), "slot-conflict", "slot-booked")

    def test_forgets_whose_hold_it_is(self):
        class Strict(Service):
            holds = 0

            def has_slot(self, slot, body):
                self.holds += 1
                return slot if self.holds == 1 else None

        self.assert_fails(self.check(Strict()), "slot-replay")

    def test_lets_another_user_confirm(self):
        class Trusting(Service):
            def may_confirm(self, slot, user):
                return True

        self.assert_fails(self.check(Trusting()), "slot-wrong-user", "slot-still-owned")

    def test_holds_without_a_time_or_an_id(self):
        for field, value in (
            ("expiresAt", None), ("expiresAt", "2030-01-01"), ("reservationId", None), ("reservationId", 7),
        ):
            class Vague(Service):
                def of_slot(self, action, body):
                    code, answer = super().of_slot(action, body)
                    return code, {**answer, field: value}

            with self.subTest(f"{field} {value}"):
                self.assert_fails(self.check(Vague()), "slot-hold")

    def test_says_more_than_the_contract(self):
        class Generous(Service):
            def of_slot(self, action, body):
                code, answer = super().of_slot(action, body)
                return code, {**answer, "heldBy": "verify-user-1"} if code == 409 else answer

        self.assert_fails(self.check(Generous()), "slot-conflict", "slot-wrong-user", "slot-still-owned", "slot-booked")


class UnreadyServiceTest(DeployedTest):
    def test_whose_data_never_gets_ready_is_named(self):
        class Empty(Service):
            def before(self, method, path):
                return (503, {"error": "unavailable"}) if path.endswith("/status") else None

        outcome = self.check(Empty(), timeout=2)
        self.assert_fails(outcome, "ready")
        self.assertRegex(outcome.detail("ready"), r"still waiting for GET /workshops/verify-\w+/status \(last: 503")
        self.assertNotIn("/health", outcome.detail("ready"))

    def test_whose_probe_says_down_is_named(self):
        class Down(Service):
            def ready(self):
                return 503, {"status": "DOWN", "checks": []}

        outcome = self.check(Down(), timeout=2)
        self.assert_fails(outcome, "ready")
        self.assertIn("still waiting for GET /q/health/ready (last: 503", outcome.detail("ready"))

    def test_that_answers_garbage_fails(self):
        class Garbage(Service):
            def before(self, method, path):
                return 200, b"<html>\x1b[31m\xff" + b"[" * 100_000

        outcome = self.check(Garbage(), timeout=2)
        self.assert_fails(outcome, "ready")
        self.assertNotIn("\x1b", outcome.detail("ready"))

    def test_that_speaks_no_http_fails(self):
        class Noise(Service):
            def raw_answer(self, handler, stopping):
                handler.wfile.write(b"\x00\x01 nonsense\r\n\r\n")
                return True

        self.assert_fails(self.check(Noise(), timeout=2), "ready")

    def test_that_hangs_is_given_up_in_time(self):
        class Hangs(Service):
            def raw_answer(self, handler, stopping):
                return stopping.wait(SECONDS_MAX) or True

        outcome = self.check(Hangs(), timeout=2)
        self.assert_fails(outcome, "ready")
        self.assertLess(outcome.seconds, 8)

    def test_that_drips_its_answer_is_given_up_in_time(self):
        class Drips(Service):
            def raw_answer(self, handler, stopping):
                handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
                while not stopping.wait(0.2):
                    handler.wfile.write(b" ")
                return True

        outcome = self.check(Drips(), timeout=2)
        self.assert_fails(outcome, "ready")
        self.assertIn("no whole answer within", outcome.detail("ready"))
        self.assertLess(outcome.seconds, 8)

    def test_that_hangs_in_the_race_is_given_up_in_time(self):
        class Hangs(Service):
            def raw_answer(self, handler, stopping):
                return handler.command == "POST" and (stopping.wait(SECONDS_MAX) or True)

        outcome = self.check(Hangs(), timeout=3)
        self.assertEqual(outcome.code, 1)
        self.assertIn("race-decisions", outcome.named("FAIL"))
        self.assertLess(outcome.seconds, 15)

    def test_that_is_not_there_fails(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}"
            outcome = verify("deployed", "--url", url, "--json", "--timeout", 1)
        self.assert_fails(outcome, "ready")


class RememberTest(DeployedTest):
    def setUp(self):
        super().setUp()
        self.told = self.path("told.json")
        self.kept = {"workshops": {}, "slots": {}}

    def run_with(self, service):
        return self.check(service, "--remember", self.told)

    def runs(self):
        with open(self.told, encoding="utf-8") as file:
            return json.load(file)["runs"]

    def test_finds_all_still_so_after_a_restart(self):
        self.assert_passes(self.run_with(Service(self.kept)))
        again = self.run_with(Service(self.kept))
        self.assert_passes(again)
        self.assertEqual(again.detail("remembered"), "1 runs, 12 decisions, 1 slots: still so")
        self.assertEqual(len(self.runs()), 2)

    def test_finds_a_reset(self):
        self.assert_passes(self.run_with(Service(self.kept)))
        reset = Service()
        outcome = self.run_with(reset)
        self.assert_fails(outcome, "remembered")
        self.assertIn("totals of verify-", outcome.detail("remembered"))
        self.assertIn("slot of verify-", outcome.detail("remembered"))
        self.assertEqual(len(self.runs()), 1, "a failed run was added")
        self.assertEqual(len(reset.kept["workshops"]), 1, "it decided remembered requests anew")

    def test_finds_one_decision_that_changed(self):
        self.assert_passes(self.run_with(Service(self.kept)))
        decided = next(iter(self.kept["workshops"].values()))["decided"]
        one, other = (next(r for r, o in decided.items() if o == outcome) for outcome in ("accepted", "rejected"))
        decided[one], decided[other] = "rejected", "accepted"
        outcome = self.run_with(Service(self.kept))
        self.assert_fails(outcome, "remembered")
        self.assertIn(one, outcome.detail("remembered"))

    def test_finds_a_slot_that_somebody_else_has_now(self):
        self.assert_passes(self.run_with(Service(self.kept)))
        next(iter(self.kept["slots"].values()))["userId"] = "somebody"
        self.assert_fails(self.run_with(Service(self.kept)), "remembered")

    def test_keeps_the_last_20_runs(self):
        self.assert_passes(self.run_with(Service(self.kept)))
        first = self.runs()[0]
        with open(self.told, "w", encoding="utf-8") as file:
            json.dump({"format": "seatfast-verify-1", "runs": [first] * 20}, file)
        self.assert_passes(self.run_with(Service(self.kept)))
        self.assertEqual(len(self.runs()), 20)
        self.assertNotEqual(self.runs()[-1], first)

    def test_refuses_a_file_that_is_not_its_own(self):
        self.assert_passes(self.run_with(Service(self.kept)))
        with open(self.told, encoding="utf-8") as file:
            good = file.read()
        foreign = ["", "not json", "[]", "{}", "null", '{"format":"seatfast-verify-1"}', "[" * 100_000,
                   '{"format":"seatfast-verify-1","runs":[{}]}', good[:-20],
                   good.replace("accepted", "perhaps"),
                   good.replace('"decisions": {', '"decisions": {"verify-0123456789-1": "perhaps",'),
                   good.replace('"workshop": "verify-', '"workshop": "../verify-'),
                   good.replace('"capacity": 4', '"capacity": "4"'), good.replace("seatfast-verify-1", "other")]
        for content in foreign:
            with self.subTest(content[:40]):
                self.path("told.json", content)
                service = Service(self.kept)
                outcome = self.run_with(service)
                self.assertEqual(outcome.code, 64, outcome.output)
                self.assertIn("not a file that this program wrote", outcome.complaints)
                self.assertEqual(service.requests, 0)
                with open(self.told, encoding="utf-8") as file:
                    self.assertEqual(file.read(), content, "it was overwritten")

    def test_refuses_a_folder_that_is_not_there(self):
        outcome = verify("deployed", "--url", "http://127.0.0.1:1", "--remember", self.path("no/told.json"))
        self.assertEqual(outcome.code, 64)


class BearerTest(DeployedTest):
    TOKEN = "a-token-that-nobody-may-see"

    def test_is_sent_with_every_request_and_never_shown(self):
        class Echoes(Service):
            """Refuses, and shows who asked."""

            def before(self, method, path):
                return 401, {"error": f"not you: {self.authorizations}"}

        good, echoes = Service(), Echoes()
        self.assert_passes(self.check(good, SEATFAST_BEARER=self.TOKEN))
        self.assertEqual(good.authorizations, {f"Bearer {self.TOKEN}"})
        outcome = self.check(echoes, "--bearer", self.path("token", self.TOKEN + "\n"), timeout=1)
        self.assertEqual(echoes.authorizations, {f"Bearer {self.TOKEN}"})
        self.assert_fails(outcome, "ready")
        self.assertNotIn(self.TOKEN, outcome.output + outcome.complaints)
        self.assertIn("***", outcome.detail("ready"))

    def test_is_not_sent_in_the_clear(self):
        outcome = verify("deployed", "--url", "http://seatfast.example", SEATFAST_BEARER=self.TOKEN)
        self.assertEqual(outcome.code, 64)
        self.assertIn("plain http", outcome.complaints)

    def test_must_be_one(self):
        for content in ("", "two words and more", "short", "caf\u00e9-cafe-cafe"):
            with self.subTest(content):
                path = self.path("token", content)
                outcome = verify("deployed", "--url", "http://localhost:1", "--bearer", path)
                self.assertEqual(outcome.code, 64)
                self.assertIn("not a token", outcome.complaints)


class UsageTest(unittest.TestCase):
    def test_bad_usage_has_an_exit_code_of_its_own(self):
        aws = ["deleted", "--aws-function", "f"]
        for words in (
            [], ["nothing"], ["deployed"], ["deployed", "--url", "ftp://x"], ["deployed", "--url", "http://u:p@x"],
            ["deployed", "--url", "http://x:99999"], ["deployed", "--url", "http://x", "--timeout", "0"],
            ["deployed", "--url", "http://x", "--timeout", "nan"],
            ["deployed", "--url", "http://x", "--capacity", "65"],
            ["deleted"], ["deleted", "--url", "http://x"], ["deleted", "--database", "db.example"], aws,
            ["deleted", "--database", "postgresql://u:secret@db.example/x"],
            ["deleted", "--database", "host=db.example password=secret"],
            ["deleted", "--database", "host=x", "--namespace", "x'; drop"],
            ["deleted", "--aws-function", "f:1", "--aws-region", "eu-west-1"],
            [*aws, "--aws-region", "eu-west-1", "--aws-account", "1"],
            ["deleted", "--cloud-run", "f", "--google-project", "p"],
        ):
            with self.subTest(words):
                outcome = verify(*words)
                self.assertEqual(outcome.code, 64, outcome.output + outcome.complaints)
                self.assertEqual(outcome.output, "")
                self.assertRegex(outcome.complaints, r"^verify: ")
                self.assertNotIn("secret", outcome.complaints)

    def test_help_is_not_bad_usage(self):
        self.assertEqual(verify("--help").code, 0)
        self.assertEqual(verify("deleted", "--help").code, 0)


class DeletedTest(FolderTest):
    def assert_verdict(self, outcome, code, *names):
        """The verdict, and which checks failed or could not be made."""
        self.assertEqual(outcome.code, code, outcome.output + outcome.complaints)
        verdict = {0: "PASS", 1: "FAIL", 2: "NOT EVIDENCE"}[code]
        self.assertEqual(outcome.document["verdict"], verdict)
        named = outcome.named("FAIL") | outcome.named("NOT EVIDENCE")
        self.assertEqual(named, set(names), outcome.output)


TOMBSTONE = "CREATE TABLE {0}.tombstone (deleted_at timestamptz NOT NULL, deleted_by text NOT NULL);"
ONE_ROW = "INSERT INTO {0}.tombstone VALUES (now(), '1.0');"
LEFTOVERS = {
    "table": "CREATE TABLE {0}.seat_pool (pool_key text PRIMARY KEY)",
    "view": "CREATE VIEW {0}.v AS SELECT 1 AS one",
    "materialized view": "CREATE MATERIALIZED VIEW {0}.v AS SELECT 1 AS one",
    "sequence": "CREATE SEQUENCE {0}.s",
    "function": "CREATE FUNCTION {0}.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "function named like the tombstone": "CREATE FUNCTION {0}.tombstone() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "procedure": "CREATE PROCEDURE {0}.p() LANGUAGE sql AS 'SELECT 1'",
    "aggregate": "CREATE AGGREGATE {0}.a(int) (SFUNC = int4pl, STYPE = int)",
    "enum": "CREATE TYPE {0}.t AS ENUM ('a')",
    "composite type": "CREATE TYPE {0}.t AS (a int)",
    "domain": "CREATE DOMAIN {0}.d AS int",
    "operator": "CREATE OPERATOR {0}.@@@ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl)",
    "collation": "CREATE COLLATION {0}.c FROM \"C\"",
    "text search": "CREATE TEXT SEARCH CONFIGURATION {0}.t (COPY = simple)",
    "statistics": "CREATE STATISTICS {0}.s ON deleted_at, deleted_by FROM {0}.tombstone",
    "default privileges": "ALTER DEFAULT PRIVILEGES IN SCHEMA {0} GRANT SELECT ON TABLES TO PUBLIC",
}


@unittest.skipIf(postgres_server.why_not(), postgres_server.why_not() or "")
class DatabaseTest(DeletedTest):
    @classmethod
    def setUpClass(cls):
        cls.postgres = Postgres()
        cls.addClassCleanup(cls.postgres.stop)
        cls.postgres.start()
        cls.schemas = 0

    def schema(self, *statements):
        """A schema of its own, in which {0} is its name."""
        type(self).schemas += 1
        name = f"seatfast_{self.schemas}"
        self.postgres.execute("\n".join(s.format(name) + ";" for s in ("CREATE SCHEMA {0}", *statements)))
        return name

    def prove(self, schema, *options, url=None, **environment):
        return verify(
            "deleted", "--database", url or self.postgres.url(), "--namespace", schema, "--json", "--timeout", 20,
            *options, **{"PGPASSWORD": PASSWORD, **environment},
        )

    def test_the_tombstone_alone_passes(self):
        outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW))
        self.assert_verdict(outcome, 0)
        self.assertIn("by 1.0", outcome.detail("database-tombstone"))
        self.assertIn("as owner", outcome.detail("database-login"))

    def test_says_so_in_lines(self):
        schema = self.schema(TOMBSTONE, ONE_ROW)
        words = ["deleted", "--database", self.postgres.url(), "--namespace", schema]
        self.assertTrue(verify(*words, PGPASSWORD=PASSWORD).output.endswith("\nPASS: deleted\n"))
        refused = verify(*words, PGPASSWORD="wrong").output
        self.assertIn("\nNOT EVIDENCE: deleted\nNOT EVIDENCE: database: psql: ", refused)
        self.assertNotIn("PASS", refused)

    def test_a_password_may_come_from_a_file(self):
        path = self.path("pgpass", f"*:*:*:owner:{PASSWORD}\n")
        os.chmod(path, 0o600)
        self.assert_verdict(self.prove(self.schema(TOMBSTONE, ONE_ROW), PGPASSWORD=None, PGPASSFILE=path), 0)

    def test_the_tombstone_may_have_an_index_of_its_own(self):
        key = "ALTER TABLE {0}.tombstone ADD PRIMARY KEY (deleted_by)"
        self.assert_verdict(self.prove(self.schema(TOMBSTONE, ONE_ROW, key)), 0)

    def test_a_schema_named_like_a_keyword_is_found(self):
        self.postgres.execute('CREATE SCHEMA "user";' + (TOMBSTONE + ONE_ROW).format('"user"'))
        self.assert_verdict(self.prove("user"), 0)

    def test_a_leftover_of_any_kind_fails(self):
        for kind, statement in LEFTOVERS.items():
            with self.subTest(kind):
                outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW, statement))
                self.assert_verdict(outcome, 1, "database-schema")
                self.assertIn("still there: ", outcome.detail("database-schema"))

    def test_a_missing_schema_fails(self):
        outcome = self.prove("seatfast_of_nobody")
        self.assert_verdict(outcome, 1, "database-schema")
        self.assertIn("no such schema, hence no tombstone", outcome.detail("database-schema"))

    def test_no_tombstone_fails(self):
        self.assert_verdict(self.prove(self.schema()), 1, "database-schema")

    def test_a_tombstone_of_another_form_fails(self):
        for kind, statement in {
            "view": "CREATE VIEW {0}.tombstone AS SELECT now() AS deleted_at, text '1.0' AS deleted_by",
            "unlogged": TOMBSTONE.replace("TABLE", "UNLOGGED TABLE") + ONE_ROW,
            "wrong type": "CREATE TABLE {0}.tombstone (deleted_at timestamp, deleted_by text);" + ONE_ROW,
            "wrong column": "CREATE TABLE {0}.tombstone (deleted_at timestamptz, version text);" + ONE_ROW,
            "one more column": TOMBSTONE + ONE_ROW + "ALTER TABLE {0}.tombstone ADD note text",
        }.items():
            with self.subTest(kind):
                outcome = self.prove(self.schema(statement))
                self.assertEqual(outcome.code, 1, outcome.output)
                self.assertIn("database-schema", outcome.named("FAIL"))

    def test_a_tombstone_without_its_one_row_fails(self):
        nullable = TOMBSTONE.replace(" NOT NULL", "")
        for kind, statements in {
            "empty": [TOMBSTONE],
            "two rows": [TOMBSTONE, ONE_ROW, ONE_ROW],
            "by nobody": [nullable, "INSERT INTO {0}.tombstone VALUES (now(), NULL)"],
            "at no time": [nullable, "INSERT INTO {0}.tombstone VALUES (NULL, '1.0')"],
        }.items():
            with self.subTest(kind):
                self.assert_verdict(self.prove(self.schema(*statements)), 1, "database-tombstone")

    def test_what_a_login_may_not_read_is_no_evidence(self):
        self.postgres.execute(f"CREATE USER stranger PASSWORD '{PASSWORD}'")
        url = self.postgres.url("stranger")
        outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW), url=url)
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("permission denied", outcome.detail("database"))
        hidden = self.schema(
            TOMBSTONE, ONE_ROW, ONE_ROW,
            "GRANT USAGE ON SCHEMA {0} TO stranger", "GRANT SELECT ON {0}.tombstone TO stranger",
            "ALTER TABLE {0}.tombstone ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY one ON {0}.tombstone USING (ctid = '(0,1)')",
        )
        self.assert_verdict(self.prove(hidden, url=url), 2, "database")
        # Catalogs are readable by all: a leftover is seen even so.
        outcome = self.prove(self.schema(TOMBSTONE, ONE_ROW, LEFTOVERS["table"]), url=url)
        self.assert_verdict(outcome, 1, "database", "database-schema")

    def test_a_login_that_fails_is_no_evidence(self):
        schema = self.schema(TOMBSTONE, ONE_ROW)
        self.assert_verdict(self.prove(schema, PGPASSWORD="wrong"), 2, "database")
        self.assert_verdict(self.prove(schema, PGPASSWORD=None, HOME=self.folder), 2, "database")

    def test_a_wrong_port_is_no_evidence(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = self.postgres.url(port=unused.getsockname()[1])
            self.assert_verdict(self.prove("seatfast", url=url), 2, "database")

    def test_a_lock_that_is_held_is_no_evidence_in_time(self):
        schema = self.schema(TOMBSTONE, ONE_ROW)
        locked = f"BEGIN; LOCK TABLE {schema}.tombstone; SELECT pg_sleep(30);"
        holder = subprocess.Popen(
            ["psql", "-X", "-w", "-q", f"--dbname={self.postgres.url()}", "-c", locked],
            env={**os.environ, "PGPASSWORD": PASSWORD}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.addCleanup(lambda: (holder.kill(), holder.wait()))
        time.sleep(0.5)
        outcome = self.prove(schema, "--timeout", 6)
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("statement timeout", outcome.detail("database"))
        self.assertLess(outcome.seconds, 10)


class DatabaseProgramTest(DeletedTest):
    def prove(self, port, **environment):
        url = f"host=127.0.0.1 port={port} user=owner dbname=postgres"
        return verify("deleted", "--database", url, "--json", "--timeout", 6, **environment)

    def test_a_missing_psql_is_no_evidence(self):
        outcome = self.prove(1, PATH=self.folder)
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("psql can't be run", outcome.detail("database"))

    @unittest.skipUnless(shutil.which("psql"), "no psql is installed")
    def test_a_server_that_hangs_is_no_evidence_in_time(self):
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            outcome = self.prove(server.getsockname()[1])
        self.assert_verdict(outcome, 2, "database")
        self.assertIn("timeout", outcome.detail("database"))
        self.assertLess(outcome.seconds, 10)

    def test_a_psql_that_says_nothing_or_nonsense_is_no_evidence(self):
        for output in ("exit 0", "echo hello", "echo '[]'", "exit 3"):
            with self.subTest(output):
                program = self.path("psql", f"#!/bin/sh\ncat > /dev/null\n{output}\n")
                os.chmod(program, stat.S_IRWXU)
                outcome = self.prove(1, PATH=self.folder + os.pathsep + os.environ["PATH"])
                self.assert_verdict(outcome, 2, "database")

    @unittest.skipUnless(os.path.isdir("/proc/self"), "there is no /proc to see processes in")
    def test_a_psql_that_hangs_is_ended_with_its_children(self):
        pid = self.path("pid")
        program = self.path("psql", f"#!/bin/sh\nsleep 60 &\necho $! > {pid}\nwait\n")
        os.chmod(program, stat.S_IRWXU)
        outcome = self.prove(1, PATH=self.folder + os.pathsep + os.environ["PATH"])
        self.assert_verdict(outcome, 2, "database")
        self.assertLess(outcome.seconds, 10)
        with open(pid, encoding="ascii") as file:
            child = file.read().strip()
        try:
            with open(f"/proc/{child}/stat", encoding="ascii") as file:
                state = file.read().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return
        self.assertEqual(state, "Z", "the child still runs")  # a zombie that nobody has collected yet


class ProgramsTest(DeletedTest):
    """Programs that print, for the beginning of a command line, what the real ones print."""

    program = None

    def install(self, answers):
        cases = ""
        for words, (code, output, complaints) in answers.items():
            self.path(f"{self.program}-{len(cases)}-out", output)
            self.path(f"{self.program}-{len(cases)}-err", complaints)
            files = self.path(f"{self.program}-{len(cases)}")
            cases += f'  "{words}"*) cat {files}-out; cat {files}-err >&2; exit {code};;\n'
        program = self.path(self.program, f'#!/bin/sh\ncase "$*" in\n{cases}esac\necho "unexpected: $*" >&2\nexit 99\n')
        os.chmod(program, stat.S_IRWXU)

    def run_with(self, answers, *options):
        self.install(answers)
        return verify("deleted", "--json", "--timeout", 5, *options, PATH=self.folder + os.pathsep + os.environ["PATH"])


class AwsProgram(ProgramsTest):
    program = "aws"
    IDENTITY = "sts get-caller-identity --region eu-west-1"
    FUNCTION = "lambda get-function-configuration --function-name reserve --region eu-west-1"
    WE_ARE = (0, '{"UserId": "AIDA", "Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/u"}', "")
    ERROR = "\nAn error occurred ({0}) when calling the GetFunctionConfiguration operation: {1}\n"
    GONE = "Function not found: arn:aws:lambda:{}:{}:function:{}"
    ABSENT = (254, "", ERROR.format("ResourceNotFoundException", GONE.format("eu-west-1", "123456789012", "reserve")))

    def prove(self, identity, function, *options):
        answers = {self.IDENTITY: identity, self.FUNCTION: function}
        return self.run_with(answers, "--aws-function", "reserve", "--aws-region", "eu-west-1", *options)


class AwsTest(AwsProgram):
    def test_a_function_that_lambda_does_not_know_passes(self):
        self.assert_verdict(self.prove(self.WE_ARE, self.ABSENT), 0)
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--aws-account", "123456789012")
        self.assert_verdict(outcome, 0)
        self.assertEqual(outcome.detail("aws-identity"), "account 123456789012")

    def test_a_function_that_is_there_fails(self):
        self.assert_verdict(self.prove(self.WE_ARE, (0, '{"FunctionName": "reserve"}', "")), 1, "aws-function")

    def test_another_account_is_no_evidence(self):
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--aws-account", "210987654321")
        self.assert_verdict(outcome, 2, "aws")

    def test_an_identity_that_does_not_work_is_no_evidence(self):
        for identity in (
            (253, "", "\nUnable to locate credentials. You can configure credentials by running \"aws configure\".\n"),
            (254, "", "\nAn error occurred (ExpiredToken) when calling the GetCallerIdentity operation: expired\n"),
            (0, "", ""), (0, "[]", ""), (0, "{}", ""),
        ):
            with self.subTest(identity):
                self.assert_verdict(self.prove(identity, self.ABSENT), 2, "aws")

    def test_any_other_refusal_is_no_evidence(self):
        denied, missing = "AccessDeniedException", "ResourceNotFoundException"
        for error, message in (
            (denied, "User is not authorized to perform: lambda:GetFunctionConfiguration"),
            (denied, "no: ResourceNotFoundException"),
            (missing, "The resource you requested does not exist."),
            (missing, self.GONE.format("eu-west-1", "123456789012", "reserve:1")),
            (missing, self.GONE.format("eu-west-1", "123456789012", "reserve-2")),
            (missing, self.GONE.format("us-east-1", "123456789012", "reserve")),
            (missing, self.GONE.format("eu-west-1", "210987654321", "reserve")),
        ):
            with self.subTest(message):
                function = (254, "", self.ERROR.format(error, message))
                self.assert_verdict(self.prove(self.WE_ARE, function), 2, "aws")
        silent = (1, "", "")
        offline = (255, "", '\nCould not connect to the endpoint URL: "https://lambda.eu-west-1.amazonaws.com/"\n')
        for function in (silent, offline):
            with self.subTest(function):
                self.assert_verdict(self.prove(self.WE_ARE, function), 2, "aws")

    def test_a_missing_program_is_no_evidence(self):
        words = ["deleted", "--json", "--aws-function", "reserve", "--aws-region", "eu-west-1"]
        self.assert_verdict(verify(*words, PATH=self.folder), 2, "aws")

    def test_one_proof_that_could_not_be_made_spoils_the_others(self):
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--database", "host=127.0.0.1 port=1")
        self.assert_verdict(outcome, 2, "database")


class CloudRunTest(ProgramsTest):
    program = "gcloud"
    PLACE = "--quiet --format=json --project=p-1 --region=europe-west1 --platform=managed"
    PROJECT = "projects describe p-1 --quiet --format=json"
    LIST = f"run services list {PLACE}"
    DESCRIBE = f"run services describe reserve {PLACE}"
    VISIBLE = (0, '{"projectId": "p-1", "projectNumber": "12", "lifecycleState": "ACTIVE"}', "")
    OTHERS = (0, '[{"metadata": {"name": "reserve-2"}}]', "")
    ERROR = "ERROR: (gcloud.run.services.describe) "
    ABSENT = (1, "", ERROR + "Cannot find service [reserve]\n")

    def prove(self, project=VISIBLE, listed=OTHERS, described=ABSENT):
        answers = {self.PROJECT: project, self.LIST: listed, self.DESCRIBE: described}
        return self.run_with(
            answers, "--cloud-run", "reserve", "--google-project", "p-1", "--google-region", "europe-west1"
        )

    def test_a_service_that_cloud_run_does_not_know_passes(self):
        self.assert_verdict(self.prove(), 0)
        self.assert_verdict(self.prove(listed=(0, "[]", "")), 0)
        not_found = self.ERROR + "NOT_FOUND: Resource 'reserve' was not found\n"
        self.assert_verdict(self.prove(described=(1, "", not_found)), 0)

    def test_a_service_that_is_there_fails(self):
        there = (0, '{"metadata": {"name": "reserve"}}', "")
        self.assert_verdict(self.prove(described=there), 1, "cloud-run-service")
        self.assert_verdict(self.prove(listed=(0, f"[{there[1]}]", "")), 1, "cloud-run-service")

    def test_a_project_that_is_not_visible_is_no_evidence(self):
        for project in (
            (1, "", "ERROR: (gcloud.projects.describe) You do not currently have an active account selected.\n"),
            (1, "", "ERROR: (gcloud.projects.describe) [u] does not have permission to access [p-1]\n"),
            (0, '{"projectId": "p-2"}', ""), (0, "", ""), (0, "[]", ""),
        ):
            with self.subTest(project):
                self.assert_verdict(self.prove(project=project), 2, "cloud-run")

    def test_a_list_that_does_not_come_is_no_evidence(self):
        """To the real gcloud, any 404 is a missing service, also in a region that does not exist."""
        for listed in ((1, "", "ERROR: (gcloud.run.services.list) HTTPError 404\n"), (0, "{}", ""), (0, "", "")):
            with self.subTest(listed):
                self.assert_verdict(self.prove(listed=listed), 2, "cloud-run")

    def test_any_other_refusal_is_no_evidence(self):
        for complaint in (
            self.ERROR + "PERMISSION_DENIED: Permission 'run.services.get' denied\n",
            self.ERROR + "Cannot find service [other]\n",
            "ERROR: gcloud crashed (TransportError): name resolution failed\n",
            "",
        ):
            with self.subTest(complaint):
                self.assert_verdict(self.prove(described=(1, "", complaint)), 2, "cloud-run")

    def test_a_missing_program_is_no_evidence(self):
        words = ["--cloud-run", "reserve", "--google-project", "p-1", "--google-region", "europe-west1"]
        self.assert_verdict(verify("deleted", "--json", *words, PATH=self.folder), 2, "cloud-run")


class DeletedUrlTest(AwsProgram):
    """What still answers somewhere, beside a proof that stands."""

    class Tombstone(Service):
        def before(self, method, path):
            return None if path == "/health" else (410, {"status": "cleanup"})

    def look(self, service):
        with Running(service) as running:
            return self.prove(self.WE_ARE, self.ABSENT, "--url", running.url)

    def test_a_tombstone_that_answers_passes(self):
        self.assert_verdict(self.look(self.Tombstone()), 0)

    def test_silence_is_noted_only(self):
        outcome = self.prove(self.WE_ARE, self.ABSENT, "--url", "http://127.0.0.1:1")
        self.assert_verdict(outcome, 0)
        self.assertIn("proves nothing", outcome.detail("url"))

    def test_a_service_that_is_alive_fails_and_is_not_changed(self):
        alive = Service()
        alive.of_slot = lambda action, body: (400, {"error": "invalid_tenant_id"})
        alive.reserve = None  # would break the answer if it got that far
        self.assert_verdict(self.look(alive), 1, "url")
        self.assertEqual(alive.kept, {"workshops": {}, "slots": {}})

    def test_one_route_that_still_works_fails(self):
        class Reads(self.Tombstone):
            def before(self, method, path):
                return None if path.endswith("/status") else super().before(method, path)

        self.assert_verdict(self.look(Reads()), 1, "url")

    def test_a_tombstone_that_is_not_healthy_fails(self):
        class Sick(self.Tombstone):
            def before(self, method, path):
                return 410, {"status": "cleanup"}

        self.assert_verdict(self.look(Sick()), 1, "url")


if __name__ == "__main__":
    unittest.main()
