import ArgumentParser
import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning

struct Transactions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what was sold to the account, newest first.",
        discussion: """
            EXAMPLES
              storefront transactions --unfinished
              storefront transactions --signed | head -1 > sale.jws
              storefront transactions --json
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Only what waits to be finished, on whichever device.")
    var unfinished = false

    @Flag(help: "The compact JWS of each, one a line.")
    var signed = false

    @Option(help: ArgumentHelp("At most so many.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit wants at least 1.") }
    }

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            guard !unfinished else { return try await showUnfinished(store) }
            var left = limit ?? Int.max
            var last: TransactionID?
            while left > 0 {
                let page = try await store.session.history(before: last, limit: min(left, 200))
                if last == nil {
                    Output.note(
                        "Nothing was sold to \(store.account) yet.", ifEmpty: page,
                        json: options.json)
                }
                for transaction in page { last = try show(transaction) ?? last }
                left -= page.count
                if page.isEmpty { break }
            }
        }
    }

    private func showUnfinished(_ store: OpenStore) async throws {
        let all = try await store.session.unfinished(allDevices: true)
        Output.note("Everything is finished.", ifEmpty: all, json: options.json)
        for waiting in all.prefix(limit ?? .max) {
            _ = try show(waiting.transaction.signed, device: waiting.device)
        }
        try await store.noteOverdue()
    }

    private func show(_ transaction: SignedTransaction, device: DeviceName? = nil) throws
        -> TransactionID?
    {
        let payload = TransactionVerifier.unverifiedPayload(of: transaction)
        if signed {
            Output.line(transaction.rawValue)
        } else if let payload, options.json {
            try Output.json(
                TransactionLine(
                    payload: payload, signed: transaction,
                    extra: device.map { ["device": $0.rawValue] } ?? [:]))
        } else if let payload {
            Output.line(TransactionText.line(payload, device: device))
        }
        return payload?.transactionId
    }
}

enum TransactionText {
    static func line(
        _ payload: TransactionPayload, device: DeviceName? = nil, renews: Bool = false
    ) -> String {
        let price = Money(milliunits: payload.price, currency: payload.currency)
        let many = payload.quantity > 1 ? " × \(payload.quantity)" : ""
        let until = payload.expiresDate.map { ", \(renews ? "renews" : "until") \(date($0))" } ?? ""
        let owner = device.map { ", to be delivered on \($0)" } ?? ""
        return "\(payload.transactionId)  \(date(payload.purchaseDate))  "
            + "\(payload.productId)\(many)  "
            + price.formatted(locale: Locale(identifier: "en_US")) + until + owner
            + revoked(payload)
    }

    private static func revoked(_ payload: TransactionPayload) -> String {
        guard let date = payload.revocationDate else { return "" }
        let share = Share(millipercent: payload.revocationPercentage ?? 100_000)
        let part = share == .all ? "" : " (\(share.percentText))"
        let what = payload.revocationType == nil ? "revoked" : "refunded"
        return ", \(what)\(part) \(self.date(date))"
    }

    static func date(_ timestamp: Timestamp) -> String {
        timestamp.date.formatted(.iso8601)
    }
}

struct Finish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Acknowledge a transaction by hand.",
        discussion: """
            An app does this after delivery; a tester may do it to see what follows. Finishing \
            before a download has ended cancels that download.

            EXAMPLE
              storefront finish 1000003
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var transaction: TransactionArgument

    func run() async throws {
        let id = transaction.id
        try await reporting(json: options.json) {
            let store = try await options.open()
            let outcome = try await store.device().finish(id)
            if options.json { return try Output.json(["outcome": outcome.rawValue]) }
            switch outcome {
            case .finished: Output.line("Finished \(id).")
            case .alreadyFinished: Output.line("\(id) was finished before.")
            case .claimedElsewhere: Output.line("\(id) is another device's to deliver and finish.")
            }
        }
    }
}

struct Entitlements: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what the account may use now.",
        discussion: """
            Non-consumables, active subscriptions, and non-renewing ones, whose end the app \
            reckons itself. Consumables are never entitlements.

            EXAMPLE
              storefront entitlements --json
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let entitlements = try await store.session.entitlements()
            Output.note(
                "\(store.account) is entitled to nothing yet.", ifEmpty: entitlements,
                json: options.json)
            for entitlement in entitlements {
                guard
                    let payload = TransactionVerifier.unverifiedPayload(
                        of: entitlement.transaction)
                else { continue }
                if options.json {
                    try Output.json(
                        TransactionLine(payload: payload, signed: entitlement.transaction))
                } else {
                    Output.line(
                        TransactionText.line(payload, renews: entitlement.renews ?? false))
                }
            }
            try await store.noteOverdue()
        }
    }
}
