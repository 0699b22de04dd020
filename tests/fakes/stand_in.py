# SPDX-License-Identifier: MIT
"""What the stand-ins for OneFS and UFM share: a server on a free port, with TLS where asked for, that can be told to misbehave.

It prints its port as the first line, and ends when its standard input is closed. `POST /stand-in` with a JSON object sets
switches; `GET /stand-in` tells them, and how often each path was asked for. Neither needs a login: it is for tests."""
import email.utils
import gzip
import http.server
import json
import pathlib
import ssl
import subprocess
import sys
import threading
import time


def make_certificate(folder, name="localhost"):
    """A self-signed certificate and its key, as (certificate, key)."""
    certificate, key = pathlib.Path(folder, "certificate.pem"), pathlib.Path(folder, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
                    f"subjectAltName=DNS:{name},IP:127.0.0.1" if name == "localhost" else f"subjectAltName=DNS:{name}",
                    "-out", certificate, "-keyout", key], check=True, capture_output=True)
    return certificate, key


class State:
    """Switches, counts of requests, and a clock that may be wrong."""

    def __init__(self, switches):
        self.switches, self.counts, self.lock = dict(switches), {}, threading.Lock()

    def on(self, name):
        return self.switches.get(name)

    def take(self, name):
        """A switch that counts down: true so many times."""
        with self.lock:
            left = self.switches.get(name, 0)
            self.switches[name] = max(0, left - 1)
            return left > 0

    def now(self):
        return time.time() + self.switches.get("skew_s", 0)


class Handler(http.server.BaseHTTPRequestHandler):
    """One request. A server's own handler has `answer(path, query, body)`."""
    protocol_version = "HTTP/1.1"
    banner = "STAND-IN"
    state = None

    def version_string(self):
        return self.banner

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate(self.state.now() if timestamp is None else timestamp, usegmt=True)

    def log_message(self, *_):
        pass

    def send(self, status, body, kind="application/json", headers=()):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        faulty = not self.path.startswith("/stand-in")
        cut = faulty and self.state.take("cut")
        if faulty and self.state.on("gzip") and "gzip" in self.headers.get("Accept-Encoding", ""):
            data, headers = gzip.compress(data), [*headers, ("Content-Encoding", "gzip")]
        if faulty and self.state.take("slow"):
            time.sleep(self.state.on("slow_s") or 3)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.close_connection = self.close_connection or cut

    def handle_request(self):
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path == "/stand-in":
            if self.command == "POST":
                self.state.switches.update(json.loads(body))
            return self.send(200, {"switches": self.state.switches, "counts": self.state.counts})
        with self.state.lock:
            self.state.counts[path] = self.state.counts.get(path, 0) + 1
        if self.state.take("reset"):
            self.close_connection = True
            return self.connection.close()
        if self.state.take("busy"):
            return self.send(503, "<html>Service Unavailable</html>", "text/html")
        for status in (403, 500):
            if self.state.take(f"status_{status}"):
                return self.send(status, f"<html>{status}</html>", "text/html")
        if self.state.take("redirect"):
            return self.send(302, "", headers=[("Location", "https://elsewhere.invalid/")])
        return self.answer(path, query, body)

    do_GET = do_POST = handle_request


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Clients that hang up are part of the tests."""


def serve(handler, switches, tls_folder=None):
    """Serves until standard input ends. Switches of its TLS: tls_name, whose its certificate is; demand_client: a client has to show the
    server's own certificate, which lies with its key in FOLDER/client.pem."""
    handler.state = State(switches)
    server = Server(("127.0.0.1", 0), handler)
    if tls_folder:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate, key = make_certificate(tls_folder, switches.get("tls_name", "localhost"))
        context.load_cert_chain(certificate, key)
        if switches.get("demand_client"):
            pathlib.Path(tls_folder, "client.pem").write_bytes(certificate.read_bytes() + key.read_bytes())
            context.load_verify_locations(certificate)
            context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
