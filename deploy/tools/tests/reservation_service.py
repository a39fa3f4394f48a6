"""A small service that keeps the contract in memory, for tests that break one thing of it each.

A variant is a subclass of Service that overrides the one method that it breaks.
"""

import json
import re
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TAKEN = {"ok": False, "reason": "ALREADY_HELD_OR_BOOKED"}
EXPIRES_AT = 1893492120000
OPERATORS = r"/internal(/.*)?|/api/workshops/[^/]*/(capacity|attempts)"


class Service:
    """Answers as (status, JSON, more headers). `kept` is its database, which outlives an instance."""

    capacity = 4

    def __init__(self, kept=None):
        self.kept = {"workshops": {}, "slots": {}} if kept is None else kept
        self.lock = threading.RLock()
        self.requests = 0
        self.authorizations = set()

    # The methods that variants override.

    def common_headers(self):
        return {
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            "Content-Type": "application/json",
        }

    def before(self, method, path):
        """An answer to give instead of the real one, or None."""

    def ready(self):
        return 200, {"status": "UP", "checks": []}

    def fits(self, workshop):
        return workshop["reserved"] < workshop["capacity"]

    def recall(self, workshop, request):
        """The (outcome, reserved) of the first request with this id, or None."""
        return workshop["decided"].get(request)

    def told_reserved(self, workshop, reserved, replayed):
        """What to say of the seats that are taken, where `reserved` is what the first answer said."""
        return reserved

    def status_of(self, name, workshop):
        accepted = [outcome for outcome, _ in workshop["decided"].values()].count("accepted")
        return {
            "workshop": name,
            "capacity": workshop["capacity"],
            "reserved": workshop["reserved"],
            "acceptedRequests": accepted,
            "rejectedRequests": workshop["tally"]["rejected"],
            "acceptedSeats": accepted,
        }

    def has_slot(self, slot, body):
        """The hold that answers this request, or None if somebody else has the slot."""
        mine = slot["userId"] == body["userId"] and slot["idempotencyKey"] == body["idempotencyKey"]
        return slot if mine else None

    def may_confirm(self, slot, user):
        return slot["userId"] == user

    def operators(self, method, path):
        return 404, {"error": "not_found"}

    def failure(self, code, error):
        return code, {"error": error}

    # The contract.

    def answer(self, method, path, text):
        with self.lock:
            self.requests += 1
            instead = self.before(method, path)
            return instead or self.route(method, path, text)

    def route(self, method, path, text):
        workshop = re.fullmatch(r"/workshops/([^/]+)/(reservations|status)", path)
        if path == "/health":
            return 200, {"status": "ok"}
        if path == "/q/health/ready":
            return self.ready()
        if re.fullmatch(OPERATORS, path):
            return self.operators(method, path)
        if workshop:
            return self.of_workshop(method, workshop.group(1), workshop.group(2), text)
        if path in ("/api/reservations/hold", "/api/reservations/confirm") and method == "POST":
            return self.of_slot(path.rsplit("/", 1)[1], json.loads(text))
        return self.failure(404, "not_found")

    def of_workshop(self, method, name, action, text):
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,31}", name):
            return self.failure(400, "invalid_workshop_name")
        if method != {"reservations": "POST", "status": "GET"}[action]:
            return self.failure(405, "method_not_allowed")
        unused = {"capacity": self.capacity, "reserved": 0, "decided": {}, "tally": {"rejected": 0}}
        if action == "status":
            return 200, self.status_of(name, self.kept["workshops"].get(name, unused))
        try:
            body = json.loads(text)
        except ValueError:
            return self.failure(400, "invalid_json")
        if type(body["seats"]) is not int:
            return self.failure(400, "invalid_reservation")
        return self.reserve(
            name, self.kept["workshops"].setdefault(name, unused), body["requestId"]
        )

    def reserve(self, name, workshop, request):
        first = self.recall(workshop, request)
        replayed = first is not None
        if not replayed:
            outcome = "accepted" if self.fits(workshop) else "rejected"
            workshop["reserved"] += outcome == "accepted"
            workshop["tally"]["rejected"] += outcome == "rejected"
            first = workshop["decided"][request] = (outcome, workshop["reserved"])
        outcome, reserved = first
        body = {
            "workshop": name,
            "requestId": request,
            "seats": 1,
            "status": outcome,
            "capacity": workshop["capacity"],
            "reserved": self.told_reserved(workshop, reserved, replayed),
            "replayed": replayed,
        }
        headers = {"Idempotency-Replayed": "true"} if replayed else {}
        return (201 if outcome == "accepted" else 409), body, headers

    def of_slot(self, action, body):
        start = datetime.fromisoformat(body["slotStartIso"].replace("Z", "+00:00")).astimezone(
            timezone.utc
        )
        key = f"{body['tenantId']} {body['resourceId']} {start.isoformat()}"
        slots = self.kept["slots"]
        if action == "hold":
            fresh = {**body, "reservationId": f"r-{len(slots) + 1}"}
            slot = self.has_slot(slots.setdefault(key, fresh), body)
            if slot is None:
                return 409, TAKEN
            return 200, {
                "ok": True,
                "reservationId": slot["reservationId"],
                "expiresAt": EXPIRES_AT,
            }
        slot = slots.get(key)
        if slot is None or slot["reservationId"] != body["reservationId"]:
            return 409, {"ok": False, "reason": "NOT_FOUND"}
        if not self.may_confirm(slot, body["userId"]):
            return 409, {"ok": False, "reason": "NOT_OWNER"}
        return 200, {"ok": True, "reservationId": slot["reservationId"]}


class Running:
    """Runs a service on a socket of its own, on the same port again if asked to."""

    def __init__(self, service, port=0):
        self.service = service
        self.stopping = threading.Event()
        running = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                running.service.authorizations.add(self.headers.get("Authorization"))
                text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                raw = getattr(running.service, "raw_answer", None)
                if raw and raw(self, running.stopping):
                    self.close_connection = True
                    return
                code, body, *more = running.service.answer(self.command, self.path, text)
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(code)
                for name, value in {
                    **running.service.common_headers(),
                    **(more[0] if more else {}),
                }.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, *arguments):
                pass

        class Server(ThreadingHTTPServer):
            request_queue_size = 256
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *arguments):
                pass  # a client that gave up is what some tests are about

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()
        return self

    def __exit__(self, *exception):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()
