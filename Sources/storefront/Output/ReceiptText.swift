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
        guard case .success(let payload) = kept.verified else {
            return try writeVerdict(kept, options)
        }
        if options.json {
            return try Output.json(
                SignedFileLine(
                    payload: payload, text: kept.signed.rawValue, path: kept.path,
                    device: device(of: payload.bundleId, options)))
        }
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
            payload.inApp.map { TransactionList.Item(payload: $0, signed: "") }, of: store)
    }

    static func write(_ kept: KeptAppTransaction, _ options: GlobalOptions) throws {
        guard case .success(let payload) = kept.verified else {
            return try writeVerdict(kept, options)
        }
        if options.json {
            return try Output.json(
                SignedFileLine(
                    payload: payload, text: kept.signed.rawValue, path: kept.path,
                    device: device(of: payload.bundleId, options)))
        }
        write([
            (.receiptPath, kept.path), (.receiptKind, payload.receiptType),
            (.receiptApp, payload.bundleId), (.appVersion, payload.applicationVersion),
            (.appTransactionNumber, payload.appTransactionId),
            (.appSince, Output.strings.date(payload.originalPurchaseDate)),
            (.receiptCreated, Output.strings.date(payload.receiptCreationDate)),
            (.receiptState, Output.strings[.receiptIsVerified]),
        ])
    }

    /// The device's identifier, which a content server asks for (StoreKit:
    /// `AppStore.deviceVerificationID`).
    private static func device(of bundleID: String, _ options: GlobalOptions) -> UUID {
        DeviceVerification(
            bundleID: bundleID, account: options.accountName(.current),
            device: options.deviceName(.current)
        ).identifier
    }

    /// Writes only whether it is verified. Throws `Exit.notVerified` if it is not.
    static func writeVerdict<Text, Payload>(
        _ kept: KeptSignedText<Text, Payload>, _ options: GlobalOptions
    ) throws {
        let kind: CommandText = Text.self == SignedReceipt.self ? .kindReceipt : .kindAppTransaction
        switch kept.verified {
        case .success:
            if options.json {
                return try Output.json(
                    ReceiptVerdict(path: kept.path, verified: true, reason: nil))
            }
            Output.line(.verifiedLine(kind: kind))
        case .failure(let reason):
            if options.json {
                try Output.json(ReceiptVerdict(path: kept.path, verified: false, reason: reason))
            } else {
                Output.error(ExplanationText.notVerified(kind, reason))
            }
            throw Exit.notVerified
        }
    }

    private static func write(_ facts: [(CommandText, String)]) {
        let names = facts.map { Output.strings[$0.0] }
        let width = names.map { TextColumns.count($0) }.max() ?? 0
        for (name, fact) in zip(names, facts) {
            Output.line(TextColumns.fit(name, width) + "  " + UntrustedText.clean(fact.1))
        }
    }
}

/// Whether a receipt is verified, in JSON.
struct ReceiptVerdict: Encodable {
    /// Left out if there is no receipt.
    var path: String?
    var verified: Bool
    /// A name of StoreKit's `VerificationError`, or `wrongApp` or `wrongEnvironment`.
    var reason: VerificationError?
}

/// A verified receipt or app transaction in JSON: Apple's fields, with the signed text, its file and
/// the device's identifier beside them.
struct SignedFileLine<Payload: Encodable>: Encodable {
    var payload: Payload
    var text: String
    var path: String
    /// StoreKit: `AppStore.deviceVerificationID`.
    var device: UUID

    private enum Key: CodingKey { case signed, path, deviceVerificationId }

    func encode(to encoder: any Encoder) throws {
        try payload.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(text, forKey: .signed)
        try container.encode(path, forKey: .path)
        try container.encode(
            device.uuidString.lowercased(), forKey: .deviceVerificationId)
    }
}
