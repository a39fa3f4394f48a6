"""An HTTP client for a Seatfast service. Each request has a connection of its own and a time limit."""

import http.client
import json
import re
import socket
import threading
import time
from urllib.parse import urlsplit

from .waiting import Deadline

CALL_SECONDS_MAX = 15
BODY_BYTES_MAX = 1 << 20
TRIES_MAX = 6
PAUSE_SECONDS_MIN = 0.2
PAUSE_SECONDS_MAX = 3.0
# Nothing was begun, or the outcome is unknown: the same request with the same id finds out.
ASK_AGAIN = frozenset({408, 429, 502, 503, 504})


class NoAnswer(Exception):
    """No usable answer came back; the message says what happened instead."""


class Answer:
    """An answer's status code, headers and body."""

    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text
        self.tries = 1
        try:
            self.json = json.loads(text)
        except (ValueError, RecursionError):
            self.json = None
        self.object = self.json if isinstance(self.json, dict) else {}

    def is_exactly(self, status, document):
        return self.status == status and canonical(self.json) == canonical(document)

    def __str__(self):
        return f"{self.status} {self.text[:160].strip()}"


def canonical(document):
    """Equal texts for equal documents. Unlike == in Python, it tells 1, 1.0 and true apart."""
    return json.dumps(document, sort_keys=True)


class Client:
    """Sends requests to one service, from any number of threads.

    No request outlasts CALL_SECONDS_MAX or `deadline`, which callers may replace at any time.
    """

    def __init__(self, url, bearer=None, deadline=None):
        parts = urlsplit(url)
        self.secure, self.host, self.port = parts.scheme == "https", parts.hostname, parts.port
        self.prefix = parts.path.rstrip("/")
        self.headers = {"User-Agent": "seatfast-tools", "Accept": "application/json"}
        if bearer:
            self.headers["Authorization"] = f"Bearer {bearer}"
        self.deadline = deadline or Deadline(float("inf"))
        self.repeated, self._lock = 0, threading.Lock()

    def call(self, method, path, body=None, connected=None):
        """Sends one request and returns its answer; raises NoAnswer.

        A body of bytes is sent as it is, anything else as JSON. The request leaves once
        `connected`, which is called on the open connection, has returned.
        """
        seconds = min(CALL_SECONDS_MAX, self.deadline.remaining())
        if seconds <= 0:
            raise NoAnswer("no time left to ask")
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        connection = kind(self.host, self.port, timeout=seconds)
        headers, watchdog, cut = dict(self.headers), None, threading.Event()
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.connect()
            if connected:
                connected()
            # A socket's time limit starts anew with each byte; this one does not.
            watchdog = threading.Timer(seconds, hang_up, [connection.sock, cut])
            watchdog.daemon = True
            watchdog.start()
            connection.request(method, self.prefix + path, body, headers)
            response = connection.getresponse()
            content = response.read(BODY_BYTES_MAX + 1)
            if cut.is_set():
                raise TimeoutError
            if len(content) > BODY_BYTES_MAX:
                raise NoAnswer("an answer larger than 1 MiB")
            return Answer(response.status, response.headers, content.decode("utf-8", "replace"))
        except (OSError, http.client.HTTPException, ValueError) as fault:
            if cut.is_set() or isinstance(fault, (TimeoutError, socket.timeout)):
                raise NoAnswer(f"no complete answer within {seconds:.1f} seconds") from None
            raise NoAnswer(str(fault) or type(fault).__name__) from None
        finally:
            if watchdog:
                watchdog.cancel()
            connection.close()

    def ask(self, method, path, body=None, connected=None):
        """Sends the same request until its outcome is known; raises NoAnswer after TRIES_MAX tries."""
        pause = PAUSE_SECONDS_MIN
        for number in range(1, TRIES_MAX + 1):
            wanted = 0
            try:
                answer = self.call(method, path, body, connected if number == 1 else None)
                if answer.status not in ASK_AGAIN:
                    answer.tries = number
                    return answer
                reason = str(answer)
                header = answer.headers.get("Retry-After", "")
                wanted = float(header) if re.fullmatch(r"\d{1,6}", header) else 0
            except NoAnswer as fault:
                reason = str(fault)
            with self._lock:
                self.repeated += 1
            wait = min(max(pause, wanted), PAUSE_SECONDS_MAX)
            if number == TRIES_MAX or self.deadline.remaining() <= wait:
                break
            time.sleep(wait)
            pause *= 2
        raise NoAnswer(f"{method} {path}: no answer in {number} tries; the last one: {reason}")

    def status(self, workshop):
        return self.ask("GET", f"/workshops/{workshop}/status")

    def reserve(self, workshop, request_id, seats=1, connected=None):
        body = {"requestId": request_id, "seats": seats}
        return self.ask("POST", f"/workshops/{workshop}/reservations", body, connected)


def hang_up(sock, cut):
    """Ends every wait on a socket. It acts below TLS, whose own shutdown could wait as well."""
    cut.set()  # before anybody can take what came so far for a complete answer
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        pass  # it ended by itself


def reserve_at_once(client, workshop, request_ids, seats=1, answered=lambda count: None):
    """Opens a connection for each request, then sends all requests at the same moment.

    Returns the answers by request id, and the reasons by the ids that got none. `answered` hears how
    many have an answer or a reason so far. Ends shortly after the client's deadline at the latest.
    """
    answers, reasons = {}, {}
    lock = threading.Lock()
    line = threading.Barrier(len(request_ids))

    def connected():
        try:
            line.wait(5)
        except threading.BrokenBarrierError:
            pass  # one request could not connect: the others need not wait for it

    def reserve(request_id):
        try:
            outcome, into = client.reserve(workshop, request_id, seats, connected), answers
        except NoAnswer as fault:
            outcome, into = str(fault), reasons
        line.abort()
        with lock:
            into[request_id] = outcome
            answered(len(answers) + len(reasons))

    threads = [
        threading.Thread(target=reserve, args=[request_id], daemon=True)
        for request_id in request_ids
    ]
    for thread in threads:
        thread.start()
    patience = Deadline(client.deadline.remaining() + 5)
    for thread in threads:
        thread.join(min(patience.remaining(), threading.TIMEOUT_MAX))
    with lock:  # a thread that is late may still want to add to them
        told = {
            request_id: answers[request_id] for request_id in request_ids if request_id in answers
        }
        missing = [request_id for request_id in request_ids if request_id not in told]
        return told, {request_id: reasons.get(request_id, "no time left") for request_id in missing}
