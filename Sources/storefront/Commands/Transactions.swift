import ArgumentParser
import Foundation
import ShopText
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
        try await reporting(options) {
            let store = try await options.open()
            guard !unfinished else { return try await showUnfinished(store) }
            var left = limit ?? Int.max
            var last: TransactionID?
            while left > 0 {
                let page = try await store.session.history(before: last, limit: min(left, 200))
                if last == nil {
                    Output.note(
                        .nothingSold(account: store.account.rawValue), ifEmpty: page,
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
        Output.note(.allFinished, ifEmpty: all, json: options.json)
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
        let strings = Output.strings
        let price = Price(
            money: Money(milliunits: payload.price, currency: payload.currency), locale: "en_US")
        let many = payload.quantity > 1 ? " × \(payload.quantity)" : ""
        var parts = [
            "\(payload.transactionId)  \(strings.date(payload.purchaseDate))  "
                + "\(payload.productId)\(many)  \(strings.price(price))"
        ]
        if let expires = payload.expiresDate.map({ strings.date($0) }) {
            parts.append(strings[renews ? CommandText.renews(expires) : .until(expires)])
        }
        if let device { parts.append(strings[CommandText.deliveredOn(device: device.rawValue)]) }
        if let revoked = revoked(payload) { parts.append(strings[revoked]) }
        return parts.joined(separator: strings[.listSeparator])
    }

    private static func revoked(_ payload: TransactionPayload) -> CommandText? {
        guard let date = payload.revocationDate.map({ Output.strings.date($0) }) else { return nil }
        let share = Share(millipercent: payload.revocationPercentage ?? 100_000)
        let part = share == .all ? nil : share.percentText
        return payload.revocationType == nil
            ? .revokedOn(part: part, date: date) : .refundedOn(part: part, date: date)
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
        try await reporting(options) {
            let store = try await options.open()
            let outcome = try await store.device().finish(id)
            if options.json { return try Output.json(["outcome": outcome.rawValue]) }
            switch outcome {
            case .finished: Output.line(.finishedLine(id.description))
            case .alreadyFinished: Output.line(.finishedBefore(id.description))
            case .claimedElsewhere: Output.line(.anotherDevicesLine(id.description))
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
        try await reporting(options) {
            let store = try await options.open()
            let entitlements = try await store.session.entitlements()
            Output.note(
                .noEntitlements, ifEmpty: entitlements, json: options.json)
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
