import Foundation
import StoreModel

// What an app's backend asks of the store (App Store Server API), and the operator of its server.

/// Makes or revokes a key of the API.
struct KeysRequest: Request {
    var change: APIKeyChange

    func addKeys(to _: inout Lookup) {}

    func collisions(in _: RuleContext) -> [CollisionKey] { [.everything] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<ServerSettings> {
        var server = context.snapshot.server ?? ServerSettings()
        switch change {
        case .create(var key, let issuer):
            guard !server.keys.contains(where: { $0.id == key.id }) else { return .answer(server) }
            server.issuer = server.issuer ?? issuer
            key.createdAt = context.now
            server.keys.append(key)
        case .revoke(let id):
            guard let index = server.keys.firstIndex(where: { $0.id == id }) else {
                let valid = server.keys.filter { $0.revokedAt == nil }.map(\.id)
                throw StoreError(
                    .invalidName, subject: "key", found: id,
                    expected: valid.joined(separator: ", "))
            }
            guard server.keys[index].revokedAt == nil else { return .answer(server) }
            server.keys[index].revokedAt = context.now
        }
        let settings = server
        return .record(context.storeDecision(.serverSet(settings))) { _ in settings }
    }
}

/// Acknowledges a transaction from the app's backend. Idempotent.
struct FinishFromBackend: Request {
    var id: TransactionID

    func addKeys(to lookup: inout Lookup) {
        lookup.query.sales.insert(id)
        guard let account = lookup.found.transactions[id]?.account else { return }
        lookup.query.accounts.insert(account)
        lookup.query.finishing.insert(.init(account: account, id: id))
    }

    func collisions(in _: RuleContext) -> [CollisionKey] { [.transaction(id)] }

    /// Throws `transactionNotFound`.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        let row = try context.sold(id)
        guard context.snapshot.unfinished[id] != nil else { return .answer(()) }
        return .record(
            Decision(
                reads: context.reads([.account(row.account)]),
                entries: [context.entry(.finished, of: row.account, number: .existing(id))])
        ) { _ in }
    }
}

/// Sets the `appAccountToken` of a purchase or a subscription.
struct SetTokenRequest: Request {
    var id: TransactionID
    var token: UUID

    func addKeys(to lookup: inout Lookup) { RenewalRules.addKeys(of: id, to: &lookup) }

    func collisions(in context: RuleContext) -> [CollisionKey] {
        RefundRules.collisions(on: id, in: context)
    }

    /// Throws `transactionNotFound`, `sharedPurchase`, `storeNewer`.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        let row = try context.sold(id)
        try context.snapshot.refuseUnknownFacts(of: row.account)
        try FamilyRules.refuseShare(id, in: context)
        let subscription = context.snapshot.subscriptions[row.originalID]
        let ids = Set([id, subscription?.latest, subscription?.previous].compactMap(\.self))
        let entries = ids.sorted().compactMap { id -> Entry? in
            guard var row = context.snapshot.transactions[id], !row.state.isDeleted,
                row.appAccountToken != token
            else { return nil }
            row.state.appAccountToken = token
            return row.revised(.tokenSet, at: context.now)
        }
        guard !entries.isEmpty else { return .answer(()) }
        return .record(Decision(reads: context.reads(row.account), entries: entries)) { _ in }
    }
}

/// Records what the app's backend says of a purchase.
struct ConsumptionRequest: Request {
    var answer: ConsumptionAnswer

    func addKeys(to lookup: inout Lookup) {
        lookup.query.sales.insert(answer.transactionID)
        if let row = lookup.found.transactions[answer.transactionID] {
            lookup.query.accounts.insert(row.account)
        }
    }

    func collisions(in _: RuleContext) -> [CollisionKey] { [.transaction(answer.transactionID)] }

    /// Throws `transactionNotFound`.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        let row = try context.sold(answer.transactionID)
        var answer = answer
        answer.answeredAt = context.now
        return .record(
            Decision(
                reads: context.reads(row.account),
                entries: [
                    context.entry(
                        .consumptionAnswered(answer), of: row.account, number: .existing(row.id))
                ])
        ) { _ in }
    }
}

/// Extends a subscription for the app's backend, as often as it may. Answers with the transaction
/// whose period was extended.
struct ExtendFromBackend: Request {
    var id: TransactionID
    var days: Int

    func addKeys(to lookup: inout Lookup) { RenewalRules.addKeys(of: id, to: &lookup) }

    func collisions(in context: RuleContext) -> [CollisionKey] {
        RefundRules.collisions(on: id, in: context)
    }

    /// Throws as `SubscriptionRules.extend`, and `sharedPurchase`.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<TransactionID> {
        try FamilyRules.refuseShare(id, in: context)
        let decision = try SubscriptionRules.extend(
            id, days: days, isOfBackend: true, in: context)
        return .record(decision) { [id] recorded in recorded.first?.number ?? id }
    }
}

/// Records the first use of an extension's identifier.
struct AskForExtension: Request {
    var request: ExtensionRequest

    func addKeys(to lookup: inout Lookup) { lookup.query.extensions.insert(request.id) }

    func collisions(in _: RuleContext) -> [CollisionKey] { [.everything] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        guard let decision = try SubscriptionRules.extendAll(request, in: context) else {
            return .answer(())
        }
        return .record(decision) { _ in }
    }
}

/// Records what came of an extension for all; `completedAt` becomes now.
struct ExtensionEnd: Request {
    var outcome: ExtensionOutcome

    func addKeys(to _: inout Lookup) {}

    func collisions(in _: RuleContext) -> [CollisionKey] { [.everything] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        var outcome = outcome
        outcome.completedAt = context.now
        return .record(context.storeDecision(.extensionDone(outcome))) { _ in }
    }
}

extension RuleContext {
    /// Throws `transactionNotFound` for a transaction that the lookup did not find, or a deleted
    /// one.
    fileprivate func sold(_ id: TransactionID) throws(StoreError) -> TransactionRow {
        guard let row = snapshot.transactions[id], !row.state.isDeleted else {
            throw StoreError(.transactionNotFound, transactionID: id)
        }
        return row
    }
}
