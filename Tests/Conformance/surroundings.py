"""What surrounds the checks: the program, its server, Apple's client, a receiver, the recording."""
import base64
import http.server
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
import traceback
import warnings

import requests
from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

PATIENCE = float(os.environ.get("STOREFRONT_PATIENCE", "90"))
# Members of the program's lists that the server's signed texts do not have, or not the same.
OF_A_DEVICE = {"signedDate", "deviceVerification", "deviceVerificationNonce", "deviceVerificationId",
               "signedTransactionInfo", "device", "orderId", "refundRequested", "sharedBy",
               "receiptCreationDate", "path", "signed"}

warnings.filterwarnings("ignore", category=DeprecationWarning)


class Checks:
    """Prints a line for each check, and counts."""

    def __init__(self, part):
        self.part, self.passed, self.failed = part, 0, 0

    def true(self, name, holds, detail=""):
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {self.part}: {name}" + ("" if holds else f": {detail}"),
              flush=True)
        return holds

    def equal(self, name, got, wanted):
        return self.true(name, got == wanted, difference(got, wanted))

    def run(self, run, *values):
        """What ends with an error has failed; what follows is begun all the same."""
        try:
            run(*values)
        except Exception as error:
            lines = [f"{os.path.basename(each.filename)}:{each.lineno}"
                     for each in traceback.extract_tb(error.__traceback__)
                     if each.filename.startswith(os.path.dirname(os.path.abspath(__file__)))]
            self.true(" ".join(lines[1:]), False, f"{type(error).__name__} {error}")


def difference(got, wanted):
    """Of two objects only the members that differ."""
    if isinstance(got, dict) and isinstance(wanted, dict):
        return ", ".join(f"{key}: {got.get(key)!r}, not {wanted.get(key)!r}"
                         for key in sorted(got.keys() | wanted.keys())
                         if got.get(key) != wanted.get(key))
    return f"{str(got)[:400]!r}, not {str(wanted)[:400]!r}"


class Recording:
    """Commands, requests and answers in their order, for replay.py.

    What an answer gave for a later request, such as the revision of a page, is named there by its step.
    """
    TOKENS = ("revision", "paginationToken", "testNotificationToken")

    def __init__(self, file):
        self.file, self.steps, self.tokens = file, [], {}

    def command(self, arguments, code):
        if self.file:
            self.steps.append({"command": arguments, "code": code})

    def request(self, method, path, query, body, data, answer):
        if not self.file:
            return
        try:
            content = json.loads(answer.content) if answer.content else None
        except ValueError:
            content = answer.text
        headers = {name: answer.headers[name] for name in ("Content-Type", "Retry-After")
                   if name in answer.headers}
        step = {"request": {"method": method, "path": path, "query": query or {}},
                "answer": {"status": answer.status_code, "headers": headers, "body": decoded(content)}}
        if body is not None:
            step["request"]["body"] = body
        if data is not None:
            step["request"]["text"] = data.decode("latin-1")
        step["request"]["path"] = "/".join(self.tokens.get(each, each) for each in path.split("/"))
        step["request"]["query"] = {
            key: [self.tokens.get(value, value) for value in each] if isinstance(each, list)
            else self.tokens.get(each, each) for key, each in (query or {}).items()}
        if isinstance(content, dict):
            for token in self.TOKENS:
                if content.get(token):
                    self.tokens.setdefault(content[token], f"${{{len(self.steps)}.{token}}}")
        self.steps.append(step)

    def save(self):
        if self.file:
            with open(self.file, "w", encoding="utf-8") as file:
                file.write("[\n" + ",\n".join(json.dumps(step, sort_keys=True, ensure_ascii=False)
                                             for step in self.steps) + "\n]\n")
            print(f"{len(self.steps)} steps recorded: {self.file}")


def payload(signed):
    """The payload of a JWS, unverified."""
    middle = signed.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))


