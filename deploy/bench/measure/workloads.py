"""What is asked of a service. Placeholders in braces are those of load/template.h."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    name: str
    steps: tuple  # "STATUS METHOD PATH [BODY]", one after the other on one connection
    capture: str | None = None  # a member of an answer, for the next step
    # Whose counts of accepted and rejected requests must grow by what was answered 201 and 409.
    counted: str | None = None


def _reserve(status, workshop, request_id):
    body = f'{{"requestId":"{request_id}","seats":1}}'
    return f"{status} POST /workshops/{workshop}/reservations {body}"


def _slot(action, more):
    slot = '"tenantId":"bench","resourceId":"{unique}","slotStartIso":"2030-01-01T00:00:00Z"'
    return f'200 POST /api/reservations/{action} {{{slot},"userId":"ann",{more}}}'


def workloads(run):
    """All of them by name; `run` tells this run's workshops from those of others."""
    found = [
        Workload("hot", (_reserve(201, f"hot-{run}", "{unique}"),), counted=f"hot-{run}"),
        Workload("sold-out", (_reserve(409, f"full-{run}", "{unique}"),), counted=f"full-{run}"),
        Workload("spread", (_reserve(201, "spread-{uniform}", "{unique}"),)),
        Workload("zipf", (_reserve(201, "spread-{zipf}", "{unique}"),)),
        Workload("new-workshops", (_reserve(201, "{unique}", "first"),)),
        Workload("replay", (_reserve(201, "replay", "known-{uniform}"),), counted=None),
        Workload("replay-one", (_reserve(201, "replay", "known-1"),)),
        Workload("status", ("200 GET /workshops/replay/status",)),
        Workload("status-many", ("200 GET /workshops/many/status",)),
        Workload(
            "hold-confirm",
            (
                _slot("hold", '"idempotencyKey":"key"'),
                _slot("confirm", '"reservationId":"{captured}"'),
            ),
            capture="reservationId",
        ),
    ]
    return {workload.name: workload for workload in found}


def prepare(service, run, universe):
    """Makes what the workloads expect to be there."""
    service.set_capacity(f"hot-{run}")
    service.set_capacity("replay")
    for number in range(1, universe + 1):
        service.set_capacity(f"spread-{number}")
        service.reserve("replay", f"known-{number}", 1)
    service.reserve(f"full-{run}", "all-seats", 4)
