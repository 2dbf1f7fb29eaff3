#!/usr/bin/env python3
"""Apple's own library against `storefront serve`: every call of its client, every field of the answers.

What the server answers is compared with what the commands print with --json; notifications are received,
verified and compared with the history. Prints a line for each check; the exit code is 1 if one failed.
Each part has a store and a server of its own.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.api_client import GetTransactionHistoryVersion as Version
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode as Reason
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order, ProductType, TransactionHistoryRequest)
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

import errors
import surroundings
from surroundings import (
    OF_A_DEVICE, Checks, Client, Program, Receiver, Recording, decoded, payload, read, verifier,
    wait_for)

DAY = 24 * 60 * 60 * 1000
START = "2040-01-01T00:00:00Z"
COINS, LAMP, PASS = "lantern.coins.10", "lantern.tool.lamp", "lantern.season.pass"
PLUS, YEAR = "lantern.membership.plus.month", "lantern.membership.plus.year"
BASIC, FAMILY = "lantern.membership.basic.month", "lantern.membership.family.month"
GROUP, BUNDLE, APP = "lantern.membership", "com.example.lantern", 1234567890
TOKEN = "3f2b1c2e-0000-4000-8000-000000000001"
PRODUCT_TYPES = {"Consumable": "CONSUMABLE", "Non-Consumable": "NON_CONSUMABLE",
                 "Auto-Renewable Subscription": "AUTO_RENEWABLE",
                 "Non-Renewing Subscription": "NON_RENEWABLE"}


class Store:
    """A store whose clock stands, its server, and a client with a key of its own."""

    def __init__(self, options, folder, recording, environment="Sandbox"):
        os.makedirs(folder)
        self.program = program = Program(
            options.program, folder + "/store", recording, environment)
        self.environment = environment
        program.run("operator", "clock", "stop")
        program.run("operator", "clock", "to", START)
        self.root = folder + "/root.der"
        with open(self.root, "wb") as file:
            der = subprocess.run([program.path, "certificate", "--der", *program.more], check=True,
                                 env=program.environment, capture_output=True).stdout
            file.write(der)
        self.key = folder + "/key.p8"
        key = program.run("operator", "api-keys", "create", "--out", self.key, recorded=False)[0]
        self.key_id, self.issuer_id = key["keyId"], key["issuerId"]
        self.server = program.start("serve", "--port", "0", "--port-file", folder + "/port")
        port = wait_for("the port of storefront serve", lambda: self.alive() and read(folder + "/port"))
        self.url = f"http://127.0.0.1:{port}"
        self.client = Client(self.url, self.key, self.key_id, self.issuer_id, BUNDLE, recording)
        self.verifier = verifier(der, BUNDLE, environment, APP)

    def alive(self):
        if self.server.poll() is not None:
            raise RuntimeError(f"storefront serve ended with {self.server.returncode}")
        return True

    def close(self):
        self.server.terminate()
        self.server.wait(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def transaction(self, signed):
        """A verified transaction's payload, each field of which the library understood as well."""
        return self.fields(self.verifier.verify_and_decode_signed_transaction(signed), signed)

    def renewal(self, signed):
        return self.fields(self.verifier.verify_and_decode_renewal_info(signed), signed)

    def app_transaction(self, signed):
        return self.fields(self.verifier.verify_and_decode_app_transaction(signed), signed)

    @staticmethod
    def fields(model, signed):
        found = payload(signed)
        # An app transaction says it under two names, of which the library reads the field's.
        if found.get("receiptType") == found.get("environment"):
            found.pop("environment", None)
        for key, each in found.items():
            raw = "raw" + key[0].upper() + key[1:]
            read = getattr(model, raw if hasattr(model, raw) else key, KeyError)
            if read is KeyError:
                raise ValueError(f"the library does not know {key}")
            if not isinstance(each, (dict, list)) and read != each:
                raise ValueError(f"{key} is {each!r}, and the library reads {read!r}")
        return mine(found)

    def transactions(self, signed):
        """Payloads by number; one that comes twice is an error."""
        found = [self.transaction(each) for each in signed or []]
        numbers = [each["transactionId"] for each in found]
        if len(set(numbers)) < len(numbers):
            raise ValueError(f"a transaction twice among {numbers}")
        return dict(zip(numbers, found))

    def truth(self, account="me", *more):
        return {key: mine(each) for key, each in self.program.transactions(account, *more).items()}

    def subscriptions(self, account="me"):
        return {each["transaction"]["originalTransactionId"]: each
                for each in self.program.look("subscriptions", "--account", account)}

    def now(self):
        return self.program.look("operator", "clock")[0]["now"]


def mine(payload):
    """A payload without what differs between a device's and a server's."""
    return {key: each for key, each in payload.items() if key not in OF_A_DEVICE}


