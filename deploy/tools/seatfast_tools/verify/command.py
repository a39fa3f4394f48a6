"""Check from outside that a deployment does what it promises, or that it is gone for good.

    deploy/verify deployed --url https://seatfast.example
        Waits until the service answers and its database reads. Then it sends three times as many
        requests as there are seats to a workshop of its own, all at once, sends each again, books a
        slot of its own, and looks at headers, errors and the operator routes. Its workshops and
        slots stay; their names begin with verify-.

    deploy/verify deployed --url ... --remember told.json
        Also keeps what this run was told. A later run with the same file first checks that all of
        it is still true: after an upgrade, a restart, or a move of the database.

    deploy/verify deleted --database 'postgresql://seatfast@db.example/seatfast'
        Logs in and checks that the schema holds the tombstone and nothing else. The password comes
        from PGPASSWORD or PGPASSFILE. A missing schema is a failure: nothing would keep an old
        instance from creating it again, and any wrong database looks the same.

    deploy/verify deleted --aws-function NAME --aws-region R --aws-account ID
    deploy/verify deleted --cloud-run NAME --google-project P --google-region R
        Ask the cloud for the function, as an identity that demonstrably works there.

A token comes from the file of --bearer, else from SEATFAST_BEARER, else from `seatfast login`: one
of the service's or, for platforms that want it, an identity token.

Exit codes: 0 PASS, 1 FAIL, 2 NOT EVIDENCE (something could not be asked, so its absence is not
proven), 64 bad usage. Needs Python 3.9 or newer; the proofs of deletion need psql, aws or gcloud.
"""

import argparse
import re
import sys
from urllib.parse import urlsplit

from ..client import Client
from ..logins import BadToken, find_token
from ..report import BAD_USAGE, Report
from .deleted import check_deleted
from .deployed import Deployed
from .memory import BadMemory, Memory

CAPACITY_MAX = 64


class BadUsage(Exception):
    """The command line, the environment or a file is wrong; the message says how."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadUsage(message)


def matching(pattern, what):
    def check(text):
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f"not {what}")
        return text

    return check


def number(kind, lowest, highest):
    def check(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"not a number from {lowest} to {highest}")
        return value

    return check


def service_url(text):
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if (
        not good
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
        or not re.fullmatch(r"[!-~]+", text)
    ):
        raise argparse.ArgumentTypeError(
            "not an http or https URL without user, query and fragment"
        )
    return text


def database_url(text):
    # Other users of the machine can read a command line.
    if re.search(r"://[^/@]*:[^/@]*@|password\s*=", text):
        raise argparse.ArgumentTypeError(
            "has a password in it; put that into PGPASSWORD or a PGPASSFILE"
        )
    if not re.match(r"postgres(ql)?://", text) and not re.match(r"\s*\w+\s*=", text):
        raise argparse.ArgumentTypeError("neither postgresql://... nor host=...")
    return text


def parser():
    top = Parser(
        prog="verify", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    common = Parser(add_help=False)
    common.add_argument(
        "--timeout",
        type=number(float, 1, 3600),
        default=60.0,
        metavar="SECONDS",
        help="deployed: the longest wait until the service is ready, then as long for what is remembered, and "
        "again for the rest; deleted: the longest for everything (%(default)g)",
    )
    common.add_argument(
        "--json", action="store_true", help="print one JSON document instead of lines"
    )
    common.add_argument(
        "--bearer", metavar="FILE", help="a token (or SEATFAST_BEARER, or what login kept)"
    )
    subjects = top.add_subparsers(dest="subject", metavar="deployed|deleted", parser_class=Parser)
    add_deployed(subjects.add_parser("deployed", parents=[common], help="check a running service"))
    add_deleted(
        subjects.add_parser("deleted", parents=[common], help="prove that a deployment is gone")
    )
    return top


def add_deployed(options):
    options.add_argument("--url", type=service_url, required=True, help="the service")
    options.add_argument(
        "--capacity",
        type=number(int, 1, CAPACITY_MAX),
        default=4,
        help="the default capacity of the deployment (%(default)s)",
    )
    options.add_argument(
        "--remember", metavar="FILE", help="check what earlier runs were told, and add this one"
    )


def add_deleted(options):
    name, place = (
        matching(r"[A-Za-z0-9_-]{1,64}", "a plain name"),
        matching(r"[a-z0-9-]{1,40}", "a region"),
    )
    namespace = matching(r"[a-z][a-z0-9_]{0,47}", "a namespace, [a-z][a-z0-9_]{0,47}")
    account, project = (
        matching(r"\d{12}", "12 digits"),
        matching(r"[a-z0-9:.-]{1,100}", "a project"),
    )
    add = options.add_argument
    add(
        "--database",
        type=database_url,
        metavar="URL",
        help="as libpq takes it: a URL or host=... pairs",
    )
    add("--namespace", type=namespace, default="seatfast", help="the schema (%(default)s)")
    add("--aws-function", type=name, metavar="NAME", help="a Lambda function; no ARN, no qualifier")
    add("--aws-region", type=place, metavar="R")
    add(
        "--aws-account",
        type=account,
        metavar="ID",
        help="the account that the identity must belong to",
    )
    add("--cloud-run", type=name, metavar="NAME", help="a Cloud Run service")
    add("--google-project", type=project, metavar="P")
    add("--google-region", type=place, metavar="R")
    add(
        "--url",
        type=service_url,
        help="what still answers here must be the tombstone (410); no proof by itself",
    )


def parse_arguments(words):
    arguments = parser().parse_args(words)
    if arguments.subject is None:
        raise BadUsage("say deployed or deleted; --help explains both")
    if arguments.subject == "deleted":
        if not (arguments.database or arguments.aws_function or arguments.cloud_run):
            raise BadUsage("deleted needs a proof: --database, --aws-function or --cloud-run")
        if bool(arguments.aws_function) != bool(arguments.aws_region):
            raise BadUsage("--aws-function and --aws-region go together")
        if (
            len(
                {
                    bool(arguments.cloud_run),
                    bool(arguments.google_project),
                    bool(arguments.google_region),
                }
            )
            > 1
        ):
            raise BadUsage("--cloud-run, --google-project and --google-region go together")
    return arguments


def read_bearer(path, url):
    try:
        return find_token(path, url)
    except BadToken as fault:
        raise BadUsage(str(fault)) from None


def read_memory(path):
    try:
        return Memory(path) if path else None
    except BadMemory as fault:
        raise BadUsage(f"--remember {path}: {fault}") from None


def main(words):
    """Runs the command and returns its exit code."""
    try:
        arguments = parse_arguments(words)
        bearer = read_bearer(arguments.bearer, arguments.url)
        report = Report(arguments.subject, arguments.json, bearer)
        client = Client(arguments.url, bearer) if arguments.url else None
        if arguments.subject == "deployed":
            memory = read_memory(arguments.remember)
            Deployed(client, report, arguments.capacity, arguments.timeout, memory).run()
        else:
            check_deleted(arguments, client, report)
    except BadUsage as fault:
        print(f"verify: {fault}", file=sys.stderr)
        return BAD_USAGE
    return report.finish(arguments.url)
