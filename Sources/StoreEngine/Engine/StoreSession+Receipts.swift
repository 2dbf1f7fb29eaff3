import Foundation
import StoreModel
import StoreSigning

extension StoreSession {
    func receipt(_ options: ReceiptOptions) async throws(StoreError) -> SignedReceipt {
        let rows = try await receiptRows()
        // Another process may have sold a row after the clock was read.
        let now = rows.reduce(engine.clock.now()) { $1.signedDate(at: $0) }
        let inApp = rows.map { row in
            var payload = engine.payloads.payload(of: row, for: nil)
            payload.signedDate = now
            return payload
        }
        let type = identity.environment.receiptType(isVolumePurchase: options.isVolumePurchase)
        var receipt = ReceiptPayload(receiptType: type, identity, inApp: inApp, at: now)
        (receipt.deviceVerification, receipt.deviceVerificationNonce) = deviceVerification()
        receipt.expirationDate = options.isExpired ? now : nil
        receipt.revocationDate = options.isRevoked ? now : nil
        return try engine.payloads.signer.sign(receipt)
    }

    /// The transactions of a receipt, by number: unfinished consumables, and all other transactions
    /// that were not deleted. The cost grows with the products that the account owns, not with the
    /// consumables that it has bought.
    private func receiptRows() async throws(StoreError) -> [TransactionRow] {
        // Due renewals are recorded first, as in `entitlements`.
        _ = try await engine.committer.snapshotAfterDue(account)
        var rows = try await engine.ledger.unfinished(of: account).map(\.1).filter {
            $0.sale.type == .consumable && !$0.state.isDeleted
        }
        var last: TransactionID?
        while true {
            let page = try await engine.ledger.transactions(
                of: account, before: last,
                kinds: Set(ProductType.allCases).subtracting([.consumable]), entitlingOnly: false,
                limit: StoreLimits.historyPageMax)
            rows += page
            last = page.last?.id
            guard page.count == StoreLimits.historyPageMax else { break }
        }
        return rows.sorted { $0.id < $1.id }
    }

    /// What a receipt would have.
    func receiptPayloads() async throws(StoreError) -> [TransactionPayload] {
        try await receiptRows().map { engine.payloads.payload(of: $0, for: nil) }
    }

    func appTransaction() async throws(StoreError) -> SignedAppTransaction {
        try await failIfAsked(
            .appTransaction, engine.ledger.snapshot(LedgerQuery()).faults)
        var payload = engine.payloads.appTransaction(of: account, at: engine.clock.now())
        (payload.deviceVerification, payload.deviceVerificationNonce) = deviceVerification()
        return try engine.payloads.signer.sign(payload)
    }

    func revokedCertificates() async throws(StoreError) -> SignedRevocationList {
        try engine.keys.revocationList(at: engine.clock.now())
    }

    /// The nonce is new. Nil for the app's backend.
    func deviceVerification() -> (digest: String?, nonce: UUID?) {
        guard !isOfBackend else { return (nil, nil) }
        let nonce = UUID()
        let device = DeviceVerification(
            bundleID: identity.bundleID, account: account, device: device)
        return (device.text(nonce: nonce), nonce)
    }
}

extension AppIdentity {
    /// The app's version in every app transaction. Catalogs do not have one.
    static let appVersion = "1.0"
}

extension StoreEnvironment {
    /// The `receiptType` of a receipt (`verifyReceipt`: `receipt_type`).
    fileprivate func receiptType(isVolumePurchase: Bool) -> String {
        let volume = isVolumePurchase ? "VPP" : ""
        return switch self {
        case .production: "Production" + volume
        case .sandbox: "Production" + volume + "Sandbox"
        default: rawValue + volume
        }
    }
}