def iso(date):
    return datetime.fromtimestamp(date / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def pages(call, revision=None):
    for _ in range(50):
        page = call(revision)
        yield page
        if not page.hasMore:
            return
        revision = page.revision
    raise ValueError("more than 50 pages")


# The calls that read and write

def sell(store):
    """The sales of the first part: three pages of them, each type, a renewal, refunds, families."""
    run, buy = store.program.run, store.program.buy
    ids = {"subscription": buy(PLUS, "--app-account-token", TOKEN)[0]}
    ids["lamp"], ids["pass"] = buy(LAMP, PASS)
    ids["coins"] = buy(*[COINS] * 41)
    ids["three"] = buy(COINS, "--quantity", 3)[0]
    ids["ended"] = buy(BASIC, "--account", "ben")[0]
    run("operator", "auto-renew", "off", ids["ended"])
    ids["year"] = buy(YEAR, "--account", "cal")[0]
    ids["family"] = buy(FAMILY, "--account", "gus")[0]
    for organizer, member in (("me", "nia"), ("gus", "hal")):
        run("operator", "family", "create", organizer)
        run("operator", "family", "join", member, "--organizer", organizer)
    run("operator", "clock", "advance", "1mo")
    run("operator", "refund", ids["coins"][0])
    run("operator", "refund", ids["three"], "--percent", 50, "--reason", "app")
    run("operator", "refund", ids["pass"])
    run("request-refund", ids["coins"][1], "--reason", "broken")
    ids["share"] = next(iter(store.truth("nia")))
    ids["sharedSubscription"] = next(iter(store.truth("hal")))
    ids["renewal"] = next(key for key, each in store.truth().items()
                          if each["productId"] == PLUS and key != ids["subscription"])
    ids["app"] = store.truth()[ids["lamp"]]["appTransactionId"]
    return ids


def reading(checks, store, ids):
    client = store.client
    every = {account: store.truth(account) for account in ("me", "ben", "cal", "gus", "hal", "nia")}
    for account, truth in every.items():
        got = {key: store.transaction(client.get_transaction_info(key).signedTransactionInfo)
               for key in truth if key not in ids["coins"][5:]}
        checks.equal(f"transaction info of {len(got)} transactions of {account}",
                     got, {key: truth[key] for key in got})
    header = json.loads(surroundings.base64.urlsafe_b64decode(
        client.get_transaction_info(ids["lamp"]).signedTransactionInfo.split(".")[0] + "=="))
    checks.equal("the header of a signed text", (header["alg"], len(header["x5c"])), ("ES256", 3))
    checks.equal("the content type of an answer", client.last.headers["Content-Type"],
                 "application/json")

    for account, chain in (("me", ids["renewal"]), ("ben", ids["ended"]), ("cal", ids["year"]),
                           ("hal", ids["sharedSubscription"]), ("me", ids["app"])):
        statuses(checks, store, account, chain)
    active = client.get_all_subscription_statuses(ids["ended"], [Status.ACTIVE])
    checks.equal("statuses that a filter leaves out", active.data, [])
    both = client.get_all_subscription_statuses(ids["ended"], [Status.ACTIVE, Status.EXPIRED])
    checks.equal("statuses that one of two filters names", len(both.data), 1)
    checks.equal("statuses of who has no subscription",
                 client.get_all_subscription_statuses(ids["share"]).data, [])

    listed = store.program.transactions()
    for name in ("lamp", "renewal"):
        order = listed[ids[name]]["orderId"]
        answer = client.look_up_order_id(order)
        checks.equal(f"the order of the {name}", (answer.rawStatus, store.transactions(
            answer.signedTransactions)), (0, {ids[name]: every["me"][ids[name]]}))
    answer = client.look_up_order_id("MNOSUCHORDER")
    checks.equal("an order that is none", (answer.rawStatus, answer.signedTransactions or []), (1, []))

    refunded = {key: each for key, each in every["me"].items() if "revocationDate" in each}
    found = list(pages(lambda revision: client.get_refund_history(ids["lamp"], revision)))
    checks.equal("the refund history", store.transactions(
        sum((page.signedTransactions for page in found), [])), refunded)
    checks.equal("the refund history of who was refunded nothing",
                 client.get_refund_history(ids["year"], None).signedTransactions, [])

    shown = mine(store.program.look("receipt", "show", "--app-transaction")[0])
    shown.pop("environment")
    for chain in (ids["lamp"], ids["app"]):
        signed = client.get_app_transaction_info(chain).signedAppTransactionInfo
        checks.equal(f"the app transaction by {chain}", store.app_transaction(signed), shown)


def statuses(checks, store, account, chain):
    answer = store.client.get_all_subscription_statuses(chain)
    wanted = {key: (each["subscriptionGroupIdentifier"], each["status"], mine(each["transaction"]),
                    mine(each["renewalInfo"])) for key, each in store.subscriptions(account).items()}
    got = {item.originalTransactionId: (
        group.subscriptionGroupIdentifier, item.rawStatus, store.transaction(item.signedTransactionInfo),
        store.renewal(item.signedRenewalInfo))
        for group in answer.data for item in group.lastTransactions}
    checks.equal(f"subscription statuses of {account} by {chain}", got, wanted)
    app = APP if store.environment == "Production" else None
    checks.true(f"what surrounds the statuses of {account}", (
        answer.rawEnvironment == store.environment and answer.bundleId == BUNDLE
        and answer.appAppleId == app), (answer.rawEnvironment, answer.bundleId, answer.appAppleId))


def history(checks, store, ids):
    client, truth = store.client, store.truth()

    def found(version=Version.V2, chain=ids["lamp"], revision=None, **filters):
        request = TransactionHistoryRequest(**filters)
        got = list(pages(lambda revision: client.get_transaction_history(
            chain, revision, request, version), revision))
        return got, store.transactions(sum((page.signedTransactions or [] for page in got), []))

    got, forward = found(sort=Order.ASCENDING)
    checks.equal("the history, oldest first", forward, truth)
    checks.equal("its pages", [len(page.signedTransactions) for page in got],
                 [20] * (len(truth) // 20) + [len(truth) % 20])
    checks.true("what surrounds its pages", all(
        page.bundleId == BUNDLE and page.rawEnvironment == store.environment and page.revision
        for page in got))
    backward = found(sort=Order.DESCENDING)[1]
    checks.equal("the history, newest first", list(backward), list(forward)[::-1])
    checks.equal("the history without a sort", list(found()[1]), list(forward))
    checks.equal("the history by the number of the app transaction",
                 found(chain=ids["app"], sort=Order.ASCENDING)[1], forward)

    def where(holds):
        return {key: each for key, each in truth.items() if holds(each)}

    dates = sorted({each["purchaseDate"] for each in truth.values()})
    filters = {
        "products": (dict(productIds=[LAMP, PASS]), lambda each: each["productId"] in (LAMP, PASS)),
        "no such product": (dict(productIds=["none"]), lambda each: False),
        "a group": (dict(subscriptionGroupIdentifiers=[GROUP]),
                    lambda each: each.get("subscriptionGroupIdentifier") == GROUP),
        "what was bought": (dict(inAppOwnershipType=InAppOwnershipType.PURCHASED), lambda each: True),
        "what is shared": (dict(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED),
                           lambda each: each["inAppOwnershipType"] == "FAMILY_SHARED"),
        "what was revoked": (dict(revoked=True), lambda each: "revocationDate" in each),
        "what was not revoked": (dict(revoked=False), lambda each: "revocationDate" not in each),
        "a time from its start": (dict(startDate=dates[-1]),
                                  lambda each: each["purchaseDate"] >= dates[-1]),
        "a time before its end": (dict(endDate=dates[-1]),
                                  lambda each: each["purchaseDate"] < dates[-1]),
        "two filters": (dict(productIds=[COINS], revoked=True),
                        lambda each: each["productId"] == COINS and "revocationDate" in each)}
    for name, kind in PRODUCT_TYPES.items():
        filters[name] = (dict(productTypes=[ProductType(kind)]),
                         lambda each, name=name: each["type"] == name)
    for name, (filter, holds) in filters.items():
        checks.equal(f"the history of {name}", found(**filter)[1], where(holds))
    # Version 1 leaves out consumables that were finished and not revoked.
    checks.equal("the history's first version", found(Version.V1)[1], where(
        lambda each: each["type"] != "Consumable" or "revocationDate" in each))
    checks.equal("the history of a family's member", found(chain=ids["share"])[1], store.truth("nia"))

    # While sales go on, a walk meets each transaction once; its last revision goes on with what follows.
    request = TransactionHistoryRequest(sort=Order.ASCENDING)
    first = client.get_transaction_history(ids["lamp"], None, request, Version.V2)
    sold = store.program.buy(COINS)[0]
    got, rest = found(sort=Order.ASCENDING, revision=first.revision)
    met = store.transactions(first.signedTransactions) | rest
    checks.equal("a walk during which something is sold", met, store.truth())
    checks.equal("and its length", len(met), len(first.signedTransactions) + len(rest))
    again = store.program.buy(COINS)[0]
    store.program.run("operator", "refund", sold)
    checks.equal("what follows the last page", sorted(found(
        sort=Order.ASCENDING, revision=got[-1].revision)[1]), sorted([sold, again]))


def writing(checks, store, ids):
    client, program = store.client, store.program
    left = program.buy(COINS, "--leave-unfinished", code=None)[0]
    checks.true("a transaction waits to be finished", left in program.transactions("me", "--unfinished"))
    for name in ("finished", "finished once more"):
        checks.equal(f"it is {name}", client.finish_transaction(left), None)
    checks.equal("nothing waits to be finished", program.transactions("me", "--unfinished"), {})

    token = "3f2b1c2e-0000-4000-8000-000000000002"
    client.set_app_account_token(ids["lamp"], UpdateAppAccountTokenRequest(appAccountToken=token))
    signed = client.get_transaction_info(ids["lamp"]).signedTransactionInfo
    checks.equal("the token that was set", store.transaction(signed)["appAccountToken"], token)
    checks.equal("a device sees it", store.truth()[ids["lamp"]]["appAccountToken"], token)

    for number in (1, 2):
        before = store.truth()[ids["renewal"]]["expiresDate"]
        answer = client.extend_subscription_renewal_date(ids["subscription"], ExtendRenewalDateRequest(
            extendByDays=5, extendReasonCode=Reason.CUSTOMER_SATISFACTION,
            requestIdentifier=f"conformance {number}"))
        after = store.truth()[ids["renewal"]]
        checks.equal(f"extension {number} of a subscription", (
            answer.originalTransactionId, answer.webOrderLineItemId, answer.success,
            answer.effectiveDate), (
            ids["subscription"], after["webOrderLineItemId"], True, before + 5 * DAY))
        checks.equal(f"a device sees extension {number}", after["expiresDate"], before + 5 * DAY)

    for name, storefronts, count in (("one", ["JPN"], 0), ("two", ["USA", "JPN"], 1), ("three", None, 1)):
        request = MassExtendRenewalDateRequest(
            extendByDays=3, extendReasonCode=Reason.SERVICE_ISSUE_OR_OUTAGE,
            requestIdentifier=f"mass-{name}", productId=YEAR, storefrontCountryCodes=storefronts)
        checks.equal(f"mass extension {name}", client.extend_renewal_date_for_all_active_subscribers(
            request).requestIdentifier, f"mass-{name}")

        def status(name=name):
            return client.get_status_of_subscription_renewal_date_extensions(f"mass-{name}", YEAR)
        answer = wait_for("the end of a mass extension", lambda: (
            status() if status().complete else None))
        checks.equal(f"the outcome of mass extension {name}", (
            answer.requestIdentifier, answer.completeDate, answer.succeededCount, answer.failedCount),
            (f"mass-{name}", store.now(), count, 0))

    asked = ids["coins"][1]
    for version, call, request in (
            (1, client.send_consumption_data, ConsumptionRequestV1(
                customerConsented=True, rawConsumptionStatus=1, rawPlatform=1, rawDeliveryStatus=0,
                sampleContentProvided=False, appAccountToken="", rawAccountTenure=1, rawPlayTime=1,
                rawLifetimeDollarsRefunded=1, rawLifetimeDollarsPurchased=2, rawUserStatus=1,
                rawRefundPreference=2)),
            (2, client.send_consumption_information, ConsumptionRequest(
                customerConsented=True, sampleContentProvided=False, rawDeliveryStatus="DELIVERED",
                consumptionPercentage=25000, rawRefundPreference="GRANT_PRORATED"))):
        call(asked, request)
        checks.equal(f"consumption information, version {version}",
                     (client.last.status_code, client.last.content), (202, b""))
    shown = [each for each in program.look("operator", "refund-requests")
             if each["transactionId"] == asked]
    checks.true("the operator sees it beside the request", shown and shown[0].get("consumption"), shown)


# Notifications

class Told:
    """What a receiver got, verified and compared."""

    def __init__(self, checks, store, receiver):
        self.checks, self.store, self.receiver, self.all = checks, store, receiver, []

    def next(self):
        status, headers, body = self.receiver.next()
        signed = json.loads(body)
        if list(signed) != ["signedPayload"] or "json" not in headers.get("Content-Type", ""):
            raise ValueError(f"not as the App Store posts: {headers}, {list(signed)}")
        verified = self.store.verifier.verify_and_decode_notification(signed["signedPayload"])
        found = payload(signed["signedPayload"])
        self.all.append(found)
        wanted = {"notificationType", "notificationUUID", "version", "signedDate"}
        if found.get("version") != "2.0" or not wanted <= found.keys():
            raise ValueError(f"members are missing: {sorted(found)}")
        if verified.notificationUUID != found["notificationUUID"]:
            raise ValueError("the library reads another UUID")
        return found

    def expect(self, *wanted, account="me", command=None):
        """Runs a command, and compares what comes: types with subtypes, statuses, and the states."""
        store = self.store
        if command:
            store.program.run(*command)
        got = [self.next() for _ in wanted]
        names = sorted(".".join(filter(None, (each["notificationType"], each.get("subtype"))))
                       + (f" {each['data']['status']}" if "status" in each.get("data", {}) else "")
                       for each in got)
        self.checks.equal(" + ".join(wanted), names, sorted(wanted))
        if len(got) == 1 and "data" in got[0]:
            data = got[0]["data"]
            name = f"the state in {wanted[0]}"
            self.checks.equal(f"{name}: app", (data["bundleId"], data["environment"]),
                              (BUNDLE, store.environment))
            if "signedTransactionInfo" in data:
                sent = store.transaction(data["signedTransactionInfo"])
                self.checks.equal(f"{name}: transaction", sent,
                                  store.truth(account).get(sent["transactionId"]))
            if "signedRenewalInfo" in data:
                sent = store.renewal(data["signedRenewalInfo"])
                shown = store.subscriptions(account)[sent["originalTransactionId"]]
                self.checks.equal(f"{name}: renewal", (sent, data["status"]),
                                  (mine(shown["renewalInfo"]), shown["status"]))
        return got

    def nothing_more(self, name):
        """A test notification is the next thing that comes."""
        self.store.client.request_test_notification()
        self.checks.equal(name, self.next()["notificationType"], "TEST")


def notifications(checks, store, receiver):
    program, client = store.program, store.client
    told = Told(checks, store, receiver)
    expect = told.expect
    checks.equal("a test notification without an address",
                 client.code(client.request_test_notification), 4040007)
    program.run("operator", "notifications", "url", receiver.url)
    token = client.request_test_notification().testNotificationToken
    test, = expect("TEST")

    def tried():
        answer = client.get_test_notification_status(token)
        return answer if answer.sendAttempts else None
    answer = wait_for("the status of a test notification", tried)
    checks.equal("the status of a test notification", (
        payload(answer.signedPayload)["notificationUUID"],
        [(each.attemptDate, each.rawSendAttemptResult) for each in answer.sendAttempts]),
        (test["notificationUUID"], [(store.now(), "SUCCESS")]))

    expect("ONE_TIME_CHARGE", command=("buy", COINS))
    coin = next(iter(store.truth()))
    expect("SUBSCRIBED.INITIAL_BUY 1", command=("buy", PLUS))
    chain = next(iter(store.subscriptions()))

    def until():
        return iso(store.subscriptions()[chain]["paidUntil"])
    off, on = (("operator", "auto-renew", each, chain) for each in ("off", "on"))
    expect("DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED 1", command=off)
    expect("DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_ENABLED 1", command=on)
    expect("DID_RENEW 1", command=("operator", "clock", "to", until()))
    latest = max(store.truth(), key=int)
    expect("RENEWAL_EXTENDED 1", command=("operator", "extend", 5, latest))
    expect("DID_CHANGE_RENEWAL_PREF.DOWNGRADE 1", command=("buy", BASIC))
    expect("DID_CHANGE_RENEWAL_PREF 1", command=("buy", PLUS))
    expect("OFFER_REDEEMED 1", command=("buy", PLUS, "--offer", "plus.half"))
    expect("DID_CHANGE_RENEWAL_PREF.UPGRADE 1", command=("buy", FAMILY))
    latest = max(store.truth(), key=int)
    expect("PRICE_INCREASE.PENDING 1", command=("operator", "price-increase", "ask", latest))
    expect("PRICE_INCREASE.ACCEPTED 1", command=("operator", "price-increase", "consent", latest))

    program.run("operator", "renewals", "--billing", "fail", "--grace", "on")
    expect("DID_FAIL_TO_RENEW.GRACE_PERIOD 4", command=("operator", "clock", "to", until()))
    expect("GRACE_PERIOD_EXPIRED 3", command=("operator", "clock", "advance", "17d"))
    program.run("operator", "renewals", "--billing", "succeed", "--grace", "off")
    expect("DID_RENEW.BILLING_RECOVERY 1", command=("operator", "resolve-billing", chain))
    program.run("operator", "renewals", "--billing", "fail")
    expect("DID_FAIL_TO_RENEW 3", command=("operator", "clock", "to", until()))
    expect("EXPIRED.BILLING_RETRY 2", command=("operator", "clock", "advance", "61d"))
    program.run("operator", "renewals", "--billing", "succeed")
    expect("SUBSCRIBED.RESUBSCRIBE 1", command=("buy", PLUS))
    expect("DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED 1", command=off)
    expect("EXPIRED.VOLUNTARY 2", command=("operator", "clock", "to", until()))

    asked, = expect("CONSUMPTION_REQUEST", command=("request-refund", coin, "--reason", "broken"))
    checks.equal("why a refund is asked for", asked["data"]["consumptionRequestReason"],
                 "FULFILLMENT_ISSUE")
    client.send_consumption_information(coin, ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, rawDeliveryStatus="DELIVERED"))
    expect("REFUND_DECLINED", command=("operator", "decline-refund", coin))
    expect("REFUND", command=("operator", "refund", coin))
    expect("REFUND_REVERSED", command=("operator", "reverse-refund", coin))

    program.run("operator", "family", "create", "me")
    program.run("operator", "family", "join", "nia", "--organizer", "me")
    expect("ONE_TIME_CHARGE", "ONE_TIME_CHARGE", command=("buy", LAMP))
    lamp = next(key for key, each in store.truth().items() if each["productId"] == LAMP)
    expect("REFUND", "REVOKE", command=("operator", "refund", lamp))

    expect("SUBSCRIBED.INITIAL_BUY 1", account="ben", command=("buy", BASIC, "--account", "ben"))
    client.extend_renewal_date_for_all_active_subscribers(MassExtendRenewalDateRequest(
        extendByDays=3, extendReasonCode=Reason.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier="mass",
        productId=BASIC))
    both = expect("RENEWAL_EXTENDED 1", "RENEWAL_EXTENSION.SUMMARY", account="ben")
    summary = next(each["summary"] for each in both if "summary" in each)
    checks.equal("the summary of a mass extension", {key: summary.get(key) for key in (
        "requestIdentifier", "environment", "bundleId", "productId", "succeededCount", "failedCount")},
        {"requestIdentifier": "mass", "environment": store.environment, "bundleId": BUNDLE,
         "productId": BASIC, "succeededCount": 1, "failedCount": 0})
    program.run("operator", "family", "join", "ben", "--organizer", "me", "--role", "child")
    rescinded, = expect("RESCIND_CONSENT", command=("operator", "rescind-consent", "ben"))
    app = store.app_transaction(rescinded["appData"]["signedAppTransactionInfo"])
    checks.equal("whose consent was withdrawn", app["appTransactionId"],
                 next(iter(store.truth("ben").values()))["appTransactionId"])
    told.nothing_more("nothing was told that did not happen")

    retries(checks, store, receiver, told)
    notification_history(checks, store, told)


def retries(checks, store, receiver, told):
    program, client = store.program, store.client
    for name, retried in (("once", "off"), ("until it arrives", "on")):
        program.run("operator", "notifications", "retry", retried)
        receiver.status = 500
        program.run("buy", COINS)
        first = told.next()
        program.run("operator", "clock", "advance", "1h")
        attempts = ["UNSUCCESSFUL_HTTP_RESPONSE_CODE"]
        if retried == "on":
            second = told.next()
            receiver.status = 200
            program.run("operator", "clock", "advance", "12h")
            third = told.next()
            checks.equal("each attempt has the UUID of the first", {
                each["notificationUUID"] for each in (first, second, third)},
                {first["notificationUUID"]})
            attempts += attempts + ["SUCCESS"]
        receiver.status = 200

        def recorded():
            items = [item for item in sent(store, notificationType=NotificationTypeV2.ONE_TIME_CHARGE)
                     if payload(item.signedPayload)["notificationUUID"] == first["notificationUUID"]]
            return items if items and len(items[0].sendAttempts) >= len(attempts) else None
        item, = wait_for("the attempts in the history", recorded)
        tried = sorted(item.sendAttempts, key=lambda each: each.attemptDate)
        checks.equal(f"a notification that fails is sent {name}",
                     [each.rawSendAttemptResult for each in tried], attempts)
        checks.equal(f"the hours between attempts, sent {name}", [
            (each.attemptDate - tried[0].attemptDate) // (DAY // 24) for each in tried],
            [0, 1, 13][:len(tried)])
        if retried == "off":
            program.run("notifications", "resend", first["notificationUUID"])
            checks.equal("one that is sent again by hand has its UUID",
                         told.next()["notificationUUID"], first["notificationUUID"])


def sent(store, **filters):
    """All pages of the notification history of half a year."""
    token, items, now = None, [], store.now()
    request = NotificationHistoryRequest(startDate=now - 179 * DAY, endDate=now + DAY, **filters)
    for _ in range(50):
        page = store.client.get_notification_history(token, request)
        items += page.notificationHistory
        token = page.paginationToken
        if not page.hasMore:
            return items
    raise ValueError("more than 50 pages")


def notification_history(checks, store, told):
    now = store.now()

    def found(**filters):
        return [payload(item.signedPayload) for item in sent(store, **filters)]

    def names(notifications):
        return sorted({(each["notificationType"], each.get("subtype", ""), each["notificationUUID"])
                       for each in notifications if each["signedDate"] >= now - 179 * DAY})
    everything = found()
    checks.equal("the notification history has what was received", names(everything), names(told.all))
    checks.equal("each once", len(everything), len(names(everything)))
    checks.equal("the history of a type", names(found(notificationType=NotificationTypeV2.REFUND)),
                 names(each for each in told.all if each["notificationType"] == "REFUND"))
    kind = dict(notificationType=NotificationTypeV2.EXPIRED, notificationSubtype=Subtype.VOLUNTARY)
    checks.equal("the history of a type with its subtype", names(found(**kind)), names(
        each for each in told.all if each.get("subtype") == "VOLUNTARY"))
    shown = {each["notificationUUID"]: decoded(each) for each in everything}
    received = {each["notificationUUID"]: decoded(each) for each in told.all}
    checks.equal("each as it was received", shown, {key: received[key] for key in shown})
    # Any transaction stands for its customer.
    owned = store.truth()
    customer = next(iter(owned.values()))["appTransactionId"]
    checks.equal("the history of a customer", names(found(transactionId=max(owned, key=int))),
                 names(each for each in told.all if customer_of(each) == customer))
    # Both arrived in the end, one by hand.
    checks.equal("the history of failures", names(found(onlyFailures=True)), [])


def customer_of(notification):
    signed = notification.get("data", {}).get("signedTransactionInfo")
    return payload(signed)["appTransactionId"] if signed else None


# The app's own server of the examples

def example(checks, store, folder, root):
    program = store.program
    backend = Backend(store, folder, root)
    try:
        program.run("operator", "notifications", "url", backend.url + "/apple/notifications")
        anna = backend.call("/login", {"user": "anna", "password": "secret"})
        backend.token = anna["token"]
        bought = program.run("buy", PLUS, COINS, "--app-account-token", anna["appAccountToken"])
        for each in bought + bought:
            backend.call("/apple/transactions", {"signedTransactionInfo": each["signedTransactionInfo"]})
        same(checks, store, backend, "after purchases")
        coin = bought[1]["transactionId"]
        program.run("operator", "renewals", "--billing", "fail", "--grace", "on")
        program.run("operator", "clock", "to", iso(next(iter(
            store.subscriptions().values()))["paidUntil"]))
        wait_for("a message about billing trouble", lambda: backend.call("/messages")["messages"])
        same(checks, store, backend, "in the grace period")
        program.run("operator", "renewals", "--billing", "succeed", "--grace", "off")
        program.run("operator", "resolve-billing", bought[0]["transactionId"])
        wait_for("the end of that message", lambda: not backend.call("/messages")["messages"])
        checks.true("billing trouble is told until it is over", True)

        # Down for two months of the store's time.
        backend.stop()
        program.run("operator", "refund", coin)
        program.run("buy", COINS, "--app-account-token", anna["appAccountToken"])
        for _ in range(2):
            program.run("operator", "clock", "advance", "1mo")
        backend.start()
        backend.call("/apple/catch-up", {})
        same(checks, store, backend, "after it was down")
        program.run("operator", "auto-renew", "off", bought[0]["transactionId"])
        program.run("operator", "clock", "advance", "1mo")
        wait_for("a message about the end", lambda: any(
            "ended" in each["message"] for each in backend.call("/messages")["messages"]))
        same(checks, store, backend, "after the end")
    finally:
        backend.stop()


def device(checks, store, folder, root):
    """What a device reports by itself, and the list of products that it takes from there."""
    program = store.program
    backend = Backend(store, folder, root)
    try:
        program.run("device", "backend", backend.url)
        wanted = [each["productId"] for each in backend.call("/products?account=me")["products"]]
        checks.equal("a device lists the products of its account's list", [
            each["productId"] for each in program.look("products")[0]["products"]], wanted)
        program.buy(PLUS, COINS, LAMP)
        backend.token = backend.call("/login", {"user": "me", "password": "secret"})["token"]
        same(checks, store, backend, "after a device's reports")
    finally:
        backend.stop()


class Backend:
    """Examples/backend, as somebody would start it."""

    def __init__(self, store, folder, root):
        self.url, self.token = None, None
        self.arguments = [
            sys.executable, os.path.join(root, "Examples/backend/backend.py"), "--root", store.root,
            "--bundle-id", BUNDLE, "--base-url", store.url, "--key", store.key, "--clock", "store",
            "--key-id", store.key_id, "--issuer-id", store.issuer_id, "--poll", "3600",
            "--trust-accounts", "yes", "--database", folder + "/backend.sqlite"]
        self.start()

    def start(self):
        port = self.url.rpartition(":")[2] if self.url else "0"
        with open(os.devnull, "w") as nowhere:
            self.process = subprocess.Popen(self.arguments + ["--port", port], text=True,
                                            stdout=subprocess.PIPE, stderr=nowhere)
        self.url = self.process.stdout.readline().strip()
        # Its lines for requests are read, so that it never waits for a reader.
        surroundings.threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def stop(self):
        self.process.terminate()
        self.process.wait(10)

    def call(self, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        data = json.dumps(body).encode() if body is not None else None
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers),
                                    timeout=surroundings.PATIENCE) as answer:
            return json.load(answer)


def same(checks, store, backend, when):
    """What the app's server knows is what the store knows, once the notifications have arrived."""
    takings = store.program.look("operator", "takings")[0]
    owned = {each["productId"] for each in store.program.look("entitlements")}

    def agrees():
        report = backend.call("/report")["revenue"].get("USD")
        products = {each["productId"] for each in backend.call("/entitlements")["entitlements"]}
        return report == {"sold": takings["soldMilliunits"], "refunded": takings["refundedMilliunits"]} \
            and products - {COINS} == owned
    try:
        checks.true(f"the example's revenue and entitlements {when}", wait_for("", agrees, 20))
    except TimeoutError:
        checks.true(f"the example's revenue and entitlements {when}", False, (
            backend.call("/report")["revenue"], takings, backend.call("/entitlements"), owned))


# Another environment, and failures on purpose

def production(checks, store):
    program, client = store.program, store.client
    chain, lamp = program.buy(PLUS, LAMP)
    truth = store.truth()
    checks.equal("transactions of Production", {key: store.transaction(client.get_transaction_info(
        key).signedTransactionInfo) for key in truth}, truth)
    statuses(checks, store, "me", chain)
    signed = client.get_app_transaction_info(lamp).signedAppTransactionInfo
    checks.equal("the app transaction of Production", store.app_transaction(signed)["appAppleId"], APP)
    page = client.get_transaction_history(chain, None, TransactionHistoryRequest(), Version.V2)
    checks.equal("the history of Production", (page.rawEnvironment, page.appAppleId),
                 ("Production", APP))


def faults(checks, store):
    program, client = store.program, store.client
    coin = program.buy(COINS)[0]
    for code, call, values in (
            (4040002, client.get_all_subscription_statuses, (coin,)),
            (4040004, client.get_transaction_history, (
                coin, None, TransactionHistoryRequest(), Version.V2)),
            (4040006, client.get_transaction_info, (coin,)), (4290000, client.get_refund_history, (
                coin, None)), (5000000, client.look_up_order_id, ("MNOSUCHORDER",)),
            (5000001, client.get_app_transaction_info, (coin,))):
        name = {"get_all_subscription_statuses": "subscriptionStatuses",
                "get_transaction_history": "transactionHistory",
                "get_transaction_info": "transactionInfo", "get_refund_history": "refundHistory",
                "look_up_order_id": "orderLookup",
                "get_app_transaction_info": "appTransactionInfo"}[call.__name__]
        program.run("operator", "fail-next", code, "--call", name)
        checks.equal(f"{name} fails with {code} on purpose", client.code(call, *values), code)
        if code == 4290000:
            checks.true("429 says when to come again",
                        client.last.headers.get("Retry-After", "").isdecimal(), client.last.headers)
        checks.true(f"{name} answers afterwards", client.code(call, *values) != code)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program, storefront")
    parser.add_argument("--record", metavar="FILE", help="write the first part's steps for replay.py")
    parser.add_argument("--only", metavar="WORD", help="only the parts whose names have this word")
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    recording = Recording(options.record)

    def calls(checks, store, folder):
        ids = sell(store)
        for each in (reading, history, writing, errors.requests_that_are_refused,
                     errors.tokens_that_are_refused):
            checks.run(each, checks, store, ids)

    def with_receiver(checks, store, folder):
        receiver = Receiver()
        try:
            notifications(checks, store, receiver)
        finally:
            receiver.close()

    parts = {
        "calls": calls, "notifications": with_receiver,
        "example": lambda checks, store, folder: example(checks, store, folder, root),
        "device": lambda checks, store, folder: device(checks, store, folder, root),
        "Production": lambda checks, store, folder: production(checks, store),
        "faults": lambda checks, store, folder: faults(checks, store)}

    def run(name):
        checks, own = Checks(name), f"{folder}/{name}"

        def begin():
            environment = "Production" if name == "Production" else "Sandbox"
            recorded = recording if name == "calls" else Recording(None)
            with Store(options, own, recorded, environment) as store:
                parts[name](checks, store, own)
        checks.run(begin)
        return checks

    with tempfile.TemporaryDirectory(
            prefix="storefront-conformance-", ignore_cleanup_errors=True) as folder:
        # Most of the time is spent waiting for commands.
        with ThreadPoolExecutor(3) as threads:
            ended = list(threads.map(run, [name for name in parts if (options.only or "") in name]))
    recording.save()
    passed, failed = (sum(getattr(each, name) for each in ended) for name in ("passed", "failed"))
    # The plain closing line that a reader of many languages' tests knows.
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
