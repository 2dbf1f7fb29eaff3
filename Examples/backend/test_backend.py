"""Tests of the server without any store: a chain of certificates of their own signs what it receives.

usage: python3 -m unittest discover -s Examples/backend
"""
import base64
import datetime
import http.client
import json
import tempfile
import threading
import unittest
import uuid
from types import SimpleNamespace as Answer

import jwt
from appstoreserverlibrary.api_client import APIException
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

import report
from appstore import AppStore
from backend import LARGEST_BODY, Server
from records import Records

BUNDLE = "com.example.lantern"
PLUS = "lantern.membership.plus.month"
COINS = "lantern.coins.10"
DAY = 24 * 60 * 60 * 1000
# The first of January 2030: later than any clock that runs these tests for some years.
START = 1_893_456_000_000
MONTH = 30 * DAY


class Chain:
    """Root, intermediate and leaf with the marks that the App Store's have."""

    def __init__(self, leaf_mark="1.2.840.113635.100.6.11.1", middle_mark="1.2.840.113635.100.6.2.1"):
        keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(3)]
        marks = [None, middle_mark, leaf_mark]
        self.certificates = []
        for depth, (key, mark) in enumerate(zip(keys, marks)):
            self.certificates.insert(0, self.certificate(depth, key, keys[max(depth - 1, 0)], mark))
        self.key = keys[-1]

    @staticmethod
    def certificate(depth, key, issuer, mark):
        def name(depth):
            text = ["Root", "Intermediate", "Leaf"][depth]
            return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

        builder = (
            x509.CertificateBuilder().subject_name(name(depth)).issuer_name(name(max(depth - 1, 0)))
            .public_key(key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(datetime.datetime(2000, 1, 1))
            .not_valid_after(datetime.datetime(2100, 1, 1))
            .add_extension(x509.BasicConstraints(depth < 2, 1 - depth if depth < 2 else None), True)
            .add_extension(x509.KeyUsage(
                depth == 2, False, False, False, False, depth < 2, depth < 2, False, False), True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.public_key()), False))
        if mark:
            builder = builder.add_extension(
                x509.UnrecognizedExtension(x509.ObjectIdentifier(mark), b"\x05\x00"), False)
        return builder.sign(issuer, hashes.SHA256()).public_bytes(Encoding.DER)

    def sign(self, payload, certificates=None):
        x5c = [base64.b64encode(each).decode() for each in certificates or self.certificates]
        return jwt.encode(payload, self.key, algorithm="ES256", headers={"x5c": x5c})


CHAIN = Chain()


def sale(number="1", date=START, product=PLUS, signed=None, **more):
    """A signed transaction; a subscription's period is a month."""
    consumable = product == COINS
    payload = {
        "transactionId": number, "originalTransactionId": more.pop("original", number),
        "bundleId": BUNDLE, "productId": product, "environment": "Sandbox", "quantity": 1,
        "type": "Consumable" if consumable else "Auto-Renewable Subscription",
        "price": 990 if consumable else 4990, "currency": "USD", "inAppOwnershipType": "PURCHASED",
        "purchaseDate": date, "originalPurchaseDate": date, "signedDate": signed or date}
    if not consumable:
        payload["expiresDate"] = date + MONTH
    return CHAIN.sign(payload | more)


def renewal(original="1", date=START, product=PLUS, **more):
    return CHAIN.sign({
        "originalTransactionId": original, "productId": product, "autoRenewProductId": product,
        "autoRenewStatus": 1, "environment": "Sandbox", "signedDate": date} | more)


def notification(kind, date, transaction=None, renewal=None, status=None, subtype=None, chain=CHAIN,
                 certificates=None, id=None, **more):
    data = {"bundleId": BUNDLE, "environment": "Sandbox", "signedTransactionInfo": transaction,
            "signedRenewalInfo": renewal, "status": status} | more
    return chain.sign({
        "notificationType": kind, "subtype": subtype, "notificationUUID": id or str(uuid.uuid4()),
        "version": "2.0", "signedDate": date, "data": data}, certificates)


