import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning

struct Transactions: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "List what was sold to the account, newest first.",
        discussion: """
            Without a network (storefront operator network) they are those that this device has \
            delivered, or with --unfinished those that the store told it last; asOf says as of when.

            EXAMPLES
              storefront transactions --unfinished
              storefront transactions --signed | head -1 > sale.jws
              storefront transactions --csv > sales.csv
              storefront transactions --json
            """)

    @Flag(help: "Only what waits to be finished, on whichever device.")
    var unfinished = false

    @Flag(help: "The compact JWS of each, one a line.")
    var signed = false

    @Option(help: ArgumentHelp("Only of this product.", valueName: "id"))
    var product: String?

    @Option(help: ArgumentHelp("Only the transaction with this number.", valueName: "number"))
    var id: String?

    @Option(
        help: ArgumentHelp(
            "Only what was sold since: 2027-01-31 in your time zone, or "
                + "2027-01-31T10:00:00+09:00.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("At most so many.", valueName: "number"))
    var limit: Int?

    @OptionGroup var values: CSVPart
    @OptionGroup var given: CustomerOptions

    func validate() throws {
        if signed, options.csv { throw ValidationError("Give --signed or --csv, not both.") }
        if let limit, limit < 1 { throw ValidationError("--limit wants at least 1.") }
        if let id, TransactionID(id) == nil {
            throw ValidationError("--id wants a transaction's number, found '\(id)'.")
        }
        try DateArgument.validate(since: since)
    }

    var readsDevice: Bool { true }

    func run(in store: OpenStore) async throws {
        guard !unfinished else {
            await store.recordDue()
            return try await showUnfinished(store)
        }
        var left = limit ?? Int.max
        var list = TransactionList(options, signed: signed)
        // One transaction is read from the next number; the highest number has no next one.
        var last = id.flatMap { TransactionID($0) }.flatMap {
            $0.number < .max ? TransactionID($0.number + 1) : nil
        }
        var isFirst = true
        var isFresh = true
        let unfinished = try await unfinishedOnes(store)
        while left > 0 {
            let answer = try await store.transactions(
                before: last, limit: id == nil ? 200 : 1)
            if isFirst { store.noteAge(of: answer) }
            isFirst = false
            isFresh = answer.isFresh
            let page = answer.value
            let payloads = page.compactMap { transaction in
                TransactionVerifier.unverifiedPayload(of: transaction).map {
                    TransactionLine(
                        payload: $0, signed: transaction, asOf: answer.age,
                        isUnfinished: unfinished.contains($0.transactionId))
                }
            }
            let chosen = payloads.filter { matches($0.payload) }.prefix(left)
            try await list.write(Array(chosen), of: store)
            left -= chosen.count
            last = payloads.last?.payload.transactionId
            // A renewal that was recorded late has an earlier purchase date than its neighbours:
            // only a page that is older than `--since` as a whole is the last.
            if page.isEmpty || id != nil || payloads.allSatisfy({ isBefore($0.payload) }) {
                break
            }
        }
        if list.isEmpty, !options.json {
            let isWhole = product == nil && id == nil && since == nil && isFresh
            Output.note(
                isWhole ? .nothingSold(account: store.account.rawValue) : .nothingFound)
        }
        if isFresh { try await store.noteOverdue() }
        await noteUndelivered(in: store)
    }

    /// For the column of states; JSON and signed texts do not name it.
    private func unfinishedOnes(_ store: OpenStore) async throws -> Set<TransactionID> {
        guard !options.json, !signed else { return [] }
        return Set(try await store.unfinished().value.map(\.id))
    }

    private func matches(_ payload: TransactionPayload) -> Bool {
        if let product, payload.productId.rawValue != product { return false }
        if let id, payload.transactionId.description != id { return false }
        return !isBefore(payload)
    }

    /// Whether the transaction was purchased before `--since`; false without that option.
    private func isBefore(_ payload: TransactionPayload) -> Bool {
        since.flatMap(DateArgument.instant).map { payload.purchaseDate < $0 } ?? false
    }

    private func showUnfinished(_ store: OpenStore) async throws {
        let answer = try await store.unfinished()
        store.noteAge(of: answer)
        let items = answer.value.compactMap { waiting in
            TransactionVerifier.unverifiedPayload(of: waiting.transaction.signed).map {
                TransactionLine(
                    payload: $0, signed: waiting.transaction.signed, device: waiting.device,
                    asOf: answer.age)
            }
        }.filter { matches($0.payload) }.prefix(limit ?? .max)
        if items.isEmpty, !options.json { Output.note(.allFinished) }
        var list = TransactionList(options, signed: signed)
        try await list.write(Array(items), of: store)
        if answer.isFresh { try await store.noteOverdue() }
        await noteUndelivered(in: store)
    }
}

struct Finish: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Acknowledge a transaction by hand.",
        discussion: """
            An app does this after delivery; a tester may do it to see what follows. Finishing \
            before a download has ended cancels that download.

            EXAMPLE
              storefront finish 1000003
            """)

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var given: CustomerOptions

    func run(in store: OpenStore) async throws {
        let id = transaction.id
        let device = try await store.device()
        for row in try await device.downloadsToGiveUp(of: id) {
            Output.note(.finishCancels(product: row.productID.rawValue, package: row.contentID))
        }
        let outcome = try await device.finish(id)
        await device.writeReceipt()
        let text: PurchaseLineText =
            switch outcome {
            case .finished: .finishedLine(id.description)
            case .alreadyFinished: .finishedBefore(id.description)
            case .claimedElsewhere: .anotherDevicesLine(id.description)
            case .queued: .finishQueued(id.description)
            }
        try write(json: ["outcome": outcome, "transactionId": id] as JSONFields) {
            Output.line(text)
        }
    }
}

