"""Press Reserve many times at the same moment, and compare the answers with what the service stored.

    deploy/rush                                  10 requests for the 4 seats of a new workshop
    deploy/rush --requests 200 --seats 2         200 requests for 2 seats each
    deploy/rush --url https://seatfast.example   somewhere else

A request whose answer is lost is sent again with the same id. Exits with 1 if an answer differs from
what the service stored. Needs Python 3.9 or newer, and nothing else.
"""

import argparse
import random
import string
import sys
from collections import Counter

from .client import Client, NoAnswer, reserve_at_once
from .logins import BadToken, find_token
from .waiting import Deadline

SECONDS_MAX = 60
REQUESTS_MAX = 1000
TABLE_ROWS_MAX = 20


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        prog="rush", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", default="http://localhost:8080", help="the service (%(default)s)")
    parser.add_argument("--requests", type=int, default=10, help="requests at once (%(default)s)")
    parser.add_argument(
        "--seats", type=int, default=1, choices=range(1, 5), help="seats per request (%(default)s)"
    )
    parser.add_argument(
        "--workshop", help="a workshop that nobody else uses meanwhile (default: a new one)"
    )
    parser.add_argument(
        "--bearer", metavar="FILE", help="a token (or SEATFAST_BEARER, or what login kept)"
    )
    arguments = parser.parse_args(words)
    if not 1 <= arguments.requests <= REQUESTS_MAX:
        parser.error(f"--requests takes a number from 1 to {REQUESTS_MAX}")
    return arguments


def show_progress(total):
    def show(count):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{count} of {total} answered" + ("\n" if count == total else ""))

    return show


def print_table(answers, reasons):
    print(f"{'request':<22} {'answer':<10} {'reserved':>8}")
    rows = sorted(
        answers.items(), key=lambda item: (item[1].status, item[1].object.get("reserved", 0))
    )
    for request_id, answer in rows[:TABLE_ROWS_MAX]:
        body = answer.object
        taken = f"{body['reserved']} of {body['capacity']}" if "reserved" in body else "-"
        print(
            f"{request_id:<22} {body.get('status') or body.get('error') or answer.status:<10} {taken:>8}"
        )
    if len(rows) > TABLE_ROWS_MAX:
        print(f"... and {len(rows) - TABLE_ROWS_MAX} more")
    for request_id, reason in list(reasons.items())[:TABLE_ROWS_MAX]:
        print(f"{request_id:<22} no answer: {reason}")


def print_totals(before, after, answers, reasons):
    """Prints both sides line by line, and returns whether they agree."""
    decided = [answer for answer in answers.values() if answer.status in (201, 409)]
    outcomes = Counter(answer.object.get("status") for answer in decided)
    answered = {
        "acceptedRequests": outcomes["accepted"],
        "rejectedRequests": outcomes["rejected"],
        "acceptedSeats": sum(answer.object["seats"] for answer in decided if answer.status == 201),
    }
    print(f"\n{'':<18} {'answered':>9} {'stored':>7}")
    agree = True
    for name, count in answered.items():
        stored = after[name] - before[name]
        agree &= stored == count
        print(f"{name:<18} {count:>9} {stored:>7}{'' if stored == count else '   <- differs'}")
    undecided = len(answers) + len(reasons) - len(decided)
    if undecided:
        print(f"{undecided} requests got no decision; send them again with the same id to learn it")
    if after["reserved"] > after["capacity"]:
        print(f"oversold: {after['reserved']} of {after['capacity']} seats")
        agree = False
    return agree and not undecided


def main(words):
    arguments = parse_arguments(words)
    run = "".join(random.choices(string.ascii_lowercase + string.digits, k=6))
    workshop = arguments.workshop or f"rush-{run}"
    request_ids = [f"rush-{run}-{number}" for number in range(1, arguments.requests + 1)]
    try:
        client = Client(
            arguments.url, find_token(arguments.bearer, arguments.url), Deadline(SECONDS_MAX)
        )
        before = client.status(workshop)
        if before.status != 200 or "capacity" not in before.object:
            sys.exit(f"rush: {arguments.url} does not know the workshop {workshop}: {before}")
        seats = f"{arguments.seats} of the {before.object['capacity']} seats of {workshop}"
        print(f"{arguments.requests} requests for {seats}", flush=True)
        show = show_progress(arguments.requests)
        answers, reasons = reserve_at_once(client, workshop, request_ids, arguments.seats, show)
        client.deadline = Deadline(SECONDS_MAX)
        after = client.status(workshop)
    except BadToken as fault:
        sys.exit(f"rush: {fault}")
    except (NoAnswer, OSError) as fault:
        sys.exit(f"rush: no answer from {arguments.url}: {fault}")
    print_table(answers, reasons)
    agree = print_totals(before.object, after.object, answers, reasons)
    print(
        "\nEvery answer matches what is stored."
        if agree
        else "\nThe answers do NOT match what is stored."
    )
    return 0 if agree else 1
