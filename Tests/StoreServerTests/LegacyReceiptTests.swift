import Basics
import ContentServer
import Foundation
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// What `verifyReceipt` answers to backends that still call it.
@Suite("verifyReceipt for old backends") struct LegacyReceiptTests {
    private func verify(
        _ backend: Backend, _ receipt: String, _ more: String = ""
    ) async throws -> [String: AnyJSON] {
        let answer = await backend.ask(
            "/verifyReceipt", method: "POST", body: "{\"receipt-data\":\"\(receipt)\"\(more)}",
            authorization: nil)
        #expect(answer.status == 200)
        return try answer.members
    }

    @Test(
        "an old receipt tells what the customer has by now, newest first, in texts and three dates")
    func latest() async throws {
        let backend = try await Backend()
        let theme = try await backend.buy(SampleCatalog.theme)
        let monthly = try await backend.buy(SampleCatalog.monthly)
        let receipt = try await backend.store.session().receipt(ReceiptOptions()).rawValue
        try await backend.perform(Backend.days(40), .refund(theme, .rest, reason: .app))
        let answer = try await verify(backend, receipt)
        #expect(answer["status"] == .integer(0) && answer["environment"] == .text("Sandbox"))
        let latest = (answer["latest_receipt_info"]?.list ?? []).map(\.members)
        #expect(
            latest.map { $0["product_id"]?.text } == ["test.monthly", "test.monthly", "test.theme"])
        let renewed = try #require(latest.first)
        #expect(renewed["original_transaction_id"] == .text("\(monthly)"))
        #expect(renewed["transaction_id"] != .text("\(monthly)"))
        #expect(renewed["quantity"] == .text("1") && renewed["is_trial_period"] == .text("false"))
        #expect(renewed["in_app_ownership_type"] == .text("PURCHASED"))
        #expect(renewed["subscription_group_identifier"] == .text("test.group"))
        // 2027-01-15 08:00 in Greenwich.
        let first = latest[1]
        #expect(first["purchase_date"] == .text("2027-01-15 08:00:00 Etc/GMT"))
        #expect(first["purchase_date_ms"] == .text("1800000000000"))
        #expect(
            first["purchase_date_pst"] == .text("2027-01-15 00:00:00 America/Los_Angeles"))
        #expect(first["expires_date_ms"] == .text("1802678400000"))
        #expect(latest[2]["cancellation_reason"] == .text("1"))
        #expect(latest[2]["cancellation_date_ms"] != nil)
        let pending = (answer["pending_renewal_info"]?.list ?? []).map(\.members)
        #expect(pending.count == 1)
        #expect(pending.first?["auto_renew_status"] == .text("1"))
        #expect(pending.first?["original_transaction_id"] == .text("\(monthly)"))

        let short = try await verify(backend, receipt, ",\"exclude-old-transactions\":true")
        #expect(short["latest_receipt_info"]?.list.count == 2)
    }

    @Test("billing trouble and its dates are in the pending renewal")
    func pending() async throws {
        let backend = try await Backend()
        try await backend.buy(SampleCatalog.monthly)
        let receipt = try await backend.store.session().receipt(ReceiptOptions()).rawValue
        try await backend.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)),
            Backend.days(32))
        let answer = try await verify(backend, receipt)
        let pending = try #require(answer["pending_renewal_info"]?.list.first).members
        #expect(pending["is_in_billing_retry_period"] == .text("1"))
        #expect(pending["grace_period_expires_date_ms"]?.text != nil)
        #expect(pending["expiration_intent"] == nil || pending["expiration_intent"] == .text("2"))
    }

    @Test("a receipt without a transaction, and one that is refused, tell nothing of a customer")
    func nothing() async throws {
        let backend = try await Backend()
        let receipt = try await backend.store.session().receipt(ReceiptOptions()).rawValue
        let empty = try await verify(backend, receipt)
        #expect(empty["status"] == .integer(0) && empty["latest_receipt_info"] == nil)
        let forged = try await verify(backend, receipt + "a")
        #expect(forged["status"] != .integer(0) && forged["latest_receipt_info"] == nil)
        #expect(forged["pending_renewal_info"] == nil)
    }
}
