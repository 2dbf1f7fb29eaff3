#if os(Linux)
public import Foundation
public import StoreKit
import StoreModel
import StoreSigning

extension SKTestSession {
    /// Buys a product outside the app, which gets it as an update. A product that the account owns
    /// is not sold again; its transaction is returned. Throws what a purchase throws, and
    /// `SKTestError.invalidAction` for options that only purchases in the app take.
    @discardableResult
    public func buyProduct(
        identifier: StoreKit.Product.ID, options: Set<StoreKit.Product.PurchaseOption> = []
    ) async throws -> StoreKit.Transaction {
        do {
            let id = try await buy(identifier, OutsidePurchase(options))
            guard let bought = await store.device.verified(try await store.store.transaction(id))
            else { throw StoreError(.unknown) }
            return bought.unsafePayloadValue
        } catch let error as StoreError { throw error.inStoreKit }
    }

    /// Buys a product outside the app.
    @available(*, deprecated, renamed: "buyProduct(identifier:options:)")
    public func buyProduct(productIdentifier: String) throws {
        _ = try Self.waiting { try await self.buy(productIdentifier, OutsidePurchase([])) }
    }

    /// - Returns: the transaction, or the present one of a subscription that is changed later.
    private func buy(_ id: String, _ purchase: OutsidePurchase) async throws -> TransactionID {
        guard purchase.date != nil, !purchase.renews else { return try await sell(id, purchase) }
        // No renewal may be recorded before auto-renew is off.
        let limit = try await store.console.clock().renewals.limitAsSet
        try await store.perform(.setRenewals(RenewalsChange(limit: .count(0))))
        let sold: Result<TransactionID, any Error>
        do { sold = .success(try await sell(id, purchase)) } catch { sold = .failure(error) }
        // A period that is over has no auto-renew.
        if let id = try? sold.get() { _ = try? await store.perform(.setAutoRenew(id, false)) }
        try await store.perform(.setRenewals(RenewalsChange(limit: limit)))
        return try sold.get()
    }

    private func sell(_ id: String, _ purchase: OutsidePurchase) async throws -> TransactionID {
        let events: [StoreEvent]
        do throws(StoreError) {
            events = try await store.perform(
                .buyOutside(
                    ProductID(id), account: account, quantity: purchase.quantity,
                    offer: purchase.offer, token: purchase.token, at: purchase.date))
        } catch {
            let isHeld = [.alreadyOwned, .subscriptionActive].contains(error.code)
            guard isHeld, let held = error.transactionID else { throw error }
            return held
        }
        if purchase.date != nil {
            // Records the renewals since.
            _ = try await store.store.unfinished(allDevices: false)
            await store.catchUp()
        }
        for event in events {
            if case .sold(let sale) = event.change { return sale.id }
        }
        // A change of plan that begins later.
        guard let chain = events.lazy.compactMap(\.transactionID).first else {
            throw StoreError(.unknown)
        }
        return chain
    }

    /// The transactions of the test, and the purchases that wait, oldest first.
    public func allTransactions() -> [SKTestTransaction] {
        let found = try? Self.waiting { [store] in
            // A test may make the call for the statuses fail.
            let statuses = (try? await store.store.subscriptionStatuses()) ?? []
            let subscriptions = statuses.compactMap { TestedSubscription($0) }
            let sold = try await store.history { _ in true }.map { transaction in
                let payload = transaction.unsafePayloadValue.payload
                let subscription = subscriptions.first {
                    $0.renewal.originalTransactionId == payload.originalTransactionId
                }
                return SKTestTransaction(payload, of: subscription)
            }
            let waiting = try await store.store.requests().map { SKTestTransaction($0) }
            return (sold + waiting).sorted { $0.identifier < $1.identifier }
        }
        return found ?? []
    }

    /// Approves a purchase that waits for it.
    public func approveAskToBuyTransaction(identifier: UInt) throws {
        try act(.approve(TransactionID(identifier)))
    }

    /// Declines a purchase that waits to be approved.
    public func declineAskToBuyTransaction(identifier: UInt) throws {
        try act(.decline(TransactionID(identifier)))
    }

