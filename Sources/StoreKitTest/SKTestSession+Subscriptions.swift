#if os(Linux)
import StoreKit
import StoreModel

extension SKTestSession {
    /// Ends the account's subscription to a product now. Throws `invalidProductIdentifier`,
    /// `invalidProductType`, `noSubscriptionFound`.
    public func expireSubscription(productIdentifier: String) throws {
        _ = try Self.waiting {
            try await self.store.perform(.expire(self.subscription(productIdentifier)))
        }
    }

    /// Renews the account's subscription to a product now. Throws as `expireSubscription`.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try Self.waiting { [store] in
            let id = try await self.subscription(productIdentifier)
            do throws(StoreError) { try await store.perform(.renew(id)) } catch {
                // It has renewed already.
                if error.code == .nextPeriodCharged { return }
                guard error.code == .periodJustBegun else { throw error }
                // Bought in this very millisecond. A period cannot end when it begins.
                try await store.perform(.clock(.to(store.now.advanced(byMilliseconds: 1))))
                try await store.perform(.renew(id))
            }
        }
    }

    /// The newest transaction of a product that renews.
    private func subscription(_ product: String) async throws -> TransactionID {
        let found = try await store.history(limit: 1) { $0.productId.rawValue == product }.first
        guard let payload = found?.unsafePayloadValue.payload else {
            let refusal = try await store.console.refusal(
                of: .promote(ProductID(product), account: account))
            throw refusal?.code == .productUnavailable
                ? SKTestError(.invalidProductIdentifier, "There is no product \(product).")
                : SKTestError(.noSubscriptionFound, "Nobody has subscribed to \(product).")
        }
        guard payload.type == .autoRenewable else {
            throw SKTestError(.invalidProductType, "\(product) does not renew.")
        }
        return payload.transactionId
    }

    /// Lets the subscription of a transaction renew again.
    public func enableAutoRenewForTransaction(identifier: UInt) throws {
        try act(.setAutoRenew(TransactionID(identifier), true))
    }

    /// Lets the subscription of a transaction end with its period.
    public func disableAutoRenewForTransaction(identifier: UInt) throws {
        try act(.setAutoRenew(TransactionID(identifier), false))
    }

    /// Asks the subscriber of a transaction to consent to a higher price.
    public func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try act(.priceIncrease(TransactionID(identifier), .ask))
    }

    /// Consents in the subscriber's place.
    public func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try act(.priceIncrease(TransactionID(identifier), .consent))
    }

    /// Declines in the subscriber's place; the subscription ends with its period.
    public func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try act(.priceIncrease(TransactionID(identifier), .decline))
    }
}
#endif
