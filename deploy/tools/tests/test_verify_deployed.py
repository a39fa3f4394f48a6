"""Services that break one thing each, and the check of the verifier that must find it."""

import socket
import time
from typing import ClassVar

from .reservation_service import Running, Service
from .support import SECONDS_MAX, DeployedTest, verify


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
        self.assertRegex(
            outcome.output, r"\nFAIL: deployed\nFAIL: internals-closed: POST /internal/sweep"
        )

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
                return None

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

        outcome = self.check(Unsure())
        self.assert_passes(outcome)
        self.assertIn("sent again", outcome.detail("lost-answers"))

    def test_may_ask_for_patience(self):
        class Busy(Service):
            """Measures how long the client waits after it was asked for a second."""

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
                return known and (
                    {"accepted": "rejected", "rejected": "accepted"}[known[0]],
                    known[1],
                )

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
            def told_reserved(self, workshop, reserved, replayed):
                return 5 if reserved == 4 and not workshop["tally"]["rejected"] else reserved

        # The replay then tells of four.
        self.assert_fails(self.check(Boasts()), "never-oversold", "replays")

    def test_tells_two_requests_of_the_same_seat(self):
        class Repeats(Service):
            def told_reserved(self, workshop, reserved, replayed):
                return 1 if reserved == 2 else reserved

        outcome = self.check(Repeats())
        self.assert_fails(outcome, "never-oversold")
        self.assertIn("were both given seat 1", outcome.detail("never-oversold"))

    def test_replays_with_the_seats_that_are_taken_today(self):
        class Current(Service):
            def told_reserved(self, workshop, reserved, replayed):
                return workshop["reserved"] if replayed else reserved

        self.assert_fails(self.check(Current()), "replays")

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
            def reserve(self, name, workshop, request):
                if request.endswith("-5"):
                    return 503, {"error": "unavailable"}
                return super().reserve(name, workshop, request)

        outcome = self.check(Stuck())
        self.assertEqual(outcome.code, 1)
        self.assertIn("race-decisions", outcome.named("FAIL"))
        self.assertIn("-5 was not decided", outcome.detail("race-decisions"))

    def test_lacks_a_header_on_rejections(self):
        for header, value in (
            ("X-Content-Type-Options", ""),
            ("Cache-Control", "max-age=60"),
            ("Content-Type", "text/html"),
        ):

            class Careless(Service):
                changed: ClassVar = {header: value}

                def reserve(self, name, workshop, request):
                    code, body, headers = super().reserve(name, workshop, request)
                    return code, body, {**headers, **self.changed} if code == 409 else headers

            with self.subTest(header):
                outcome = self.check(Careless())
                self.assert_fails(outcome, "headers")
                self.assertIn(header, outcome.detail("headers"))

    def test_opens_an_internal_route(self):
        for route in (
            "/internal/sweep",
            "/internal/events",
            "/internal/invariants",
            "attempts",
            "capacity",
        ):

            class Open(Service):
                open_route = route

                def operators(self, method, path):
                    opened = path.endswith(self.open_route)
                    return (200, {"done": True}) if opened else super().operators(method, path)

            with self.subTest(route):
                outcome = self.check(Open())
                self.assert_fails(outcome, "internals-closed")
                self.assertIn(route, outcome.detail("internals-closed"))

    def test_shows_a_stack_trace(self):
        class Chatty(Service):
            def failure(self, code, error):
                trace = (
                    {"stack": "java.lang.Exception\n\tat a.B.c(B.java:1)"}
                    if error == "invalid_json"
                    else {}
                )
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
            ("expiresAt", None),
            ("expiresAt", "2030-01-01"),
            ("reservationId", None),
            ("reservationId", 7),
        ):

            class Vague(Service):
                changed: ClassVar = {field: value}

                def of_slot(self, action, body):
                    code, answer = super().of_slot(action, body)
                    return code, {**answer, **self.changed}

            with self.subTest(f"{field} {value}"):
                self.assert_fails(self.check(Vague()), "slot-hold")

    def test_says_more_than_the_contract(self):
        class Generous(Service):
            def of_slot(self, action, body):
                code, answer = super().of_slot(action, body)
                return code, {**answer, "heldBy": "verify-user-1"} if code == 409 else answer

        self.assert_fails(
            self.check(Generous()),
            "slot-conflict",
            "slot-wrong-user",
            "slot-still-owned",
            "slot-booked",
        )


class UnreadyServiceTest(DeployedTest):
    def test_whose_data_never_gets_ready_is_named(self):
        class Empty(Service):
            def before(self, method, path):
                return (503, {"error": "unavailable"}) if path.endswith("/status") else None

        outcome = self.check(Empty(), timeout=1)
        self.assert_fails(outcome, "ready")
        self.assertRegex(
            outcome.detail("ready"),
            r"still waiting for GET /workshops/verify-\w+/status \(last: 503",
        )
        self.assertNotIn("/health", outcome.detail("ready"))

    def test_whose_probe_says_down_is_named(self):
        class Down(Service):
            def ready(self):
                return 503, {"status": "DOWN", "checks": []}

        outcome = self.check(Down(), timeout=1)
        self.assert_fails(outcome, "ready")
        self.assertIn("still waiting for GET /q/health/ready (last: 503", outcome.detail("ready"))

    def test_that_answers_garbage_fails(self):
        class Garbage(Service):
            def before(self, method, path):
                return 200, b"<html>\x1b[31m\xff" + b"[" * 100_000

        outcome = self.check(Garbage(), timeout=1)
        self.assert_fails(outcome, "ready")
        self.assertNotIn("\x1b", outcome.detail("ready"))

    def test_that_speaks_no_http_fails(self):
        class Noise(Service):
            def raw_answer(self, handler, stopping):
                handler.wfile.write(b"\x00\x01 nonsense\r\n\r\n")
                return True

        self.assert_fails(self.check(Noise(), timeout=1), "ready")

    def test_that_hangs_is_given_up_in_time(self):
        class Hangs(Service):
            def raw_answer(self, handler, stopping):
                return stopping.wait() or True

        outcome = self.check(Hangs(), timeout=1)
        self.assert_fails(outcome, "ready")

    def test_that_drips_its_answer_is_given_up_in_time(self):
        class Drips(Service):
            def raw_answer(self, handler, stopping):
                handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
                while not stopping.wait(0.2):
                    handler.wfile.write(b" ")
                return True

        outcome = self.check(Drips(), timeout=1)
        self.assert_fails(outcome, "ready")
        self.assertIn("no complete answer within", outcome.detail("ready"))

    def test_that_hangs_in_the_race_is_given_up_in_time(self):
        class Hangs(Service):
            def raw_answer(self, handler, stopping):
                return handler.command == "POST" and (stopping.wait() or True)

        outcome = self.check(Hangs(), timeout=1)
        self.assertEqual(outcome.code, 1)
        self.assertIn("race-decisions", outcome.named("FAIL"))

    def test_that_is_not_there_fails(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}"
            outcome = verify("deployed", "--url", url, "--json", "--timeout", 1)
        self.assert_fails(outcome, "ready")
