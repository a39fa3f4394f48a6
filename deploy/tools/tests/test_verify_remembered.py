"""A service of today, compared with what earlier runs of the verifier were told."""

import json

from .reservation_service import Service
from .support import DeployedTest, verify


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
        self.assertEqual(again.detail("remembered"), "1 runs, 12 decisions, 1 slots: unchanged")
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
        one, other = (
            next(r for r, (o, _) in decided.items() if o == outcome)
            for outcome in ("accepted", "rejected")
        )
        decided[one], decided[other] = decided[other], decided[one]
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
            json.dump({"format": "seatfast-verify-2", "runs": [first] * 20}, file)
        self.assert_passes(self.run_with(Service(self.kept)))
        self.assertEqual(len(self.runs()), 20)
        self.assertNotEqual(self.runs()[-1], first)

    def test_refuses_a_file_that_is_not_its_own(self):
        self.assert_passes(self.run_with(Service(self.kept)))
        with open(self.told, encoding="utf-8") as file:
            good = file.read()
        foreign = [
            "",
            "not json",
            "[]",
            "{}",
            "null",
            '{"format":"seatfast-verify-2"}',
            "[" * 100_000,
            '{"format":"seatfast-verify-2","runs":[{}]}',
            good[:-20],
            good.replace("accepted", "perhaps"),
            good.replace('"decisions": {', '"decisions": {"verify-0123456789-1": "accepted",'),
            good.replace('"reserved": 1\n', '"reserved": "1"\n'),
            good.replace('"workshop": "verify-', '"workshop": "../verify-'),
            good.replace('"capacity": 4', '"capacity": "4"'),
            good.replace("seatfast-verify-2", "other"),
        ]
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
        outcome = verify(
            "deployed", "--url", "http://127.0.0.1:1", "--remember", self.path("no/told.json")
        )
        self.assertEqual(outcome.code, 64)