struct Entitlements: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "entitlements",
        abstract: "List what the account may use now.",
        discussion: """
            Non-consumables, active subscriptions, and non-renewing ones, whose end the app \
            reckons itself. Consumables are never entitlements. Without a network (storefront \
            operator network) they are what the device's own records prove, and asOf says as of when. One \
            whose signed text this device cannot verify says why, and unlocks nothing here.

            EXAMPLE
              storefront entitlements --json
            """)

    @OptionGroup var given: CustomerOptions

    var readsDevice: Bool { true }

    func run(in store: OpenStore) async throws {
        let answer = try await store.entitlements()
        let entitlements = answer.value
        store.noteAge(of: answer)
        if entitlements.isEmpty, !options.json { Output.note(.noEntitlements) }
        var list = TransactionList(options, signed: false)
        let ends = try await passEnds(entitlements, in: store)
        var items: [TransactionLine] = []
        var unreadable: [(Entitlement, VerificationError)] = []
        for entitlement in entitlements {
            let verified = await store.verify(entitlement.transaction)
            guard let payload = verified?.payload
            else {
                unreadable.append((entitlement, verified?.error ?? .invalidEncoding))
                continue
            }
            items.append(
                TransactionLine(
                    payload: payload, signed: entitlement.transaction,
                    renews: entitlement.renews,
                    graceUntil: entitlement.renewalInfo == nil ? nil : entitlement.until,
                    until: entitlement.until ?? ends[entitlement.productID],
                    asOf: answer.age, isVerified: verified?.error == nil,
                    verificationError: verified?.error))
        }
        try await list.write(items, of: store)
        for (entitlement, error) in unreadable {
            try write(
                json: [
                    "transactionId": entitlement.transactionID, "productId": entitlement.productID,
                    "type": entitlement.type, "verification": "unverified",
                    "verificationError": error, "signedTransactionInfo": entitlement.transaction,
                ] as JSONFields
            ) {
                Output.line(
                    .unreadableEntitlement(
                        transaction: entitlement.transactionID.description,
                        product: entitlement.productID.rawValue, reason: error.rawValue))
            }
        }
        if answer.isFresh { try await store.noteOverdue() }
        await noteUndelivered(in: store)
    }

    /// When the access from non-renewing subscriptions ends or has ended, as the app reckons it from
    /// all purchases; without products whose catalog names no length.
    private func passEnds(
        _ entitlements: [Entitlement], in store: OpenStore
    ) async throws -> [ProductID: Timestamp] {
        var purchases: [ProductID: [TimedAccess.Purchase]] = [:]
        for entitlement in entitlements where entitlement.type == .nonRenewing {
            guard let payload = await store.verify(entitlement.transaction)?.payload else {
                continue
            }
            purchases[payload.productId, default: []].append(
                TimedAccess.Purchase(at: payload.purchaseDate, quantity: payload.quantity))
        }
        guard !purchases.isEmpty else { return [:] }
        var ends: [ProductID: Timestamp] = [:]
        for product in try await store.products(purchases.keys.sorted()).value.products {
            ends[product.id] = product.nonRenewingPeriod.flatMap {
                TimedAccess.end(of: purchases[product.id] ?? [], period: $0)
            }
        }
        return ends
    }
}
