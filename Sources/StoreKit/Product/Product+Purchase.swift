#if os(Linux)
import Foundation
import StoreDevice
package import StoreModel

extension Product {
    /// Buys the product. Returns when the store has decided; the transaction of a sale is then in
    /// every list of the account, and `Transaction.updates` does not repeat it. Throws
    /// `Product.PurchaseError`, too.
    @MainActor
    public func purchase(
        options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        try await buy(options)
    }

    /// Not on the main actor: nothing here is shown.
    private nonisolated func buy(
        _ options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        do throws(StoreError) {
            let session = try await AppStoreProcess.current()
            let purchase = AppPurchase(of: model, options)
            guard await PurchaseConfirmation.allows(purchase, in: session) else {
                // It is cancelled, whether the store can note that or not.
                try? await session.store.noteCancelledPurchase(of: model.id)
                return .userCancelled
            }
            return try await session.buy(purchase)
        } catch { throw error.inStoreKit }
    }
}

/// A purchase as an app asks for it, before it is confirmed.
package struct AppPurchase: Sendable {
    package var product: StoreModel.Product
    package var quantity = 1
    package var appAccountToken: UUID?
    /// StoreKit 1 only.
    package var applicationUsernameHash: String?
    package var offer: PaymentOffer?
    package var billingPlan: BillingPlanType?
    package var introductoryEligibility: String?
    package var simulatesAskToBuy = false
    var storefrontChecks: [Product.PurchaseOption.StorefrontCheck] = []

    package init(of product: StoreModel.Product, _ options: Set<Product.PurchaseOption> = []) {
        self.product = product
        for option in options {
            switch option.kind {
            case .quantity(let count): quantity = count
            case .appAccountToken(let token): appAccountToken = token
            case .offer(let asked): offer = asked
            case .introductoryEligibility(let text): introductoryEligibility = text
            case .billingPlan(let name): billingPlan = BillingPlanType(rawValue: name)
            case .simulatesAskToBuy(let isOn): simulatesAskToBuy = isOn
            case .custom, .purchaseDate: break
            case .storefrontChange(let check): storefrontChecks.append(check)
            }
        }
    }

    /// The payment, with the price that the app has shown.
    package func payment(at now: Timestamp) -> Payment {
        let plan = billingPlan ?? product.subscription?.usualBillingPlan
        let shown = product.subscription?.billingPlans.first { $0.type == plan }?.price
        return Payment(
            id: PaymentID.made(at: now.date), productID: product.id, quantity: quantity,
            shownPrice: shown ?? product.price, appAccountToken: appAccountToken,
            applicationUsernameHash: applicationUsernameHash, offer: offer,
            billingPlan: billingPlan, introductoryEligibility: introductoryEligibility,
            simulatesAskToBuy: simulatesAskToBuy ? true : nil)
    }
}

extension AppStoreSession {
    /// Sends the payment of a confirmed purchase, and throws the error of one that failed.
    func buy(_ purchase: AppPurchase) async throws(StoreError) -> Product.PurchaseResult {
        switch try await outcome(of: purchase) {
        case .purchased(let signed, let id, _):
            guard let transaction = await device.verified(signed) else {
                throw StoreError(.outcomeUnknown, transactionID: id)
            }
            return .success(transaction)
        case .pending: return .pending
        case .failed(var error):
            // As in the errors of other calls that a fault lets fail.
            error.subject = error.subject ?? Fault.Call.purchase.rawValue
            throw error
        }
    }

    /// Sends the payment of a confirmed purchase; `willSend` hears the id of each try before.
    func outcome(
        of purchase: AppPurchase, willSend: @Sendable (PaymentID) -> Void = { _ in }
    ) async throws(StoreError) -> PurchaseOutcome {
        do throws(StoreError) { return try await pay(purchase, willSend) } catch {
            guard error.code == .priceChanged else { throw error }
        }
        // Apple's sheet shows the store's price, whatever the app had loaded.
        var purchase = purchase
        let now = try await device.products([purchase.product.id]).value.products.first
        guard let now else { throw StoreError(.productUnavailable) }
        purchase.product = now
        return try await pay(purchase, willSend)
    }

    private func pay(
        _ purchase: AppPurchase, _ willSend: @Sendable (PaymentID) -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let payment = purchase.payment(at: now)
        willSend(payment.id)
        return try await feed.buy(payment)
    }
}
#endif