    /// Resolves what interrupted a purchase, which is then sold; or pays a renewal that was not paid.
    /// Does nothing if there is nothing to resolve any more.
    public func resolveIssueForTransaction(identifier: UInt) throws {
        let id = TransactionID(identifier)
        try Self.waiting { [store] in
            if try await store.store.requests().contains(where: { $0.number == id }) {
                try await store.perform(.resolve(id))
                return
            }
            do throws(StoreError) { try await store.perform(.resolveBilling(id)) } catch {
                guard [.noBillingIssue, .noSubscription].contains(error.code) else { throw error }
            }
        }
    }

    /// Refunds what is left of a transaction's price.
    public func refundTransaction(identifier: UInt) throws {
        try act(.refund(TransactionID(identifier), .rest, reason: .other))
    }

    /// Deletes a transaction; of a subscription all periods, unless it is the last one.
    public func deleteTransaction(identifier: UInt) throws {
        let id = TransactionID(identifier)
        try Self.waiting { [store] in
            if try await store.store.requests().contains(where: { $0.number == id }) {
                try await store.store.withdraw(id)
                await store.catchUp()
                return
            }
            do throws(StoreError) {
                try await store.perform(.delete(id, wholeChain: false))
            } catch {
                if error.code == .notLastOfChain {
                    try await store.perform(.delete(id, wholeChain: true))
                } else if error.code == .transactionNotFound {
                    guard try await store.store.knows(id) else { throw error }
                } else {
                    throw error
                }
            }
        }
    }

    /// Deletes every transaction and every purchase that waits. Settings stay.
    public func clearTransactions() {
        _ = try? Self.waiting { [store] in
            // One that is refused, such as one that a family member shares, leaves the others.
            for request in (try? await store.store.requests()) ?? [] {
                try? await store.store.withdraw(request.number)
            }
            let sold = (try? await store.history { _ in true }) ?? []
            let chains = Set(sold.map(\.unsafePayloadValue.payload.originalTransactionId))
            for chain in chains {
                _ = try? await store.console.perform(.delete(chain, wholeChain: true))
            }
            await store.catchUp()
            store.clearPaymentQueue()
        }
    }
}

/// A purchase outside the app. Options that are about a payment sheet say nothing here.
private struct OutsidePurchase: Sendable {
    var quantity = 1
    var token: UUID?
    var offer: OfferID?
    var date: Timestamp?
    var renews = true

    init(_ options: Set<StoreKit.Product.PurchaseOption>) throws {
        for option in options {
            switch option.kind {
            case .quantity(let count): quantity = count
            case .appAccountToken(let token): self.token = token
            case .offer(let asked): offer = asked.id
            case .purchaseDate(let date, let renews):
                self.date = Timestamp(date)
                self.renews = renews
            case .billingPlan, .introductoryEligibility:
                throw SKTestError(
                    .invalidAction, "Only a purchase in the app takes \(option.debugDescription).")
            case .simulatesAskToBuy, .custom, .storefrontChange: break
            }
        }
    }
}

/// A subscription as the store tells it, whether a test lets it verify or not.
struct TestedSubscription {
    var renewal: RenewalInfoPayload
    /// The transaction of the present period.
    var present: TransactionID
    var hasIssue: Bool

    init?(_ status: StoreModel.SubscriptionStatus) {
        guard let renewal = TransactionVerifier.unverifiedPayload(of: status.renewalInfo),
            let present = TransactionVerifier.unverifiedPayload(of: status.transaction)
        else { return nil }
        self.renewal = renewal
        self.present = present.transactionId
        hasIssue = [.inGracePeriod, .inBillingRetryPeriod].contains(status.state)
    }
}

extension StoreKit.Product.PurchaseOption {
    /// The renewal of a subscription that was bought in the past.
    @nonexhaustive public enum SubscriptionRenewalBehavior: Sendable {
        /// It has one period.
        case cancelImmediately
        /// It has renewed until today, and goes on.
        case renewUntilNow
    }

    /// Buys in the past; for `SKTestSession.buyProduct(identifier:options:)` only.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Self {
        Self(.purchaseDate(date, renews: renewalBehavior == .renewUntilNow))
    }

    /// Redeems the offer code with this reference name; for `SKTestSession.buyProduct` only.
    public static func codeOffer(referenceName: String) -> Self {
        Self(.offer(PaymentOffer(kind: .code, id: OfferID(referenceName))))
    }

    /// A promotional offer without a signature; for `SKTestSession.buyProduct` only.
    public static func promotionalOffer(id: String) -> Self {
        Self(.offer(PaymentOffer(kind: .promotional, id: OfferID(id))))
    }
}
#endif
