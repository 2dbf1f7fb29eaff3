#!/usr/bin/env python3
"""An app's own server: it knows its users by login, and what they own by what the App Store signed.

README.md says how to start it; `backend.py --help` lists the options.
"""
import argparse
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from appstoreserverlibrary.signed_data_verifier import VerificationException, VerificationStatus

import report
from appstore import AppStore
from records import NotYours, Records

LARGEST_BODY = 256 * 1024


class Refusal(Exception):
    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def answer(self):
        url = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(url.query).items()}
        try:
            self.body = self.read_body()
            call = ROUTES.get((self.command, url.path))
            if call is None:
                raise Refusal(404, "there is nothing here")
            status, answer = 200, call(self)
        except Refusal as refusal:
            status, answer = refusal.status, {"error": str(refusal)}
        except VerificationException as error:
            # The store sends it again after 503: what could not be checked now may be later.
            later = error.status == VerificationStatus.RETRYABLE_VERIFICATION_FAILURE
            status, answer = 503 if later else 400, {"error": error.status.name}
        except UnicodeError:
            status, answer = 400, {"error": "not Unicode"}
        except Exception as error:
            status, answer = 500, {"error": "not kept; send it again"}
            print(f"{self.command} {url.path}: {error!r}", file=sys.stderr)
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def read_body(self):
        if self.command == "GET":
            return {}
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            # The body is not read, so no other request can follow on this connection.
            self.close_connection = True
            raise Refusal(413 if length.isdecimal() else 411, "a body with a length of 256 KiB at most")
        try:
            body = json.loads(self.rfile.read(int(length)) or b"{}")
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise Refusal(400, "not a JSON object")
        return body

    def text(self, name):
        value = self.body.get(name)
        if not isinstance(value, str) or not value:
            raise Refusal(400, f"{name} is missing")
        return value

    @property
    def token(self):
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        return token if kind == "Bearer" else ""

    def user(self):
        user = self.server.records.user(self.token)
        if user is None:
            raise Refusal(401, "log in first")
        return user

    # Calls of the app

    def log_in(self):
        """A new name is a new user. An app would send a mail, or ask another service, first."""
        name = self.text("user")
        token = self.server.records.log_in(
            name, self.text("password"), str(self.body.get("platform", "")), self.body.get("consent"))
        if token is None:
            raise Refusal(401, "the password is wrong")
        user = self.server.records.user(token)
        # The app gives this token to each purchase, so that its renewals are known to be this user's.
        return {"token": token, "appAccountToken": user["appAccountToken"], "list": user["list"]}

    def products(self):
        """The list of the user who is logged in, else of the account that is named, else A."""
        user = self.server.records.user(self.token)
        name = user["name"] if user else self.query.get("account")
        letter = self.server.records.list_for(name) if name else "A"
        return {"list": letter, "products": self.server.lists[letter]}

    def report_transaction(self):
        """From a device, at least once. Without a login it belongs to whom its appAccountToken names."""
        user = self.user()["id"] if self.token else None
        trusted = self.server.trusts_accounts and not user and "account" in self.body
        try:
            transaction, new = self.server.store.report(
                self.text("signedTransactionInfo"), user, self.text("account") if trusted else None)
        except NotYours:
            raise Refusal(409, "this purchase belongs to another user") from None
        return {"transactionId": transaction.transactionId, "new": new}

    def entitlements(self):
        return {"entitlements": self.server.records.entitlements(self.user()["id"])}

    def messages(self):
        return {"messages": report.messages(self.server.records, self.user()["id"])}

    # Calls of the store, and of those who run this server

    def notification(self):
        """200 only once it is kept. The store sends it again after anything else."""
        return {"new": self.server.store.receive(self.text("signedPayload"))}

    def operator(self):
        if self.server.operator_token and self.token != self.server.operator_token:
            raise Refusal(401, "only for those who run this server")

    def figures(self):
        self.operator()
        days = self.query.get("days", "30")
        if not days.isdecimal() or not 0 < int(days) <= 3660:
            raise Refusal(400, "days is a number from 1 to 3660")
        return report.report(self.server.records, int(days))

    def catch_up(self):
        self.operator()
        self.server.store.catch_up()
        return {}

    def health(self):
        return {"status": "ok"}

    def log_message(self, format, *values):
        if not self.server.quiet:
            print(format % values, flush=True)