def decoded(value):
    """A JSON value with the payloads of signed texts in place of these."""
    if isinstance(value, dict):
        return {key: decoded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if isinstance(value, str) and re.fullmatch(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", value):
        return {"JWS": decoded(payload(value))}
    return value


class Program:
    """`storefront`, on a store of its own."""

    def __init__(self, path, store, recording, environment="Sandbox"):
        self.path, self.recording = os.path.abspath(path), recording
        # A store of another environment is only opened by who says so.
        self.more = ["--environment", environment] if environment != "Sandbox" else []
        self.environment = os.environ | {"STOREFRONT_STORE": store, "LANG": "C", "TZ": "UTC",
                                         "PYTHONDONTWRITEBYTECODE": "1"}

    def run(self, *arguments, code=0, recorded=True):
        """The objects that a command prints with --json."""
        arguments = [str(each) for each in arguments]
        ended = subprocess.run([self.path, *arguments, *self.more, "--json"], env=self.environment,
                               capture_output=True, text=True, timeout=PATIENCE)
        if recorded:
            self.recording.command(arguments, ended.returncode)
        if code is not None and ended.returncode != code:
            raise RuntimeError(f"storefront {' '.join(arguments)} ended with {ended.returncode}: "
                               f"{ended.stderr.strip() or ended.stdout.strip()}")
        return [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]

    def look(self, *arguments):
        """A command that only reads: a replay does not need it."""
        return self.run(*arguments, recorded=False)

    def transactions(self, account="me", *more):
        return {each["transactionId"]: each
                for each in self.look("transactions", "--account", account, *more)}

    def buy(self, *arguments, **more):
        return [each["transactionId"] for each in self.run("buy", *arguments, **more)]

    def start(self, *arguments):
        return subprocess.Popen([self.path, *arguments, *self.more], env=self.environment,
                                stdout=subprocess.DEVNULL, stderr=sys.stderr)


def wait_for(what, ask, patience=PATIENCE):
    """What `ask` answers, once it answers something."""
    end = time.monotonic() + patience
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not come within {patience:.0f} s")
        time.sleep(0.02)


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


class Client(AppStoreServerAPIClient):
    """Apple's client, sent to another server; it keeps each request with its answer."""

    def __init__(self, base_url, key, key_id, issuer_id, bundle_id, recording):
        with open(key, "rb") as file:
            pem = file.read()
        super().__init__(pem, key_id, issuer_id, bundle_id, Environment.SANDBOX)
        self._base_url, self.recording, self.last = base_url, recording, None

    def _execute_request(self, method, url, params, headers, json, data):
        self.last = super()._execute_request(method, url, params, headers, json, data)
        self.recording.request(method, url[len(self._base_url):], params, json, data, self.last)
        return self.last

    def raw(self, method, path, query=None, body=None, data=None, headers=None, recorded=True):
        """A request that the client's own calls cannot make."""
        headers = self._get_headers() | (headers or {})
        answer = requests.request(method, self._base_url + path, params=query, json=body, data=data,
                                  headers={name: each for name, each in headers.items() if each},
                                  timeout=PATIENCE, allow_redirects=False)
        if recorded:
            self.recording.request(method, path, query, body, data, answer)
        return answer

    def code(self, call, *values):
        """The error code of a call, or what it returned."""
        try:
            return call(*values)
        except APIException as error:
            return error.raw_api_error or error.http_status_code


class Receiver:
    """The app's server: keeps what is posted to it, and answers as it is told to."""

    def __init__(self):
        self.received, self.status = queue.Queue(), 200
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()
                receiver.received.put((receiver.status, dict(self.headers), body))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/apple/notifications"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next(self, patience=PATIENCE):
        return self.received.get(timeout=patience)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def verifier(root, bundle_id, environment, app_apple_id):
    return SignedDataVerifier([root], False, Environment(environment), bundle_id, app_apple_id)
