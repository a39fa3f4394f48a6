"""More requests for a workshop than it has seats, all at the same moment, and then each once more."""

from ..client import reserve_at_once
from .contract import decision, decision_differences, differences, outcome_of, workshop_status

REQUESTS_PER_SEAT = 3


class Race:
    """The checks of one race. `decisions` maps each request id to its outcome and its `reserved`."""

    def __init__(self, client, report, workshop, run_id, capacity):
        self.client, self.report = client, report
        self.workshop, self.capacity = workshop, capacity
        self.request_ids = [
            f"verify-{run_id}-{n}" for n in range(1, REQUESTS_PER_SEAT * capacity + 1)
        ]
        self.decisions = {}

    def run(self):
        """Returns the decisions and the status that the service stored if all of them are as they must be."""
        good = self.check_unused()
        answers, reasons = reserve_at_once(self.client, self.workshop, self.request_ids)
        undecided = [
            f"{request_id} was not decided: {reason}" for request_id, reason in reasons.items()
        ]
        good &= self.report.judge(
            "race-decisions", undecided, f"{len(answers)} requests at once, each was decided"
        )
        good &= self.check_outcomes(answers)
        good &= self.check_bodies(answers)
        self.decisions = {
            request_id: {"outcome": outcome_of(answer), "reserved": answer.object.get("reserved")}
            for request_id, answer in answers.items()
            if outcome_of(answer)
        }
        good &= self.check_never_oversold()
        before = self.client.status(self.workshop)
        good &= self.check_replays()
        good &= self.check_totals(before, self.client.status(self.workshop))
        return (self.decisions, before.json) if good else (None, None)

    def check_unused(self):
        unused = workshop_status(self.workshop, self.capacity, [])
        problems = differences(self.client.status(self.workshop), 200, unused)
        return self.report.judge(
            "unused-workshop", problems, f"has {self.capacity} free seats, and nothing else"
        )

    def check_outcomes(self, answers):
        counts = {code: sum(a.status == code for a in answers.values()) for code in (201, 409)}
        expected = {201: self.capacity, 409: len(self.request_ids) - self.capacity}
        told = f"{counts[201]} accepted, {counts[409]} rejected of {len(answers)} for {self.capacity} seats"
        return self.report.judge("race-outcome", [] if counts == expected else [told], told)

    def check_bodies(self, answers):
        """Each answer has exactly the contract's form; never-oversold looks at what it says of the seats."""
        problems = []
        for request_id, answer in answers.items():
            outcome = outcome_of(answer)
            if outcome is None:
                problems.append(f"{request_id}: {answer}")
                continue
            # Only a request that was sent again may have been decided before.
            replayed = answer.object.get("replayed") is True and answer.tries > 1
            # No seat is given back here, so a rejected request saw every seat taken.
            seen = answer.object.get("reserved")
            reserved = seen if outcome == "accepted" and type(seen) is int else self.capacity
            body = decision(self.workshop, request_id, outcome, self.capacity, reserved, replayed)
            problems += decision_differences(answer, request_id, outcome, body)
        return self.report.judge(
            "race-bodies", problems, "each answer has exactly the form of the contract"
        )

    def check_never_oversold(self):
        """Each seat went to one request: the accepted ones saw 1, 2, 3, ... seats taken, each number once."""
        problems, taken = [], {}
        for request_id, told in self.decisions.items():
            reserved = told["reserved"]
            if told["outcome"] != "accepted" or type(reserved) is not int:
                continue
            if not 1 <= reserved <= self.capacity:
                problems.append(
                    f"{request_id} was told that {reserved} of {self.capacity} seats are taken"
                )
            elif reserved in taken:
                problems.append(
                    f"{request_id} and {taken[reserved]} were both given seat {reserved}"
                )
            taken[reserved] = request_id
        return self.report.judge(
            "never-oversold", problems, f"{len(taken)} seats, each given to one request"
        )

    def check_replays(self):
        problems = []
        for request_id, told in self.decisions.items():
            answer = self.client.reserve(self.workshop, request_id)
            problems += replay_differences(answer, self.workshop, request_id, told, self.capacity)
        return self.report.judge(
            "replays", problems, f"{len(self.decisions)} sent again, each got its first answer"
        )

    def check_totals(self, before, after):
        """Compares what is stored with what was answered, before and after all were sent again."""
        outcomes = [told["outcome"] for told in self.decisions.values()]
        expected = workshop_status(self.workshop, self.capacity, outcomes)
        problems = differences(before, 200, expected)
        problems = problems or [
            f"after the replays: {p}" for p in differences(after, 200, expected)
        ]
        counts = f"{expected['acceptedRequests']} accepted, {expected['rejectedRequests']} rejected"
        return self.report.judge("durable-totals", problems, f"{counts}: as answered")


def replay_differences(answer, workshop, request_id, told, capacity):
    """A replay is the first answer again: its status code, status and reserved. Only replayed differs."""
    body = decision(workshop, request_id, told["outcome"], capacity, told["reserved"], True)
    return decision_differences(answer, request_id, told["outcome"], body)
