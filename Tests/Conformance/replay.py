#!/usr/bin/env python3
"""The steps that conformance.py has recorded, once more: for where Apple's library cannot be had.

usage: replay.py PROGRAM RECORDING

Runs the commands on a store of its own, sends the requests to its server, and compares the answers, with
the payloads of signed texts in place of these. Needs Python's standard library and openssl.
"""
import base64
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote, urlencode

PATIENCE = float(os.environ.get("STOREFRONT_PATIENCE", "90"))
# What no two stores have in common.
OWN = {"revision", "paginationToken", "testNotificationToken", "notificationUUID"}


def segment(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def token(key, claims):
    """A JWT, signed by openssl. Its signature is two numbers in DER; a JWT has them in 32 bytes each."""
    header = {"alg": "ES256", "kid": key["keyId"], "typ": "JWT"}
    text = segment(json.dumps(header).encode()) + "." + segment(json.dumps(claims).encode())
    der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key["file"]], input=text.encode(),
                         capture_output=True, check=True).stdout
    numbers, at = b"", 2
    for _ in range(2):
        length = der[at + 1]
        numbers += der[at + 2:at + 2 + length].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + length
    return text + "." + segment(numbers)


def comparable(value):
    if isinstance(value, dict):
        return {key: None if key in OWN else comparable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if isinstance(value, str) and re.fullmatch(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", value):
        middle = value.split(".")[1]
        return {"JWS": comparable(json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4))))}
    return value


class Replay:
    def __init__(self, program, folder):
        self.program, self.answers, self.made = program, {}, 0
        self.environment = os.environ | {"STOREFRONT_STORE": folder + "/store", "LANG": "C", "TZ": "UTC"}
        self.folder = folder

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments, "--json"], env=self.environment,
                              capture_output=True, text=True, timeout=PATIENCE)

    def serve(self):
        key = self.folder + "/key.p8"
        made = self.run("operator", "api-keys", "create", "--out", key)
        self.key = json.loads(made.stdout) | {"file": key}
        port = self.folder + "/port"
        self.server = subprocess.Popen(
            [self.program, "serve", "--port", "0", "--port-file", port], env=self.environment,
            stdout=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while not (os.path.exists(port) and open(port).read().strip()):
            if self.server.poll() is not None or time.monotonic() > end:
                raise SystemExit("storefront serve did not start")
            time.sleep(0.02)
        self.port = int(open(port).read())

    def authorization(self):
        if time.time() - self.made > 120:
            now = self.made = int(time.time())
            self.token = token(self.key, {
                "iss": self.key["issuerId"], "bid": "com.example.lantern", "aud": "appstoreconnect-v1",
                "iat": now, "exp": now + 300})
        return "Bearer " + self.token

    def named(self, value):
        """A token that an earlier answer gave, for its name."""
        if isinstance(value, list):
            return [self.named(each) for each in value]
        found = re.fullmatch(r"\$\{(\d+)\.(\w+)\}", str(value))
        return self.answers[int(found[1])][found[2]] if found else value

    def send(self, request):
        path = quote("/".join(map(self.named, request["path"].split("/"))))
        query = {key: self.named(each) for key, each in request["query"].items()}
        if query:
            path += "?" + urlencode(query, doseq=True)
        headers = {"Authorization": self.authorization(), "Accept": "application/json"}
        body = request["text"].encode("latin-1") if "text" in request else None
        if "body" in request:
            body = json.dumps(request["body"]).encode()
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(request["method"], path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        try:
            content = json.loads(data) if data else None
        except ValueError:
            content = data.decode("utf-8", "replace")
        headers = {name: answer.headers[name] for name in ("Content-Type", "Retry-After")
                   if name in answer.headers}
        return {"status": answer.status, "headers": headers, "body": content}

    def step(self, number, step):
        """What differs; nothing if the step is as it was."""
        if "command" in step:
            # The first request comes after the commands that make the store.
            code = self.run(*step["command"]).returncode
            return None if code == step["code"] else f"ended with {code}, not {step['code']}"
        end = time.monotonic() + 10
        while True:
            answer = self.send(step["request"])
            self.answers[number] = answer["body"]
            if comparable(answer) == comparable(step["answer"]):
                return None
            # A mass extension goes on while its status is asked for.
            if "/mass/" not in step["request"]["path"] or time.monotonic() > end:
                return f"{json.dumps(comparable(answer))[:2000]}\n    not {json.dumps(step['answer'])[:2000]}"
            time.sleep(0.1)


def main(program, recording):
    with open(recording, encoding="utf-8") as file:
        steps = json.load(file)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="storefront-replay-", ignore_cleanup_errors=True) as folder:
        replay = Replay(os.path.abspath(program), folder)
        replay.run("certificate")
        replay.serve()
        try:
            for number, step in enumerate(steps):
                what = step.get("command") or [step["request"]["method"], step["request"]["path"]]
                differs = replay.step(number, step)
                failed += differs is not None
                print(f"{'ok  ' if differs is None else 'FAIL'} {number} {' '.join(what)}"[:150]
                      + (f"\n    {differs}" if differs else ""), flush=True)
        finally:
            replay.server.terminate()
            replay.server.wait(10)
    print(f"{len(steps) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