class Client:
    """In the place of the store's API: answers what a test has laid out, and remembers the calls."""

    def __init__(self):
        self.notifications, self.transactions, self.statuses, self.calls = [], {}, {}, []

    def get_notification_history(self, token, request):
        self.calls.append(("notifications", request.startDate))
        page = int(token or 0)
        return Answer(
            hasMore=page + 1 < len(self.notifications), paginationToken=str(page + 1),
            notificationHistory=[Answer(signedPayload=each)
                                 for each in self.notifications[page:page + 1]])

    def request_test_notification(self):
        self.calls.append(("test",))
        return Answer(testNotificationToken="t")

    def get_test_notification_status(self, token):
        return Answer(signedPayload=notification("TEST", START + MONTH, id="t"))

    def get_transaction_info(self, number):
        self.calls.append(("transaction", number))
        if number not in self.transactions:
            raise APIException(404, 4040010, "Transaction id not found.")
        return Answer(signedTransactionInfo=self.transactions[number])

    def get_transaction_history(self, number, revision, request, version):
        self.calls.append(("history", number, revision))
        return Answer(signedTransactions=[], hasMore=False, revision="r1")

    def get_all_subscription_statuses(self, number):
        items = [Answer(signedTransactionInfo=transaction, signedRenewalInfo=renewal, rawStatus=status)
                 for transaction, renewal, status in self.statuses.get(number, [])]
        return Answer(data=[Answer(lastTransactions=items)])

    def send_consumption_information(self, number, request):
        self.calls.append(("consumption", number, request.customerConsented))


class BackendTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = folder.name + "/root.der"
        with open(root, "wb") as file:
            file.write(CHAIN.certificates[-1])
        self.records = Records(folder.name + "/database", "store")
        self.store = AppStore(self.records, root, BUNDLE)
        lists = {"A": [{"productId": PLUS, "badge": "Popular"}], "B": [{"productId": COINS}]}
        self.server = Server(0, self.records, self.store, lists, "operator", quiet=True)
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()
        self.addCleanup(self.records.db.close)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def call(self, method, path, body=None, token=None, headers=None):
        """The status, and the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=30)
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = "Bearer " + token
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, data, headers)
        self.answer = answer = connection.getresponse()
        result = answer.status, json.loads(answer.read())
        connection.close()
        return result

    def log_in(self, name="anna", **more):
        status, answer = self.call("POST", "/login", {"user": name, "password": "secret"} | more)
        self.assertEqual(status, 200)
        return answer

    def tell(self, *arguments, **more):
        return self.call("POST", "/apple/notifications", {"signedPayload": notification(
            *arguments, **more)})

    def report(self, signed, token=None):
        return self.call("POST", "/apple/transactions", {"signedTransactionInfo": signed}, token)

    def owned(self, token):
        return {each["productId"]: each for each in
                self.call("GET", "/entitlements", token=token)[1]["entitlements"]}

    def told(self, token):
        return [each["message"] for each in
                self.call("GET", "/messages", token=token)[1]["messages"]]

    def figures(self, days=30):
        status, answer = self.call("GET", f"/report?days={days}", token="operator")
        self.assertEqual(status, 200)
        return answer

    # Users and products

    def test_a_user_is_known_by_login_on_every_device(self):
        """a user is known by login, on every device [G6]"""
        phone, tablet = self.log_in(platform="iOS"), self.log_in(platform="web")
        self.report(sale(), phone["token"])
        self.assertEqual(self.owned(phone["token"]), self.owned(tablet["token"]))
        self.assertEqual(list(self.owned(tablet["token"])), [PLUS])
        self.assertEqual(phone["appAccountToken"], tablet["appAccountToken"])

    def test_a_wrong_password_and_no_login_are_refused(self):
        self.log_in()
        self.assertEqual(self.call("POST", "/login", {"user": "anna", "password": "x"})[0], 401)
        for path in ("/entitlements", "/messages", "/report"):
            self.assertEqual(self.call("GET", path)[0], 401, path)
            self.assertEqual(self.call("GET", path, token="x")[0], 401, path)

    def test_an_account_sees_the_same_list_always_and_both_lists_are_seen(self):
        names = [f"user{number}" for number in range(20)]
        seen = {self.call("GET", f"/products?account={name}")[1]["list"] for name in names}
        self.assertEqual(seen, {"A", "B"})
        answer = self.log_in("user1")
        status, products = self.call("GET", "/products", token=answer["token"])
        self.assertEqual((status, products["list"]), (200, answer["list"]))
        self.assertEqual(products, self.call("GET", "/products?account=user1")[1])
        self.assertEqual(self.call("GET", "/products")[1]["products"][0]["badge"], "Popular")

    # Transactions

    def test_a_transaction_reported_twice_counts_once_with_price_and_currency(self):
        """what is reported twice counts once, with price and currency [G6]"""
        token = self.log_in()["token"]
        signed = sale(product=COINS, price=1200, currency="JPY", quantity=2)
        self.assertEqual(self.report(signed, token), (200, {"transactionId": "1", "new": True}))
        self.assertEqual(self.report(signed, token), (200, {"transactionId": "1", "new": False}))
        self.assertEqual(self.owned(token)[COINS]["quantity"], 2)
        self.assertEqual(self.figures()["revenue"], {"JPY": {"sold": 1200, "refunded": 0}})

    def test_a_purchase_of_another_user_is_refused(self):
        self.report(sale(), self.log_in("anna")["token"])
        other = self.log_in("ben")["token"]
        self.assertEqual(self.report(sale(), other)[0], 409)
        self.assertEqual(self.owned(other), {})

    def test_the_token_of_the_purchase_names_its_user(self):
        anna = self.log_in("anna")
        signed = sale(appAccountToken=anna["appAccountToken"])
        self.assertEqual(self.report(signed, self.log_in("ben")["token"])[0], 409)
        self.assertEqual(self.report(signed)[0], 200)
        self.assertIn(PLUS, self.owned(anna["token"]))

    def test_what_came_without_a_user_becomes_the_users_who_reports_it(self):
        self.tell("SUBSCRIBED", START, sale(), renewal(), 1)
        token = self.log_in()["token"]
        self.assertEqual(self.owned(token), {})
        self.report(sale(), token)
        self.assertIn(PLUS, self.owned(token))

    def test_the_account_of_a_report_names_its_user_only_where_accounts_are_trusted(self):
        def report(number, account, **more):
            return self.call("POST", "/apple/transactions", {
                "signedTransactionInfo": sale(number, product=COINS, **more), "account": account})
        report("1", "me")
        self.server.trusts_accounts = True
        anna = self.log_in("anna")
        self.assertEqual([report("2", "me")[0], report("2", "anna")[0]], [200, 200])
        report("3", "me", appAccountToken=anna["appAccountToken"])
        self.assertEqual(self.owned(anna["token"])[COINS]["quantity"], 1)
        # The first password of a user who was known by reports alone is the user's.
        self.assertEqual(self.owned(self.log_in("me")["token"])[COINS]["quantity"], 1)
        self.assertEqual(self.call("POST", "/login", {"user": "me", "password": "x"})[0], 401)

    def test_what_is_not_verified_is_not_kept(self):
        token = self.log_in()["token"]
        forged = sale().split(".")
        forged[1] = sale(price=1).split(".")[1]
        for signed, reason in {
                ".".join(forged): "VERIFICATION_FAILURE",
                sale(bundleId="com.example.other"): "INVALID_APP_IDENTIFIER",
                sale(environment="Production"): "INVALID_ENVIRONMENT",
                sale(environment="Xcode"): "INVALID_ENVIRONMENT",
                "no JWS": "VERIFICATION_FAILURE"}.items():
            self.assertEqual(self.report(signed, token), (400, {"error": reason}))
        self.assertEqual(self.owned(token), {})
        self.assertEqual(self.figures()["revenue"], {})

    # Notifications

    def test_a_notification_that_comes_twice_counts_once(self):
        signed = notification("ONE_TIME_CHARGE", START, sale(product=COINS))
        for new in (True, False, False):
            self.assertEqual(
                self.call("POST", "/apple/notifications", {"signedPayload": signed}),
                (200, {"new": new}))
        self.assertEqual(self.figures()["revenue"]["USD"]["sold"], 990)

    def test_notifications_and_reports_of_one_sale_count_once(self):
        token = self.log_in()["token"]
        self.tell("ONE_TIME_CHARGE", START, sale(product=COINS))
        self.report(sale(product=COINS, signed=START + 5), token)
        self.assertEqual(self.owned(token)[COINS]["quantity"], 1)
        self.assertEqual(self.figures()["revenue"]["USD"]["sold"], 990)

    def test_a_late_notification_does_not_undo_a_newer_one(self):
        token = self.log_in()["token"]
        self.report(sale(), token)
        refunded = dict(revocationDate=START + DAY, revocationType="REFUND_FULL")
        self.tell("REFUND", START + DAY, sale(signed=START + DAY, **refunded),
                  renewal(date=START + DAY, autoRenewStatus=0), 5)
        self.assertEqual(self.owned(token), {})
        self.assertEqual(self.tell("SUBSCRIBED", START, sale(), renewal(), 1), (200, {"new": True}))
        self.assertEqual(self.owned(token), {})
        self.assertEqual(self.records.row("SELECT status FROM subscriptions")["status"], 5)
        reversal = START + 2 * DAY
        self.tell("REFUND_REVERSED", reversal, sale(signed=reversal), renewal(date=reversal), 1)
        self.assertIn(PLUS, self.owned(token))

    def test_of_two_states_of_one_instant_the_store_says_which_holds(self):
        token = self.log_in()["token"]
        self.report(sale(), token)
        self.tell("DID_CHANGE_RENEWAL_STATUS", START + 1, sale(), renewal(date=START + 1), 1)
        self.tell("DID_CHANGE_RENEWAL_STATUS", START + 1, sale(),
                  renewal(date=START + 1, autoRenewStatus=0), 1)
        self.assertEqual(len(self.told(token)), 1)
        self.store.client = client = Client()
        client.transactions["1"] = sale()
        client.statuses["1"] = [(sale(), renewal(date=START + 1), 1)]
        self.store.catch_up()
        self.assertEqual(self.told(token), [])
        self.assertEqual(self.records.doubtful(), [])

    def test_a_notification_that_is_not_verified_is_refused(self):
        good = notification("TEST", START)
        header, payload, signature = good.split(".")
        other = notification("REFUND", START).split(".")[1]
        unsigned = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
        for signed, reason in (
                (notification("TEST", START, bundleId="com.example.other"), "INVALID_APP_IDENTIFIER"),
                (notification("TEST", START, environment="Production"), "INVALID_ENVIRONMENT"),
                (notification("TEST", START, chain=Chain()), "VERIFICATION_FAILURE"),
                (notification("TEST", START, certificates=CHAIN.certificates[:2]),
                 "INVALID_CHAIN_LENGTH"),
                (notification("TEST", START, certificates=Chain().certificates[:2]
                              + CHAIN.certificates[2:]), "VERIFICATION_FAILURE"),
                (f"{header}.{other}.{signature}", "VERIFICATION_FAILURE"),
                (f"{unsigned}.{payload}.", "VERIFICATION_FAILURE"),
                (f"{header}.{payload}.", "VERIFICATION_FAILURE")):
            self.assertEqual(
                self.call("POST", "/apple/notifications", {"signedPayload": signed}),
                (400, {"error": reason}))
        self.assertEqual(self.records.rows("SELECT * FROM notifications"), [])
        self.assertEqual(self.tell("TEST", START), (200, {"new": True}))

    def test_a_chain_without_the_stores_marks_is_refused(self):
        for chain in (Chain(leaf_mark="1.2.3"), Chain(middle_mark="1.2.3")):
            with tempfile.NamedTemporaryFile() as file:
                file.write(chain.certificates[-1])
                file.flush()
                self.server.store = AppStore(self.records, file.name, BUNDLE)
            self.assertEqual(self.tell("TEST", START, chain=chain),
                             (400, {"error": "VERIFICATION_FAILURE"}))

    def test_a_forged_transaction_inside_is_refused_with_its_notification(self):
        inside = sale().split(".")
        inside[1] = sale(price=1).split(".")[1]
        self.assertEqual(self.tell("SUBSCRIBED", START, ".".join(inside), renewal(), 1)[0], 400)
        self.assertEqual(self.records.rows("SELECT * FROM notifications"), [])

    def test_what_could_not_be_kept_is_kept_when_it_comes_again(self):
        keep, self.records.keep_subscription = self.records.keep_subscription, lambda *_: 1 / 0
        signed = {"signedPayload": notification("SUBSCRIBED", START, sale(), renewal(), 1)}
        self.assertEqual(self.call("POST", "/apple/notifications", signed)[0], 500)
        self.assertEqual(self.figures()["revenue"], {})
        self.records.keep_subscription = keep
        self.assertEqual(self.call("POST", "/apple/notifications", signed), (200, {"new": True}))
        self.assertEqual(self.figures()["revenue"]["USD"]["sold"], 4990)

    def test_kinds_that_tell_of_no_transaction_are_kept(self):
        summary = CHAIN.sign({
            "notificationType": "RENEWAL_EXTENSION", "subtype": "SUMMARY", "version": "2.0",
            "notificationUUID": "u", "signedDate": START, "summary": {
                "requestIdentifier": "r", "bundleId": BUNDLE, "environment": "Sandbox",
                "productId": PLUS, "succeededCount": 3, "failedCount": 1}})
        self.assertEqual(self.call("POST", "/apple/notifications", {"signedPayload": summary}),
                         (200, {"new": True}))
        self.assertEqual(self.tell("A_NEW_KIND", START, sale(product=COINS)), (200, {"new": True}))
        self.assertEqual(self.figures()["revenue"]["USD"]["sold"], 990)

    # A subscription's life

    def test_a_renewal_reaches_the_user_of_the_first_purchase(self):
        """a renewal reaches the user of the first purchase [G6]"""
        token = self.log_in()["token"]
        self.report(sale(), token)
        date = START + MONTH
        self.tell("DID_RENEW", date, sale("2", date, original="1"), renewal(date=date), 1)
        self.assertEqual(self.owned(token)[PLUS]["until"], date + MONTH)
        self.assertEqual(self.figures()["lifetimeValue"]["users"], {"anna": {"USD": 9980}})

    def test_billing_trouble_is_told_until_it_is_over(self):
        """billing trouble is told until it is over [G6]"""
        token = self.log_in()["token"]
        self.report(sale(), token)
        date, grace = START + MONTH, START + MONTH + 16 * DAY
        self.tell("DID_FAIL_TO_RENEW", date, sale(signed=date), renewal(
            date=date, isInBillingRetryPeriod=True, gracePeriodExpiresDate=grace, expirationIntent=2),
            4, "GRACE_PERIOD")
        self.assertEqual(self.owned(token)[PLUS]["until"], grace)
        self.assertIn("You keep it until 16 February 2030", self.told(token)[0])
        self.tell("GRACE_PERIOD_EXPIRED", grace, sale(signed=grace), renewal(
            date=grace, isInBillingRetryPeriod=True, expirationIntent=2), 3)
        self.assertEqual(self.owned(token), {})
        self.assertIn("it is paused since 31 January 2030", self.told(token)[0])
        late = grace + DAY
        self.tell("DID_RENEW", late, sale("2", late, original="1"), renewal(date=late), 1,
                  "BILLING_RECOVERY")
        self.assertEqual((list(self.owned(token)), self.told(token)), ([PLUS], []))

    def test_expiry_is_told_with_its_reason(self):
        """expiry is told with its reason [G6]"""
        token = self.log_in()["token"]
        self.report(sale(), token)
        self.tell("DID_CHANGE_RENEWAL_STATUS", START + DAY, sale(signed=START + DAY),
                  renewal(date=START + DAY, autoRenewStatus=0), 1, "AUTO_RENEW_DISABLED")
        self.assertIn("does not renew", self.told(token)[0])
        date = START + MONTH
        self.tell("EXPIRED", date, sale(signed=date),
                  renewal(date=date, autoRenewStatus=0, expirationIntent=1), 2, "VOLUNTARY")
        self.assertEqual(self.owned(token), {})
        self.assertEqual(self.told(token), [f"Your {PLUS} ended on 31 January 2030 as you asked."])

    def test_a_rising_price_is_told(self):
        """a rising price is told [G6]"""
        token = self.log_in()["token"]
        self.report(sale(), token)
        self.tell("PRICE_INCREASE", START + DAY, sale(signed=START + DAY), renewal(
            date=START + DAY, priceIncreaseStatus=0, renewalPrice=6990, currency="USD",
            renewalDate=START + MONTH), 1, "PENDING")
        self.assertIn("rises to 6.99 USD on 31 January 2030", self.told(token)[0])

    def test_a_non_renewing_subscription_lasts_as_long_as_the_app_says(self):
        token, product = self.log_in()["token"], "lantern.season.pass"
        self.records.days = {product: 90}
        self.report(sale(product=product, type="Non-Renewing Subscription", expiresDate=None), token)
        self.assertEqual(self.owned(token)[product]["until"], START + 90 * DAY)
        self.tell("TEST", START + 90 * DAY)
        self.assertEqual(self.owned(token), {})

    def test_an_upgraded_period_is_not_owned_any_more(self):
        token = self.log_in()["token"]
        self.report(sale(isUpgraded=True), token)
        self.report(sale("2", START + DAY, "lantern.membership.plus.year", original="1"), token)
        self.assertEqual(list(self.owned(token)), ["lantern.membership.plus.year"])

    # What was missed

    def test_notifications_that_were_missed_are_taken_from_the_history_once(self):
        """missed notifications are taken from the history, once [G6]"""
        token = self.log_in()["token"]
        self.report(sale(), token)
        date = START + MONTH
        self.store.client = client = Client()
        client.transactions["1"] = sale(signed=date + DAY)
        client.notifications = [
            notification("SUBSCRIBED", START, sale(), renewal(), 1),
            notification("DID_RENEW", date, sale("2", date, original="1"), renewal(date=date), 1),
            notification("ONE_TIME_CHARGE", date, sale("3", date, COINS))]
        for _ in range(2):
            self.assertEqual(self.call("POST", "/apple/catch-up", token="operator")[0], 200)
        self.assertEqual(self.owned(token)[PLUS]["transactionId"], "2")
        self.assertEqual(self.figures()["revenue"]["USD"]["sold"], 2 * 4990 + 990)
        asked = [call[1] for call in client.calls if call[0] == "notifications"]
        # The first time as far back as the store goes, then since the last time.
        self.assertLess(asked[0], date - 170 * DAY)
        self.assertGreater(asked[-1], date)

    def test_a_server_that_knows_nothing_asks_what_time_it_is_there(self):
        self.store.client = client = Client()
        client.notifications = [
            notification("TEST", START, chain=Chain()),
            notification("ONE_TIME_CHARGE", START, sale(product=COINS))]
        self.store.catch_up()
        self.assertEqual(client.calls[:2], [("test",), ("notifications", START + MONTH - 179 * DAY)])
        self.assertEqual(self.figures()["revenue"]["USD"]["sold"], 990)
        self.store.catch_up()
        self.assertEqual(client.calls.count(("test",)), 1)

    def test_a_subscription_that_nothing_was_told_of_is_asked_for(self):
        """a subscription of which nothing was told is asked for [G6]"""
        token = self.log_in()["token"]
        self.report(sale(), token)
        date = START + MONTH
        self.store.client = client = Client()
        # By the store's clock the month is over.
        client.transactions["1"] = sale(signed=date + 1)
        client.statuses["1"] = [(
            sale(signed=date + 1), renewal(date=date + 1, autoRenewStatus=0, expirationIntent=1), 2)]
        self.store.catch_up()
        self.assertEqual((self.owned(token), len(self.told(token))), ({}, 1))
        client.calls.clear()
        self.store.catch_up()
        self.assertEqual([call for call in client.calls if call[0] == "history"], [])

    def test_one_that_the_store_does_not_know_does_not_stop_the_others(self):
        token = self.log_in()["token"]
        for number in ("1", "2"):
            self.report(sale(number), token)
        self.report(sale("3", START + MONTH + 1, COINS), token)
        self.store.client = client = Client()
        client.transactions = {"2": sale("2"), "3": sale("3", START + MONTH + 1, COINS)}
        self.store.catch_up()
        self.assertIn(("history", "2", None), client.calls)

    def test_a_consumption_request_is_answered_once_for_a_user_who_agreed(self):
        anna, ben = self.log_in("anna", consent=True), self.log_in("ben")
        for number, user in (("1", anna), ("2", ben)):
            self.report(sale(number, product=COINS), user["token"])
            self.tell("CONSUMPTION_REQUEST", START + 1, sale(number, product=COINS, signed=START + 1),
                      consumptionRequestReason="OTHER")
        self.store.client = client = Client()
        client.transactions = {each: sale(each, product=COINS) for each in ("1", "2")}
        for _ in range(2):
            self.store.catch_up()
        self.assertEqual([call for call in client.calls if call[0] == "consumption"],
                         [("consumption", "1", True)])

    # Figures

    def test_refunds_and_lists_and_lifetime_values_are_in_the_report(self):
        """revenue, refunds and lifetime values are in the report [G6]"""
        anna, ben = self.log_in("anna"), self.log_in("ben")
        self.report(sale("1"), anna["token"])
        self.report(sale("2", product=COINS), ben["token"])
        self.report(sale("3", inAppOwnershipType="FAMILY_SHARED"), ben["token"])
        self.tell("REFUND", START + 1, sale(
            "1", signed=START + 1, revocationDate=START + 1, revocationType="REFUND_PRORATED",
            revocationPercentage=50000), renewal(date=START + 1), 5)
        figures = self.figures()
        self.assertEqual(figures["revenue"], {"USD": {"sold": 5980, "refunded": 2495}})
        self.assertEqual(figures["lifetimeValue"], {
            "users": {"anna": {"USD": 2495}, "ben": {"USD": 990}}, "mean": {"USD": 1742}})
        self.assertEqual(sum(each["buyers"] for each in figures["lists"].values()), 2)
        self.assertEqual(figures["lists"][anna["list"]]["revenue"]["USD"],
                         2495 if anna["list"] != ben["list"] else 3485)

    def test_churn_is_who_left_of_those_who_were_there(self):
        """churn is who left of those who were there [G6]"""
        later = START + MONTH + DAY
        for number in ("1", "2", "3", "4"):
            self.tell("SUBSCRIBED", START, sale(number), renewal(number), 1)
        for number, old in (("11", "1"), ("12", "2")):
            self.tell("DID_RENEW", START + MONTH, sale(number, START + MONTH, original=old),
                      renewal(old, START + MONTH), 1)
        self.tell("EXPIRED", later, sale("3", signed=later),
                  renewal("3", later, expirationIntent=1, autoRenewStatus=0), 2, "VOLUNTARY")
        self.tell("DID_FAIL_TO_RENEW", later, sale("4", signed=later), renewal("4", later), 3)
        churn = self.figures(days=10)["churn"]
        self.assertEqual(
            (churn["subscribers"], churn["lost"], churn["subscribersNow"], churn["rate"]),
            (4, {"voluntary": 1, "billing": 1}, 2, 0.5))
        self.assertEqual(report.churn(self.records, 0, later)["rate"], None)

    # Bodies that no store and no app sends

    def test_bad_bodies_are_refused_and_the_server_stays(self):
        for body in (b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"signedPayload": 7}',
                     b'{"signedPayload": ""}', b'{"signedPayload": "\\ud800"}'):
            self.assertEqual(self.call("POST", "/apple/notifications", body)[0], 400, body[:30])
        self.assertEqual(
            self.call("POST", "/login", b'{"user": "\\ud800", "password": "\\ud800"}')[0], 400)
        for length, status in ((str(LARGEST_BODY + 1), 413), ("-1", 411), ("x", 411)):
            self.assertEqual(self.call(
                "POST", "/apple/notifications", headers={"Content-Length": length})[0], status)
            # What follows on this connection would be the body that was not read.
            self.assertEqual(self.answer.headers["Connection"], "close")
        self.assertEqual(self.call("GET", "/report?days=0", token="operator")[0], 400)
        self.assertEqual(self.call("GET", "/nothing")[0], 404)
        self.assertEqual(self.call("GET", "/health"), (200, {"status": "ok"}))


if __name__ == "__main__":
    unittest.main()
