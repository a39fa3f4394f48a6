"""Tokens that `seatfast login` kept."""

import hashlib
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from seatfast_tools import logins

from . import test_rush
from .reservation_service import Running, Service
from .support import verify

TOKEN = "a-token-that-nobody-may-see"


class LoginsTest(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = home.name
        environment = {"XDG_CONFIG_HOME": self.home, "SEATFAST_BEARER": ""}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)

    def keep(self, url, **more):
        """Writes what login writes, under the name that it gives to it."""
        name = hashlib.sha256(url.encode()).hexdigest()[:32]
        folder = Path(self.home, "seatfast")
        folder.mkdir(mode=0o700, exist_ok=True)
        file = folder / f"login-{name}.json"
        file.write_text(json.dumps({"url": url, "token": TOKEN, **more}))
        file.chmod(0o600)
        return file

    def test_a_login_counts_for_its_service_however_its_url_is_written(self):
        self.keep("https://seatfast.example/shop")
        for url in (
            "https://seatfast.example/shop",
            "HTTPS://Seatfast.Example:443/shop//",
        ):
            self.assertEqual(logins.find_token(None, url), TOKEN)
        for url in ("https://seatfast.example", "https://seatfast.example:8443/shop", None):
            self.assertIsNone(logins.find_token(None, url))

    def test_the_environment_wins_and_a_file_wins_over_both(self):
        file = self.keep("https://seatfast.example")
        with mock.patch.dict(os.environ, SEATFAST_BEARER="of-the-environment"):
            self.assertEqual(
                logins.find_token(None, "https://seatfast.example"), "of-the-environment"
            )
            other = file.with_name("token")
            other.write_text("of-the-file\n")
            self.assertEqual(logins.find_token(other, "https://seatfast.example"), "of-the-file")

    def test_a_login_that_others_can_read_or_replace_is_not_used(self):
        file = self.keep("https://seatfast.example")
        for path, mode, reason in (
            (file, 0o640, "others can read"),
            (file, 0o604, "others can read"),
            (file.parent, 0o770, "others can write"),
        ):
            with self.subTest(oct(mode)):
                before = path.stat().st_mode
                path.chmod(mode)
                with self.assertRaisesRegex(logins.BadToken, reason):
                    logins.find_token(None, "https://seatfast.example")
                path.chmod(before)

    def test_a_login_that_has_ended_or_is_broken_says_so(self):
        url = "https://seatfast.example"
        self.keep(url, expiresAt="2999-01-01T00:00:00.123456789Z")
        self.assertEqual(logins.find_token(None, url), TOKEN)
        for more, reason in (
            ({"expiresAt": "2020-01-01T00:00:00Z"}, "has ended"),
            ({"expiresAt": "soon"}, "log in again"),
            ({"url": "https://elsewhere.example"}, "log in again"),
            ({"token": 1}, "log in again"),
        ):
            file = self.keep(url)
            file.write_text(json.dumps({"url": url, "token": TOKEN, **more}))
            with self.assertRaisesRegex(logins.BadToken, reason) as caught:
                logins.find_token(None, url)
            self.assertNotIn(TOKEN, str(caught.exception))

    def test_verify_and_rush_send_it_with_every_request(self):
        service = Service()
        with Running(service) as running:
            self.keep(logins.in_one_form(running.url))
            outcome = verify("deployed", "--url", running.url, XDG_CONFIG_HOME=self.home)
            self.assertEqual(outcome.code, 0, outcome.output + outcome.complaints)
            self.assertEqual(service.authorizations, {f"Bearer {TOKEN}"})
        service = Service()
        with mock.patch.dict(os.environ, SEATFAST_BEARER=TOKEN):
            code, output = test_rush.run(service)
        self.assertEqual(code, 0, output)
        self.assertEqual(service.authorizations, {f"Bearer {TOKEN}"})
        self.assertNotIn(TOKEN, output)
