"""The rush, against services that keep their word and services that do not."""

import contextlib
import io
import unittest

from seatfast_tools import rush

from .reservation_service import Running, Service


def run(service, *words):
    """Returns the exit code and the output of one rush."""
    output = io.StringIO()
    with Running(service) as running, contextlib.redirect_stdout(output):
        try:
            code = rush.main(["--url", running.url, *words])
        except SystemExit as ended:
            code = ended.code
    return code, output.getvalue()


class RushTest(unittest.TestCase):
    def test_shows_who_got_the_seats(self):
        code, output = run(Service())
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\A10 requests for 1 of the 4 seats of rush-\w{6}\n")
        self.assertEqual(output.count("accepted  "), 4)
        self.assertEqual(output.count("rejected  "), 6)
        self.assertRegex(
            output, r"acceptedRequests +4 +4\nrejectedRequests +6 +6\nacceptedSeats +4 +4\n"
        )
        self.assertTrue(output.endswith("\nEvery answer matches what is stored.\n"))

    def test_learns_a_lost_decision_by_sending_the_request_again(self):
        class Loses(Service):
            """Decides, and loses the first answers."""

            def answer(self, method, path, text):
                real = super().answer(method, path, text)
                lost = method == "POST" and self.requests <= 5
                return (503, {"error": "unavailable"}) if lost else real

        code, output = run(Loses())
        self.assertEqual(code, 0, output)
        self.assertEqual(output.count("accepted  "), 4)

    def test_fails_if_the_service_stored_something_else(self):
        class Forgets(Service):
            def status_of(self, name, workshop):
                return {**super().status_of(name, workshop), "acceptedRequests": 0}

        code, output = run(Forgets())
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"acceptedRequests +4 +0   <- differs\n")
        self.assertIn("do NOT match", output)

    def test_fails_if_more_seats_are_taken_than_there_are(self):
        class Oversells(Service):
            def fits(self, workshop):
                return True

        code, output = run(Oversells())
        self.assertEqual(code, 1, output)
        self.assertIn("oversold: 10 of 4 seats", output)

    def test_fails_if_a_request_is_never_decided(self):
        class Refuses(Service):
            def reserve(self, name, workshop, request):
                return (
                    super().reserve(name, workshop, request)
                    if request.endswith("-1")
                    else (500, {"error": "x"})
                )

        code, output = run(Refuses())
        self.assertEqual(code, 1, output)
        self.assertIn("9 requests got no decision", output)

    def test_says_that_something_else_answers(self):
        class Other(Service):
            def before(self, method, path):
                return 200, {"hello": "world"}

        code, _ = run(Other())
        self.assertRegex(
            code, r"^rush: http://127\.0\.0\.1:\d+ does not know the workshop rush-\w+: 200 "
        )