ROUTES = {
    ("POST", "/login"): Handler.log_in,
    ("GET", "/products"): Handler.products,
    ("POST", "/apple/transactions"): Handler.report_transaction,
    ("GET", "/entitlements"): Handler.entitlements,
    ("GET", "/messages"): Handler.messages,
    ("POST", "/apple/notifications"): Handler.notification,
    ("POST", "/apple/catch-up"): Handler.catch_up,
    ("GET", "/report"): Handler.figures,
    ("GET", "/health"): Handler.health,
}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, records, store, lists, operator_token=None, trusts_accounts=False,
                 quiet=False):
        super().__init__(("127.0.0.1", port), Handler)
        self.records, self.store, self.lists = records, store, lists
        self.operator_token, self.quiet = operator_token, quiet
        self.trusts_accounts = trusts_accounts

    def keep_asking(self, seconds):
        """Asks the store at the start, and every so many seconds, for what it did not get through."""
        while True:
            try:
                self.store.catch_up()
            except Exception as error:
                print(f"The store was not asked; tried again in {seconds} s: {error!r}", file=sys.stderr)
            threading.Event().wait(seconds)


def options():
    parser = argparse.ArgumentParser(
        description="An app's own server. Each option can be an environment variable: --base-url is "
        "BACKEND_BASE_URL.")

    def add(name, **more):
        variable = "BACKEND_" + name.upper().replace("-", "_")
        default = os.environ.get(variable, more.pop("default", None))
        parser.add_argument("--" + name, default=default, required=default is None
                            and more.pop("required", False), **more)

    add("root", required=True, metavar="FILE",
        help="the root certificate to trust: storefront certificate > root.pem, or Apple's")
    add("bundle-id", required=True, metavar="ID", help="the app's bundle id")
    add("environment", default="Sandbox", help="Sandbox or Production (Sandbox)")
    add("app-apple-id", type=int, metavar="NUMBER", help="the app's number; Production needs it")
    add("online-checks", default="no", choices=["yes", "no"],
        help="whether to ask if certificates were revoked: yes for Apple's (no)")
    add("base-url", metavar="URL", help="of storefront serve; else Apple's")
    add("key", metavar="FILE", help="the API's private key (.p8); without one nothing is asked")
    add("key-id", metavar="ID", help="the key's id")
    add("issuer-id", metavar="UUID", help="the key's issuer id")
    add("poll", type=float, default="60", metavar="SECONDS", help="how often the store is asked (60)")
    add("clock", default="system", choices=["system", "store"],
        help="store: it is as late as the store signed last, for rehearsals (system)")
    add("database", default="backend.sqlite", metavar="FILE", help="(backend.sqlite)")
    add("products", default=os.path.join(os.path.dirname(__file__), "products.json"), metavar="FILE",
        help="the product lists A and B, and the days of non-renewing ones (products.json)")
    add("operator-token", metavar="TOKEN", help="what /report and /apple/catch-up ask for")
    add("trust-accounts", default="no", choices=["yes", "no"],
        help="yes: a report without a login is of the user whom its account names; for rehearsals, in "
        "which the store's accounts are the users (no)")
    add("port", type=int, default="3000", help="on 127.0.0.1; 0 for any (3000)")
    return parser.parse_args()


def main():
    chosen = options()
    with open(chosen.products, encoding="utf-8") as file:
        products = json.load(file)
    records = Records(chosen.database, chosen.clock, products["days"])
    store = AppStore(
        records, chosen.root, chosen.bundle_id, chosen.environment, chosen.app_apple_id,
        chosen.online_checks == "yes", chosen.base_url, chosen.key, chosen.key_id, chosen.issuer_id)
    server = Server(chosen.port, records, store, products, chosen.operator_token,
                    chosen.trust_accounts == "yes")
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    threading.Thread(target=server.keep_asking, args=[chosen.poll], daemon=True).start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
