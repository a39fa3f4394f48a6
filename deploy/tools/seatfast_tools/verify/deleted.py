"""Proves that a deployment is gone for good."""

from ..client import NoAnswer
from ..waiting import Deadline
from .clouds import prove_aws, prove_cloud_run
from .contract import route_differences
from .database import prove_database

# With empty bodies: if the service lives after all, the requests change nothing.
ROUTES = [
    ("GET", "/workshops/verify-deleted/status", None),
    ("POST", "/workshops/verify-deleted/reservations", {}),
    ("POST", "/api/reservations/hold", {}),
    ("POST", "/api/reservations/confirm", {}),
    ("GET", "/api/slots", None),
    ("POST", "/api/workshops/verify-deleted/holds", {}),
]


def check_deleted(arguments, client, report):
    """Makes the proofs that the command line asks for, each in what is left of the time."""
    deadline = Deadline(arguments.timeout)
    if arguments.database:
        with report.guard("database"):
            prove_database(arguments.database, arguments.namespace, deadline, report)
    if arguments.aws_function:
        with report.guard("aws"):
            prove_aws(
                arguments.aws_function,
                arguments.aws_region,
                arguments.aws_account,
                deadline,
                report,
            )
    if arguments.cloud_run:
        with report.guard("cloud-run"):
            project, region = arguments.google_project, arguments.google_region
            prove_cloud_run(arguments.cloud_run, project, region, deadline, report)
    if client:
        client.deadline = deadline
        with report.guard("url"):
            look_at_url(client, report)


def look_at_url(client, report):
    """A service that still answers must say that it is deleted. Silence proves nothing."""
    try:
        health = client.call("GET", "/health")
    except NoAnswer as fault:
        report.note("url", f"no answer ({fault}), which proves nothing by itself")
        return
    problems = [] if health.status == 200 else [f"GET /health: {health}"]
    problems += route_differences(
        client, ((*route, 410, {"status": "cleanup"}) for route in ROUTES)
    )
    report.judge("url", problems, f"healthy, and {len(ROUTES)} routes answer 410")
