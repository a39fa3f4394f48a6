"""Tests of the benchmark in deploy/bench: its load generator, and what it makes of the numbers."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from concurrent.futures import Future
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from measure import bench, report, services, summary, tools

from .counting_server import CountingServer, answer

PAUSE_SECONDS = 0.3


@unittest.skipUnless(shutil.which("cc"), "no C compiler is installed")
class LoadGeneratorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = str(tools.load_generator())

    def start(self, server, *options, steps=("200 GET /",)):
        command = [self.program, "--target", str(server.port), *map(str, options)]
        for step in steps:
            command += ["--step", step]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, process):
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        return json.loads(out)

    def load(self, server, *options, **more):
        return self.finish(self.start(server, *options, **more))

    def test_counts_what_the_server_counts(self):
        for options in ((), ("--rate", 2000)):
            with self.subTest(options=options), CountingServer() as server:
                said = self.load(server, "--connections", 8, "--seconds", 0.3, *options)
                self.assertGreater(said["sent"], 0)
                self.assertEqual(said["sent"], len(server.requests))
                self.assertEqual(said["answered"], said["sent"])
                self.assertEqual(said["statuses"], {"200": said["sent"]})
                self.assertEqual((said["failed"], said["unsent"]), (0, 0))

    def test_an_unexpected_status_is_a_failure(self):
        def respond(number, body):
            return answer(503 if number % 3 == 0 else 200)

        with CountingServer(respond) as server:
            said = self.load(server, "--seconds", 0.2)
        self.assertEqual(said["failed"], len(server.requests) // 3)
        self.assertEqual(said["failed"], said["statuses"]["503"])

    def test_goes_on_after_a_connection_is_closed_without_an_answer(self):
        def respond(number, body):
            return None if number == 2 else answer()

        with CountingServer(respond) as server:
            said = self.load(server, "--seconds", 0.2)
        self.assertEqual((said["failed"], said["reconnects"]), (1, 1))
        self.assertEqual(said["sent"], len(server.requests))
        self.assertGreater(said["answered"], 1)

    def test_an_answer_that_never_comes_is_a_failure(self):
        def respond(number, body):
            return b"" if number == 1 else answer()

        with CountingServer(respond) as server:
            said = self.load(server, "--seconds", 1.5, "--wait-max", 1)
        self.assertEqual(said["failed"], 1)
        self.assertEqual(said["answered"], said["sent"] - 1)

    def test_understands_chunked_answers(self):
        body = '{"name":"captured in two chunks"}'
        with CountingServer(lambda number, _: answer(201, body, chunked=True)) as server:
            said = self.load(server, "--seconds", 0.1, steps=["201 GET /"])
        self.assertEqual((said["failed"], said["answered"]), (0, len(server.requests)))

    def test_tells_its_own_lateness_when_it_cannot_run(self):
        for options in (("--rate", 2000), ()):
            started = Future()

            def stop(number, body, started=started):
                if number == 200:
                    os.kill(started.result().pid, signal.SIGSTOP)
                return answer()

            def resume(number, started=started):
                if number == 200:
                    time.sleep(PAUSE_SECONDS)
                    os.kill(started.result().pid, signal.SIGCONT)

            with self.subTest(options=options), CountingServer(stop, resume) as server:
                process = self.start(server, "--seconds", 1, "--connections", 4, *options)
                started.set_result(process)
                said = self.finish(process)
                self.assertGreater(said["late_us"]["max"], 0.9e6 * PAUSE_SECONDS)
                self.assertGreater(said["kernel_timed"], 0.9 * said["answered"])
                if options:
                    # Requests were due meanwhile: their wait is in the latency as well.
                    self.assertGreater(said["latency_us"]["max"], 0.9e6 * PAUSE_SECONDS)

    def test_a_slow_server_is_not_its_own_lateness(self):
        def respond(number, body):
            time.sleep(PAUSE_SECONDS)
            return answer()

        with CountingServer(respond) as server:
            said = self.load(server, "--seconds", 0.5, "--rate", 20)
        self.assertEqual(said["answered"], len(server.requests))
        # The requests queue for the only connection, so most wait for several answers.
        self.assertGreater(said["latency_us"]["p50"], 2e6 * PAUSE_SECONDS)
        self.assertLess(said["late_us"]["p50"], 0.5e6 * PAUSE_SECONDS)

    def test_requests_that_are_never_sent_are_failures(self):
        with CountingServer(lambda number, body: b"") as server:
            said = self.load(server, "--seconds", 0.2, "--rate", 200, "--wait-max", 1)
        self.assertGreater(said["unsent"], 0)
        self.assertGreaterEqual(said["failed"], said["unsent"])

    def test_arrivals_are_as_many_as_the_rate_says(self):
        rate, seconds = 1000, 0.5
        with CountingServer() as server:
            options = ("--connections", 16, "--seconds", seconds, "--rate", rate, "--seed", 7)
            counts = {self.load(server, *options)["sent"] for _ in range(2)}
        self.assertEqual(len(counts), 1, "the seed decides the arrivals")
        expected = rate * seconds
        self.assertLess(abs(counts.pop() - expected), 5 * expected**0.5)

    def test_fills_in_the_placeholders(self):
        steps = ["200 POST /a {unique}:{uniform}:{zipf}", "200 POST /b {unique}:{captured}"]

        def respond(number, body):
            return answer(200, json.dumps({"secret": body}, separators=(",", ":")))

        with CountingServer(respond) as server:
            options = ("--seconds", 0.1, "--universe", 3, "--unique", "id", "--capture", "secret")
            self.load(server, *options, steps=steps)
        firsts = [body for path, body in server.requests if path == "POST /a"]
        seconds = [body for path, body in server.requests if path == "POST /b"]
        self.assertEqual(len(set(firsts)), len(firsts))
        for first, second in zip(firsts, seconds, strict=False):
            unique, *numbers = first.split(":")
            self.assertTrue(unique.startswith("id"))
            self.assertTrue(set(numbers) <= {"1", "2", "3"})
            self.assertEqual(second, f"{unique}:{first}")

    def test_connections_are_shared_out_among_targets(self):
        with CountingServer() as first, CountingServer() as second:
            options = ("--target", second.port, "--connections", 2, "--seconds", 0.1)
            said = self.load(first, *options)
        self.assertGreater(min(len(first.requests), len(second.requests)), 0)
        self.assertEqual(said["sent"], len(first.requests) + len(second.requests))


def sample(**changes):
    values = dict.fromkeys(summary.VALUES, 100.0)
    said = {
        "scenario": "hot",
        "case": "1 connection",
        "candidate": "jvm",
        "repeat": 0,
        **values,
        "generator_late_us": {"p50": 0.0, "p99": 0.0},
        "others": 0.0,
        "failed": 0,
        "miscounted": 0,
    }
    return {**said, **changes}


class SummaryTest(unittest.TestCase):
    def test_values_whose_repeats_differ_are_noisy(self):
        self.assertEqual(summary.value([100, 110, 105])["verdict"], "steady")
        self.assertEqual(summary.value([100, 140, 105])["verdict"], "noisy")
        self.assertEqual(summary.value([100])["verdict"], "measured once")

    def test_ratios_compare_candidates_within_one_repeat(self):
        # The machine was half as fast in the second repeat; the ratio does not know.
        samples = [
            sample(repeat=0, per_second=1000),
            sample(repeat=0, per_second=500, candidate="workerd"),
            sample(repeat=1, per_second=500),
            sample(repeat=1, per_second=250, candidate="workerd"),
        ]
        ours, theirs = summary.rows(samples)
        self.assertEqual(ours["per_second"]["verdict"], "noisy")
        self.assertEqual(theirs["reference"], "jvm")
        self.assertEqual(theirs["reference_ratio"]["median"], 2)
        self.assertEqual(theirs["reference_ratio"]["verdict"], "steady")

    def test_rows_say_why_they_are_doubtful(self):
        self.assertEqual(summary.doubts([sample()]), [])
        late = {"p50": 1.0, "p99": 20.0}
        self.assertEqual(summary.doubts([sample(generator_late_us=late)]), [])
        open_loop = sample(generator_late_us=late, rate=100)
        self.assertEqual(summary.doubts([open_loop]), ["the load generator was late"])
        self.assertEqual(summary.doubts([sample(others=0.2)]), ["other programs used the machine"])

    def test_the_table_marks_noise_and_what_went_wrong(self):
        samples = [sample(per_second=100), sample(repeat=1, per_second=200, miscounted=3)]
        facts = {"date": "2030-01-01"}
        settings = bench.Settings(seconds=1, repeats=2)
        page = report.markdown(summary.rows(samples), facts, settings, {})
        self.assertIn("| ~150 |", page)
        self.assertIn("| **3** |", page)

    def test_answers_that_the_service_did_not_count_are_found(self):
        before = {"acceptedRequests": 10, "rejectedRequests": 5}
        after = {"acceptedRequests": 20, "rejectedRequests": 6}
        self.assertEqual(bench.miscount(before, after, {201: 10, 409: 1}), 0)
        self.assertEqual(bench.miscount(before, after, {201: 11, 409: 0}), 2)


class BaselineTest(unittest.TestCase):
    def test_settings_have_the_names_of_older_versions_too(self):
        settings = {"SEATFAST_NAMESPACE": "x", "QUARKUS_LOG__DEV_SEATFAST_DECISIONS__LEVEL": "WARN"}
        said = services.as_older_versions_say(settings, prefix="OTHER")
        self.assertEqual(said["SEATFAST_NAMESPACE"], "x")
        self.assertEqual(said["OTHER_NAMESPACE"], "x")
        self.assertEqual(said["QUARKUS_LOG__DEV_OTHER_DECISIONS__LEVEL"], "WARN")


if __name__ == "__main__":
    unittest.main()
