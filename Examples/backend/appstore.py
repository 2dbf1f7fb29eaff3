"""The App Store as this server sees it: what it signed, checked with Apple's own library, and its API."""
import sys

from appstoreserverlibrary.api_client import (
    APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from records import DAY

# The notification history begins 180 days ago.
HISTORY = 179 * DAY


def certificates(path):
    """The certificates of a PEM or DER file, as DER."""
    with open(path, "rb") as file:
        data = file.read()
    if b"-----BEGIN" not in data:
        return [data]
    return [each.public_bytes(Encoding.DER) for each in x509.load_pem_x509_certificates(data)]


class AppStore:
    def __init__(self, records, root, bundle_id, environment="Sandbox", app_apple_id=None,
                 online_checks=False, base_url=None, key=None, key_id=None, issuer_id=None):
        """Without a key only what arrives is known: nothing is asked."""
        self.records = records
        self.verifier = SignedDataVerifier(
            certificates(root), online_checks, Environment(environment), bundle_id, app_apple_id)
        self.client = None
        if key:
            with open(key, "rb") as file:
                self.client = AppStoreServerAPIClient(
                    file.read(), key_id, issuer_id, bundle_id, Environment(environment))
            if base_url:
                # The library has no argument for another server than Apple's.
                self.client._base_url = base_url.rstrip("/")

    def report(self, signed, user=None, account=None):
        """A transaction that a device reports. Returns it, and whether it is new."""
        transaction = self.verifier.verify_and_decode_signed_transaction(signed)
        with self.records.writing():
            return transaction, self.records.keep_transaction(transaction, user, account)

    def receive(self, signed_payload):
        """A notification: it and all that it changes is kept in one write. Returns whether it is new."""
        notification = self.verifier.verify_and_decode_notification(signed_payload)
        data = notification.data
        transaction, renewal = self.decoded(data) if data else (None, None)
        with self.records.writing():
            if not self.records.keep_notification(notification):
                return False
            if transaction:
                self.records.keep_transaction(transaction)
                if notification.rawNotificationType == "CONSUMPTION_REQUEST":
                    self.records.keep_consumption_request(transaction.transactionId)
            if renewal:
                self.records.keep_subscription(renewal, data.rawStatus)
        return True

    def decoded(self, item):
        """The verified transaction and renewal info that something from the store carries."""
        verify = self.verifier
        return (
            item.signedTransactionInfo
            and verify.verify_and_decode_signed_transaction(item.signedTransactionInfo),
            item.signedRenewalInfo
            and verify.verify_and_decode_renewal_info(item.signedRenewalInfo))

    # What follows asks the store, where it has not told.

    def catch_up(self):
        """Asks for what was missed while this server, or the way to it, was down."""
        if self.client is None:
            return
        self.ask_time()
        self.ask_notifications()
        for transaction_id in self.records.doubtful() + self.records.silent_subscriptions():
            self.trying(self.ask_transaction, transaction_id)
            self.trying(self.ask_customer, transaction_id)
        for transaction_id in self.records.consumption_requests():
            self.trying(self.answer_consumption_request, transaction_id)

    @staticmethod
    def trying(ask, transaction_id):
        """One that the store does not know any more must not keep the others from being asked."""
        try:
            ask(transaction_id)
        except APIException as error:
            print(f"{ask.__name__} {transaction_id}: {error.raw_api_error or error.http_status_code}",
                  file=sys.stderr)

    def ask_time(self):
        """A store in rehearsal has a clock of its own: whatever it signs now says how late it is."""
        if self.records.clock == "system":
            return
        latest = self.records.latest_transaction()
        if latest:
            self.trying(self.ask_transaction, latest)
        else:
            token = self.client.request_test_notification().testNotificationToken
            self.receive(self.client.get_test_notification_status(token).signedPayload)

    def ask_transaction(self, transaction_id):
        signed = self.client.get_transaction_info(transaction_id).signedTransactionInfo
        transaction = self.verifier.verify_and_decode_signed_transaction(signed)
        with self.records.writing():
            self.records.keep_transaction(transaction, certain=True)

    def ask_notifications(self):
        """Goes through the notification history since the last time, with an hour in common."""
        now = self.records.now()
        start = max(self.records.get("asked", 0) - DAY // 24, now - HISTORY)
        request = NotificationHistoryRequest(startDate=start, endDate=now + DAY)
        token = None
        while True:
            page = self.client.get_notification_history(token, request)
            for item in page.notificationHistory or []:
                try:
                    self.receive(item.signedPayload)
                except VerificationException as error:
                    print(f"A notification of the history: {error}", file=sys.stderr)
            if not page.hasMore:
                break
            token = page.paginationToken
        with self.records.writing():
            self.records.set("asked", now)

    def ask_customer(self, transaction_id):
        """All of a customer: transactions changed since the last time, and subscription statuses."""
        name = f"revision {transaction_id}"
        request = TransactionHistoryRequest(sort=Order.ASCENDING)
        while True:
            page = self.client.get_transaction_history(
                transaction_id, self.records.get(name), request, GetTransactionHistoryVersion.V2)
            transactions = [self.verifier.verify_and_decode_signed_transaction(signed)
                            for signed in page.signedTransactions or []]
            with self.records.writing():
                for transaction in transactions:
                    self.records.keep_transaction(transaction, certain=True)
                self.records.set(name, page.revision)
            if not page.hasMore:
                break
        for group in self.client.get_all_subscription_statuses(transaction_id).data or []:
            for item in group.lastTransactions or []:
                transaction, renewal = self.decoded(item)
                with self.records.writing():
                    self.records.keep_transaction(transaction, certain=True)
                    self.records.keep_subscription(renewal, item.rawStatus, certain=True)
        with self.records.writing():
            self.records.settle(transaction_id)

    def answer_consumption_request(self, transaction_id):
        """Within 12 hours, and only for users who agreed that the store learns of it."""
        self.client.send_consumption_information(transaction_id, ConsumptionRequest(
            customerConsented=True, sampleContentProvided=False,
            deliveryStatus=DeliveryStatus.DELIVERED))
        with self.records.writing():
            self.records.answered(transaction_id)
