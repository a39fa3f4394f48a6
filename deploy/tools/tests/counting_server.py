"""A small HTTP server that counts what it is asked, for tests of the load generator."""

import socket
import threading


def answer(status=200, body="{}", chunked=False):
    """The bytes of an HTTP/1.1 answer."""
    head = f"HTTP/1.1 {status} Whatever\r\n"
    if chunked:
        half = len(body) // 2
        chunks = "".join(f"{len(part):x}\r\n{part}\r\n" for part in (body[:half], body[half:], ""))
        return f"{head}transfer-encoding: chunked\r\n\r\n{chunks}".encode()
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


class CountingServer:
    """Keeps each request as (method and path, body), and answers with what `respond` returns.

    `respond` gets the number of the request, counted from 1, and its body; if it returns None, the
    connection is closed without an answer. `after` gets the number when the answer was sent.
    """

    def __init__(self, respond=lambda number, body: answer(), after=lambda number: None):
        self.respond, self.after = respond, after
        self.requests = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return  # the test is over
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rb") as stream:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while line := stream.readline():
                length = 0
                while (header := stream.readline()) not in (b"\r\n", b""):
                    name, _, value = header.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                body = stream.read(length).decode()
                with self.lock:
                    self.requests.append((line.decode().rsplit(" ", 1)[0], body))
                    number = len(self.requests)
                said = self.respond(number, body)
                if said is None:
                    return
                try:
                    connection.sendall(said)
                    self.after(number)
                except OSError:
                    return  # the generator has gone
