# SPDX-License-Identifier: MIT
"""STAND-IN for NVIDIA UFM, after its public documentation: the REST API with its ways of proving who one is, and the telemetry's
tables, on one port; faults on request.

    ufm_stand_in.py FOLDER_FOR_ITS_CERTIFICATE_OR_NOTHING [SWITCHES_AS_JSON]

No number it tells was measured anywhere: each request moves its counters on by a fixed step."""
import base64
import json
import pathlib
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import stand_in  # noqa: E402

USER, PASSWORD = "admin", "fabric of lies"
PACKETS = 1_000_000
# bytes_each: bytes a packet; in_bytes: the REST API tells bytes (else 4-byte words); bearer: the word before a token; table: another
# table than the usual one; zone_s: how far its local time is from UTC; reset: counters begin anew
SWITCHES = {"bytes_each": 4158, "in_bytes": True, "bearer": False, "zone_s": 7200, "user": USER, "password": PASSWORD}
HEADER = "timestamp,source_id,tag,Node_GUID,port_guid,Port_Number,PortXmitDataExtended,PortRcvDataExtended,PortXmitPktsExtended," \
         "PortRcvPktsExtended,PortXmitWaitExt,LinkDownedCounterExtended,Module_Temperature"
NAMES = [{"name": "0200000000000202_1", "path": "default(1) / Computer: node-a / HCA-1/1", "dname": "HCA-1/1", "active_speed": "EDR"},
         {"name": "0200000000000203_37", "path": "default(1) / Switch: leaf-1 / 37", "dname": "37", "active_speed": None}]


class Ufm(stand_in.Handler):
    banner = "STAND-IN for UFM (from public documentation)"
    asked = 0
    proofs = set()

    def refuse(self):
        return self.send(401, "<html>401 Authorization Required</html>", "text/html")

    def basic(self):
        word = f"{self.state.on('user')}:{self.state.on('password')}".encode()
        return self.headers.get("Authorization") == "Basic " + base64.b64encode(word).decode()

    def known(self, prefix):
        if self.state.take("expire"):
            self.proofs.clear()
        if prefix == "/ufmRest":
            return self.basic()
        if prefix == "/ufmRestV2":
            return self.headers.get("Cookie") in self.proofs
        kind, _, token = (self.headers.get("Authorization") or "").partition(" ")
        return kind == ("Bearer" if self.state.on("bearer") else "Basic") and token in self.proofs

    def prove(self, text):
        self.proofs.add(text)
        return text

    def answer(self, path, query, body):
        if path == "/dologin":
            form = dict(urllib.parse.parse_qsl(body.decode()))
            if (form.get("httpd_username"), form.get("httpd_password")) != (self.state.on("user"), self.state.on("password")):
                return self.send(200, "<form>", "text/html")
            return self.send(302, "", headers=[("Location", "/ufm_web/"), ("Set-Cookie", self.prove(f"session={len(self.proofs)}") + "; path=/")])
        if path == "/ufmRest/app/tokens":
            return self.send(200, {"access_token": self.prove(f"token-{len(self.proofs)}"), "revoked": False}) if self.basic() else self.refuse()
        prefix, _, rest = path[1:].partition("/")
        if not prefix.startswith("ufmRest"):
            return self.table(path)
        return self.rest(rest) if self.known("/" + prefix) else self.refuse()

    def rest(self, call):
        if call == "app/ufm_version":
            return self.send(200, {"ufm_release_version": "STAND-IN"})
        if call == "resources/ports":
            return self.send(200, NAMES)
        if call != "monitoring/snapshot" or self.command != "POST":
            return self.send(404, "no such call", "text/plain")
        if self.state.take("no_json"):
            return self.send(200, "<html>UFM is starting</html>", "text/html")
        packets = self.count()
        data = packets * self.state.on("bytes_each") // (1 if self.state.on("in_bytes") else 4)
        local = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(self.state.now() + self.state.on("zone_s")))
        statistics = {"Infiniband_MBOut": data, "Infiniband_MBIn": data, "Infiniband_PckOut": packets, "Infiniband_PckIn": packets,
                      "Infiniband_XmitWait": 0}
        return self.send(200, {local: {"Port": {"0200000000000202_1": {"dname": "HCA-1/1", "last_updated": local, "statistics": statistics}}}})

    def count(self):
        Ufm.asked = 1 if self.state.take("counters_reset") else self.asked + 1
        return self.asked * PACKETS

    def table(self, path):
        packets, now = self.count(), self.state.now()
        words = packets * self.state.on("bytes_each") // 4
        if path == "/csv/metrics":
            row = f"{int(now * 1e6)},0x0200000000000201,,0x0200000000000201,0x0200000000000202,1,{words},{words},{packets},{packets},,0,45C"
            return self.send(200, self.state.on("table") or f"{HEADER}\n{row}\n", "text/csv")
        if path == "/metrics":
            labels = '{source="0x0200000000000201",node_guid="0x0200000000000201",port_guid="0x0200000000000202",port_num="1"}'
            lines = [f"{name}{labels} {value} {int(now * 1e3)}\n" for name, value in
                     (("PortXmitDataExtended", words), ("PortRcvDataExtended", words), ("PortXmitPktsExtended", packets), ("PortRcvPktsExtended", packets))]
            return self.send(200, "".join(lines), "text/plain")
        return self.send(404, "", "text/plain")


if __name__ == "__main__":
    stand_in.serve(Ufm, {**SWITCHES, **json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")}, sys.argv[1] or None)
