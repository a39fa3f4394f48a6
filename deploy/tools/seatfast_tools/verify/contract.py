"""What the service must answer, and how an answer differs from that."""

import json


def decision(workshop, request_id, status, capacity, reserved, replayed):
    """The body of the answer to a request for one seat."""
    return {
        "workshop": workshop,
        "requestId": request_id,
        "seats": 1,
        "status": status,
        "capacity": capacity,
        "reserved": reserved,
        "replayed": replayed,
    }


def workshop_status(workshop, capacity, outcomes):
    """The status of a workshop after requests for one seat each that had these outcomes."""
    accepted, rejected = outcomes.count("accepted"), outcomes.count("rejected")
    return {
        "workshop": workshop,
        "capacity": capacity,
        "reserved": accepted,
        "acceptedRequests": accepted,
        "rejectedRequests": rejected,
        "acceptedSeats": accepted,
    }


def is_workshop_status(body, workshop):
    """Whether a body has the form of a workshop's status, whatever its counts."""
    form = workshop_status(workshop, 0, [])
    same = [type(body.get(name)) is type(value) for name, value in form.items()]
    return all(same) and body.keys() == form.keys() and body["workshop"] == workshop


def outcome_of(answer):
    return {201: "accepted", 409: "rejected"}.get(answer.status)


def code_of(outcome):
    return 201 if outcome == "accepted" else 409


def differences(answer, status, document):
    """The problems of an answer that must have this status code and exactly this JSON."""
    if answer.is_exactly(status, document):
        return []
    return [f"answered {answer} instead of {status} {json.dumps(document, separators=(',', ':'))}"]


def decision_differences(answer, request_id, outcome, body):
    """The same for a decision, whose header must agree with its body."""
    problems = differences(answer, code_of(outcome), body)
    header, wanted = (
        answer.headers.get("Idempotency-Replayed"),
        "true" if body["replayed"] else None,
    )
    if header != wanted:
        problems.append(
            f"header Idempotency-Replayed is {header} where replayed is {body['replayed']}"
        )
    return [f"{request_id}: {problem}" for problem in problems]


def route_differences(client, routes):
    """Asks (method, path, body, expected status, expected JSON), and returns the problems."""
    problems = []
    for method, path, body, status, document in routes:
        found = differences(client.ask(method, path, body), status, document)
        problems += [f"{method} {path}: {problem}" for problem in found]
    return problems


def is_text(value):
    return isinstance(value, str) and value != ""
