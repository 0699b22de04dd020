# SPDX-License-Identifier: MIT
"""STAND-IN for the OneFS Platform API, after Dell's public documentation: sessions with CSRF, statistics, faults on request.

    onefs_stand_in.py FOLDER_FOR_ITS_CERTIFICATE [SWITCHES_AS_JSON]

No number it tells was measured anywhere: each request moves its counters on by a fixed step."""
import json
import pathlib
import sys
import urllib.parse
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import stand_in  # noqa: E402

USER, PASSWORD = "monitor", "correct horse battery"
RATES = {"ifs.bytes.out.rate": 2_000_000_000.4, "ifs.bytes.in.rate": 1000.0, "ifs.ops.out.rate": 4000.0, "ifs.ops.in.rate": 2.0,
         "cluster.disk.bytes.out.rate": 750_000_000.0, "cluster.disk.bytes.in.rate": 4096.0, "cluster.disk.xfers.out.rate": 5700.0,
         "cluster.disk.xfers.in.rate": 1.0, "cluster.net.ext.bytes.out.rate": 2_050_000_000.0, "cluster.net.ext.bytes.in.rate": 9_000_000.0}
PROTOCOLS = {"cluster.protostats.nfs": [{"op_name": "read", "op_rate": 300.0, "out_rate": 3e8, "in_rate": 60_000.0, "time_avg": 900.0},
                                        {"op_name": "getattr", "op_rate": 100.0, "out_rate": 20_000.0, "in_rate": 20_000.0, "time_avg": 100.0}],
             "cluster.protostats.nfs4": []}
CLIENTS = [{"remote_addr": "10.0.0.7", "protocol": "nfs3", "class": "read", "operation_rate": 300.0, "in": 60_000.0, "out": 3e8, "time_avg": 900.0},
           {"remote_addr": "10.0.0.8", "protocol": "nfs4", "class": "read", "operation_rate": 10.0, "in": 0.0, "out": 1e7, "time_avg": 400.0},
           {"remote_addr": "10.0.0.9", "protocol": "smb2", "class": "read", "operation_rate": 1.0, "in": 0.0, "out": 1e3, "time_avg": 1.0}]
# cache_s: how long a value is kept; csrf: whether sessions need the token; html401: how a refused session is told; node: which node answers
SWITCHES = {"cache_s": 0, "csrf": True, "html401": False, "node": 1, "user": USER, "password": PASSWORD}


class OneFs(stand_in.Handler):
    banner = "STAND-IN for OneFS (from public documentation)"
    sessions = {}  # cookie -> (csrf token, node)
    kept = {}      # key -> (time, value)
    cache_hits = 0

    def refuse(self):
        if self.state.on("html401"):
            return self.send(401, "<!DOCTYPE html><html><title>401 Unauthorized</title></html>", "text/html")
        return self.send(401, {"errors": [{"code": "AEC_UNAUTHORIZED", "message": "authorization required"}]})

    def log_in(self, body):
        asked = json.loads(body)
        if (asked.get("username"), asked.get("password")) != (self.state.on("user"), self.state.on("password")):
            return self.send(401, {"message": "Username or password is incorrect."})
        return self.send(201, {"services": ["platform"], "timeout_absolute": 14400, "timeout_inactive": 900, "username": USER},
                         headers=self.new_cookies())

    def new_cookies(self):
        cookie, token = str(uuid.uuid4()), str(uuid.uuid4()) if self.state.on("csrf") else ""
        self.sessions[cookie] = (token, self.state.on("node"))
        cookies = [("Set-Cookie", f"isisessid={cookie}; path=/; HttpOnly; Secure; SameSite=strict")]
        if token:
            cookies.append(("Set-Cookie", f"isicsrf={token}; path=/; Secure"))
        return cookies

    def known(self):
        cookies = dict(part.strip().split("=", 1) for part in (self.headers.get("Cookie") or "").split(";") if "=" in part)
        token, node = self.sessions.get(cookies.get("isisessid"), (None, None))
        if token is None or node != self.state.on("node"):
            return False
        if token and (self.headers.get("X-CSRF-Token") != token or not (self.headers.get("Referer") or self.headers.get("Origin"))):
            return False
        if self.state.take("expire"):
            self.sessions.clear()
            return False
        return True

    def answer(self, path, query, body):
        if path == "/session/1/session" and self.command == "POST":
            return self.log_in(body)
        if not path.startswith("/platform/") or path.endswith("/"):
            return self.send(404, {"errors": [{"code": "AEC_NOT_FOUND", "message": "Path not found"}]})
        if not self.known():
            return self.refuse()
        if len(self.path) > 8190:
            return self.send(414, "<html>URI too long</html>", "text/html")
        headers = []
        if self.state.take("replace"):
            self.sessions.clear()
            headers = self.new_cookies()
        return self.statistics(path, query, headers)

    def statistics(self, path, query, headers):
        if path.startswith("/platform/1/statistics/keys/"):
            return self.describe(path.rsplit("/", 1)[1])
        if path == "/platform/3/statistics/summary/client" and not self.state.on("no_clients"):
            return self.send(200, {"client": [dict(row, node=1, time=int(self.state.now())) for row in CLIENTS]}, headers=headers)
        if path != "/platform/1/statistics/current":
            return self.send(404, {"errors": [{"code": "AEC_NOT_FOUND", "message": "Path not found"}]})
        if self.state.take("whole_error"):
            return self.send(400, {"errors": [{"code": "AEC_BAD_REQUEST", "field": "key", "message": "the statistics daemon is restarting"}]})
        if self.state.take("no_json"):
            return self.send(200, "<html>It works!</html>", "text/html")
        keys = urllib.parse.parse_qs(query).get("key", [])
        return self.send(200, {"stats": [row for key in keys for row in self.rows(key)]}, headers=headers)

    def describe(self, key):
        if key in (self.state.on("unknown_keys") or []):
            return self.send(404, {"errors": [{"code": "AEC_NOT_FOUND", "field": "key", "message": f"no key {key}"}]})
        seconds = self.state.on("cache_s")
        policies = [{"interval": seconds, "persistent": False, "retention": 3600}, {"interval": 300, "persistent": True}] if seconds else None
        return self.send(200, {"keys": [{"key": key, "description": "stand-in", "default_cache_time": seconds, "policies": policies}]})

    def value_of(self, key):
        """A value is kept for as long as its description says, and so is its time."""
        now = self.state.now()
        if key not in self.kept or now - self.kept[key][0] >= self.state.on("cache_s"):
            OneFs.cache_hits += 1000
            cache = {"l1_data_read_start": 10 * OneFs.cache_hits, "l1_data_read_hit": 4 * OneFs.cache_hits,
                     "l2_data_read_start": 6 * OneFs.cache_hits, "l2_data_read_hit": OneFs.cache_hits}
            value = RATES.get(key, PROTOCOLS.get(key, cache))
            self.kept[key] = (now, value)
        return self.kept[key]

    def rows(self, key):
        at, value = self.value_of(key)
        row = {"devid": 0, "key": key, "time": int(at), "value": value, "error": None, "error_code": None}
        row.update((self.state.on("rows") or {}).get(key, {}))
        if key != "node.ifs.cache":
            return [row] * (2 if self.state.on("twice") else 1)
        if self.state.take("cache_reset"):
            row["value"] = {name: 5 for name in value}
        return [dict(row, devid=devid, node=devid, error="") for devid in (1, 2)]


if __name__ == "__main__":
    stand_in.serve(OneFs, {**SWITCHES, **json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")}, sys.argv[1] or None)
