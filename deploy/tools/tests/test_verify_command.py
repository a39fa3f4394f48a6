"""The command line of the verifier, and its token."""

import unittest

from .reservation_service import Service
from .support import DeployedTest, verify


class UsageTest(unittest.TestCase):
    def test_bad_usage_has_an_exit_code_of_its_own(self):
        aws = ["deleted", "--aws-function", "f"]
        for words in (
            [],
            ["nothing"],
            ["deployed"],
            ["deployed", "--url", "ftp://x"],
            ["deployed", "--url", "http://u:p@x"],
            ["deployed", "--url", "http://x:99999"],
            ["deployed", "--url", "http://x", "--timeout", "0"],
            ["deployed", "--url", "http://x", "--timeout", "nan"],
            ["deployed", "--url", "http://x", "--capacity", "65"],
            ["deleted"],
            ["deleted", "--url", "http://x"],
            ["deleted", "--database", "db.example"],
            aws,
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
