import Basics
import Foundation
import ShopText
import StoreHost
import StoreModel
import StoreSigning

/// Receipts and app transactions for people and scripts. If one is not verified, only the reason is
/// shown, and the command ends with `Exit.notVerified`.
enum ReceiptText {
    static func write(
        _ kept: KeptReceipt, _ options: GlobalOptions, of store: OpenStore
    ) async throws {
        guard let payload = try shown(kept, options, of: store, \.bundleId) else { return }
        var state = [Output.strings[.receiptIsVerified]]
        if let date = payload.expirationDate, payload.isExpired(at: store.now) {
            state.append(Output.strings[.receiptExpired(Output.strings.date(date))])
        }
        if let date = payload.revocationDate {
            state.append(Output.strings[.receiptRevoked(Output.strings.date(date))])
        }
        write([
            (.receiptPath, kept.path), (.receiptKind, payload.receiptType),
            (.receiptApp, payload.bundleId),
            (.receiptCreated, Output.strings.date(payload.receiptCreationDate)),
            (.receiptState, state.joined(separator: Output.strings[.listSeparator])),
        ])
        guard !payload.inApp.isEmpty else { return Output.line(.receiptEmpty) }
        var list = TransactionList(options, signed: false)
        try await list.write(
            payload.inApp.map { TransactionLine(payload: $0, signed: "") }, of: store)
    }

    static func write(
        _ kept: KeptAppTransaction, _ options: GlobalOptions, of store: OpenStore
    ) throws {
        guard let payload = try shown(kept, options, of: store, \.bundleId) else { return }
        write([
            (.receiptPath, kept.path), (.receiptKind, payload.receiptType),
            (.receiptApp, payload.bundleId), (.appVersion, payload.applicationVersion),
            (.appTransactionNumber, payload.appTransactionId),
            (.appSince, Output.strings.date(payload.originalPurchaseDate)),
            (.receiptCreated, Output.strings.date(payload.receiptCreationDate)),
            (.receiptState, Output.strings[.receiptIsVerified]),
        ])
    }

    /// The verified payload, to be shown to a person; nil if everything was written as JSON. There
    /// Apple's fields stand with the signed text, its file and the device's identifier, which a
    /// content server asks for (StoreKit: `AppStore.deviceVerificationID`).
    private static func shown<Payload: Encodable>(
        _ kept: KeptSignedText<Payload>, _ options: GlobalOptions, of store: OpenStore,
        _ bundleID: (Payload) -> String
    ) throws -> Payload? {
        guard case .success(let payload) = kept.verified else {
            try writeVerdict(kept, options)
            return nil
        }
        guard options.json else { return payload }
        let device = DeviceVerification(
            bundleID: bundleID(payload), account: store.account, device: store.deviceName
        ).identifier
        try Output.json(
            JSONFields(
                payload,
                [
                    "signed": kept.signed.rawValue, "path": kept.path,
                    "deviceVerificationId": device.uuidString.lowercased(),
                ]))
        return nil
    }

    /// Writes only whether it is verified. Throws `Exit.notVerified` if it is not.
    static func writeVerdict<Payload>(
        _ kept: KeptSignedText<Payload>, _ options: GlobalOptions
    ) throws {
        let kind: DocumentLineText =
            Payload.self == ReceiptPayload.self ? .kindReceipt : .kindAppTransaction
        var reason: VerificationError?
        if case .failure(let error) = kept.verified { reason = error }
        if options.json {
            try Output.json(verdict(path: kept.path, reason: reason, isVerified: reason == nil))
        } else if let reason {
            Output.error(ExplanationText.notVerified(kind, reason))
        } else {
            Output.line(.verifiedLine(kind: kind))
        }
        if reason != nil { throw Exit.notVerified }
    }

    /// - Parameter path: left out if there is no receipt.
    static func verdict(
        path: String?, reason: VerificationError?, isVerified: Bool
    ) -> JSONFields {
        ["path": path, "verified": isVerified, "reason": reason]
    }

    private static func write(_ facts: [(DocumentLineText, String)]) {
        let names = facts.map { Output.strings[$0.0] }
        let width = names.map { TextColumns.count($0) }.max() ?? 0
        for (name, fact) in zip(names, facts) {
            Output.line(TextColumns.fit(name, width) + "  " + UntrustedText.clean(fact.1))
        }
    }
}
