"""Holds and confirms a slot while another user tries to get it."""

from .contract import differences, is_text

TAKEN = {"ok": False, "reason": "ALREADY_HELD_OR_BOOKED"}
NOT_OWNER = {"ok": False, "reason": "NOT_OWNER"}
START = "2030-01-01T10:00:00Z"
SAME_INSTANT = "2030-01-01T19:00:00+09:00"


def book_slot(client, report, tenant, run_id):
    """Returns the booked slot, as the fields of a confirmation and a hold, or None if a check failed."""
    slot = {"tenantId": tenant, "resourceId": "room-1", "slotStartIso": START}
    mine = {**slot, "userId": "verify-user-1", "idempotencyKey": f"verify-{run_id}-hold"}
    others = {**slot, "userId": "verify-user-2", "idempotencyKey": f"verify-{run_id}-other"}
    held = client.ask("POST", "/api/reservations/hold", mine)
    hold = {"ok": True, **{name: held.object.get(name) for name in ("reservationId", "expiresAt")}}
    good = (
        held.is_exactly(200, hold)
        and is_text(hold["reservationId"])
        and type(hold["expiresAt"]) is int
    )
    if not report.judge("slot-hold", [] if good else [str(held)], "a free slot is held"):
        return None
    key = {**slot, "reservationId": hold["reservationId"]}
    own, foreign = {**key, "userId": mine["userId"]}, {**key, "userId": others["userId"]}
    shifted = {**mine, "slotStartIso": SAME_INSTANT}
    done = {"ok": True, "reservationId": hold["reservationId"]}
    steps = [
        ("slot-conflict", "hold", others, 409, TAKEN, "nobody else can hold it"),
        (
            "slot-replay",
            "hold",
            shifted,
            200,
            hold,
            "the same key gives the same hold, at the same instant",
        ),
        ("slot-wrong-user", "confirm", foreign, 409, NOT_OWNER, "nobody else can confirm it"),
        ("slot-confirm", "confirm", own, 200, done, "its owner can confirm it"),
        (
            "slot-confirm-again",
            "confirm",
            own,
            200,
            done,
            "confirming twice is the same success twice",
        ),
        (
            "slot-still-owned",
            "confirm",
            foreign,
            409,
            NOT_OWNER,
            "still nobody else can confirm it",
        ),
        ("slot-booked", "hold", others, 409, TAKEN, "nobody else can hold a confirmed slot"),
    ]
    for name, action, body, code, expected, detail in steps:
        answer = client.ask("POST", f"/api/reservations/{action}", body)
        good &= report.judge(name, differences(answer, code, expected), detail)
    return {**mine, "reservationId": hold["reservationId"]} if good else None
