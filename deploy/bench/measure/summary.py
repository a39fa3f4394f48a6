"""What the repeats of a measurement say together, and how far to believe it."""

import statistics

NOISE_MAX = 0.30  # of the median, between the repeats of one value
OTHERS_MAX = 0.10  # of the machine, used by programs that have no part in the benchmark
LATE_MAX = 0.10  # of a latency, by which the load generator may be late itself

VALUES = (
    "per_second",
    "p50_us",
    "p90_us",
    "p99_us",
    "p999_us",
    "service_cpu_us",
    "database_cpu_us",
    "generator_cpu_us",
    "memory_mib",
)


def value(repeats):
    """The median of a value's repeats, and whether they agree."""
    middle = statistics.median(repeats)
    spread = (max(repeats) - min(repeats)) / middle if middle else 0.0
    agreement = "noisy" if spread > NOISE_MAX else "steady"
    verdict = "measured once" if len(repeats) == 1 else agreement
    return {"median": middle, "spread": round(spread, 3), "verdict": verdict}


def _groups(samples, *keys):
    groups = {}
    for sample in samples:
        groups.setdefault(tuple(sample[key] for key in keys), []).append(sample)
    return groups


def _ratio(row_samples, reference_samples):
    """How many times as many requests the reference got through, repeat by repeat."""
    by_repeat = {sample["repeat"]: sample["per_second"] for sample in reference_samples}
    ratios = [
        by_repeat[sample["repeat"]] / sample["per_second"]
        for sample in row_samples
        if sample["repeat"] in by_repeat and sample["per_second"] > 0
    ]
    return value(ratios) if ratios else None


def _generator_was_late(sample):
    """In an open loop its lateness is part of the slowest answers; in a closed one it is a pause
    between two requests of each connection."""
    late = sample["generator_late_us"]
    if late is None:
        return False
    percentile = "p99" if sample.get("rate") else "p50"
    return late[percentile] > LATE_MAX * sample[f"{percentile}_us"]


def doubts(samples):
    """Why a whole row is worth little, in words."""
    found = []
    if statistics.median(sample["others"] for sample in samples) > OTHERS_MAX:
        found.append("other programs used the machine")
    if sum(map(_generator_was_late, samples)) * 2 > len(samples):
        found.append("the load generator was late")
    return found


def rows(samples):
    """One row for each scenario, case and candidate, in the order of their first measurement.

    Candidates are compared with the first one of their case.
    """
    found = []
    for (scenario, case), of_case in _groups(samples, "scenario", "case").items():
        by_candidate = _groups(of_case, "candidate")
        reference = next(iter(by_candidate.values()))
        for (candidate,), repeats in by_candidate.items():
            late = [sample["generator_late_us"] for sample in repeats]
            values = {key: value([sample[key] for sample in repeats]) for key in VALUES}
            tails = [sample["p99_us"] / max(1, sample["p50_us"]) for sample in repeats]
            found.append(
                {
                    "scenario": scenario,
                    "case": case,
                    "candidate": candidate,
                    **values,
                    "p99_to_p50": value(tails),
                    "reference": reference[0]["candidate"],
                    "reference_ratio": _ratio(repeats, reference),
                    "rate": repeats[0].get("rate"),
                    "generator_late_p99_us": (
                        statistics.median(one["p99"] for one in late) if late[0] else None
                    ),
                    "failed": sum(sample["failed"] for sample in repeats),
                    "miscounted": sum(sample["miscounted"] for sample in repeats),
                    "doubts": doubts(repeats),
                }
            )
    return found
