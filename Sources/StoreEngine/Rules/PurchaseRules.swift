import Foundation
import StoreCatalog
import StoreModel

/// Whether a payment becomes a sale, a request for approval or a failure.
///
/// Order matters: a payment that is known already is answered before anything else is looked at;
/// mistakes of the request are refused without a trace; only then may a fault or an approval stand
/// in the way of the sale.
enum PurchaseRules {
    static func decide(
        _ payment: Payment, by customer: Request.Customer, in context: RuleContext
    ) -> Verdict {
        if let known = context.snapshot.payments[payment.id] {
            return repeated(payment, by: customer, known)
        }
        guard let product = context.catalog.product(payment.productID) else {
            return refuse(.productUnavailable, payment)
        }
        let settings = context.settings(of: customer.account, home: customer.homeTerritory)
        guard let price = Storefront.find(settings.territory).flatMap(product.price) else {
            return .refuse(
                StoreError(
                    .notAvailableInStorefront, productID: payment.productID,
                    paymentID: payment.id, found: settings.territory))
        }
        if let refusal = mistake(in: payment, of: product, price: price) { return refusal }
        if let owned = owned(product, by: customer, in: context) {
            return .answer(.payment(owned, alreadyOwned: true))
        }
        if let refusal = activeSubscription(product, by: customer, in: context) { return refusal }
        return .record(
            decision(
                payment, for: product, price: price, by: customer, settings: settings,
                in: context))
    }

    /// The same id again: what became of it by now, or the field that differs.
    private static func repeated(
        _ payment: Payment, by customer: Request.Customer, _ known: PaymentRow
    ) -> Verdict {
        let first = known.payment
        let differing: [(String, String, String, Bool)] = [
            (
                "account", customer.account.rawValue, known.account.rawValue,
                customer.account == known.account
            ),
            (
                "productId", payment.productID.rawValue, first.productID.rawValue,
                payment.productID == first.productID
            ),
            (
                "quantity", String(payment.quantity), String(first.quantity),
                payment.quantity == first.quantity
            ),
            (
                "price", describe(payment.shownPrice), describe(first.shownPrice),
                payment.shownPrice == first.shownPrice
            ),
            (
                "appAccountToken", payment.appAccountToken?.uuidString ?? "none",
                first.appAccountToken?.uuidString ?? "none",
                payment.appAccountToken == first.appAccountToken
            ),
        ]
        if let field = differing.first(where: { !$0.3 }) {
            return .refuse(
                StoreError(
                    .paymentMismatch, productID: first.productID, paymentID: payment.id,
                    subject: field.0, found: field.1, expected: field.2))
        }
        return .answer(.payment(known, alreadyOwned: false))
    }

    private static func describe(_ money: Money) -> String {
        "\(money.milliunits) milliunits \(money.currency)"
    }

    /// What no store could sell: a wrong quantity, a price nobody offers, content we do not host.
    private static func mistake(
        in payment: Payment, of product: CatalogProduct, price: Money
    ) -> Verdict? {
        guard Payment.quantities.contains(payment.quantity) else {
            return .refuse(
                StoreError(
                    .invalidQuantity, productID: payment.productID, paymentID: payment.id,
                    found: String(payment.quantity), expected: "1 to 10"))
        }
        let sellsMany = product.type == .consumable || product.type == .nonRenewing
        guard payment.quantity == 1 || sellsMany else {
            return .refuse(
                StoreError(
                    .invalidQuantity, productID: payment.productID, paymentID: payment.id,
                    found: String(payment.quantity), expected: "1"))
        }
        guard payment.shownPrice == price else {
            return .refuse(
                StoreError(
                    .priceChanged, productID: payment.productID, paymentID: payment.id,
                    subject: price.currency, found: String(price.milliunits),
                    expected: String(payment.shownPrice.milliunits)))
        }
        if case .ownServer = product.delivery {
            return .refuse(
                StoreError(
                    .unsupported, productID: payment.productID, paymentID: payment.id,
                    subject: "ownServer"))
        }
        return nil
    }

    /// A non-consumable has at most one sale per account: buying it again is free and gives that
    /// one (StoreKit: "You've already purchased this"). So has a free subscription, which never
    /// ends.
    private static func owned(
        _ product: CatalogProduct, by customer: Request.Customer, in context: RuleContext
    ) -> PaymentRow? {
        var found = context.freeSubscription(product, of: customer.account)
        if product.type == .nonConsumable {
            let key = LedgerQuery.Owned(account: customer.account, product: product.id)
            found = context.snapshot.owned[key]
        }
        return found.map { row in
            PaymentRow(
                account: row.account, device: row.device, payment: row.sale.payment,
                state: .sold(row))
        }
    }

    /// One subscription of a group at a time.
    private static func activeSubscription(
        _ product: CatalogProduct, by customer: Request.Customer, in context: RuleContext
    ) -> Verdict? {
        guard let latest = latestInGroup(product, of: customer.account, in: context),
            let until = latest.sale.expiresDate, until > context.now
        else { return nil }
        return .refuse(
            StoreError(
                .subscriptionActive, productID: product.id, transactionID: latest.id,
                subject: latest.sale.payment.productID.rawValue,
                found: String(until.milliseconds)))
    }

    private static func latestInGroup(
        _ product: CatalogProduct, of account: AccountName, in context: RuleContext
    ) -> TransactionRow? {
        guard let subscription = product.subscription else { return nil }
        let key = LedgerQuery.Subscribed(account: account, group: subscription.groupID)
        return context.snapshot.subscribed[key]
    }

    private static func decision(
        _ payment: Payment, for product: CatalogProduct, price: Money,
        by customer: Request.Customer, settings: AccountSettings, in context: RuleContext
    ) -> Decision {
        var entries: [Entry] = []
        if context.snapshot.accounts[customer.account] == nil {
            entries.append(entry(.accountChanged(settings), by: customer, in: context))
        }
        entries += outcome(
            payment, for: product, price: price, by: customer, settings: settings, in: context)
        return Decision(
            reads: context.reads(customer.account), newPayments: [payment.id], entries: entries)
    }

    private static func outcome(
        _ payment: Payment, for product: CatalogProduct, price: Money,
        by customer: Request.Customer, settings: AccountSettings, in context: RuleContext
    ) -> [Entry] {
        func failed(_ code: StoreError.Code) -> Entry {
            let error = StoreError(code, productID: payment.productID, paymentID: payment.id)
            return entry(.failed(payment, error), by: customer, in: context)
        }
        guard settings.canMakePayments else { return [failed(.purchaseNotAllowed)] }
        if var fault = context.snapshot.faults.first(where: { $0.call == .purchase }) {
            fault.remaining -= 1
            return [
                entry(.faultSpent(fault), by: customer, in: context, concernsAll: true),
                failed(fault.error),
            ]
        }
        if settings.askToBuy {
            return [entry(.deferred(payment), by: customer, in: context, number: .next)]
        }
        let sale = sale(
            of: product, for: payment, price: price, account: customer.account,
            territory: settings.territory, in: context)
        return [entry(.sold(sale), by: customer, in: context, number: .next)]
    }

    /// The sale a payment becomes at this instant; type, price, currency and grant are copied, so
    /// that a later catalog changes nothing that was sold.
    static func sale(
        of product: CatalogProduct, for payment: Payment, price: Money, account: AccountName,
        territory: String, in context: RuleContext
    ) -> Sale {
        let earlier = latestInGroup(product, of: account, in: context)
        return Sale(
            payment: payment, type: product.type, groupID: product.subscription?.groupID,
            original: earlier.map { row in
                Sale.Original(
                    id: row.originalID,
                    purchaseDate: row.sale.original?.purchaseDate ?? row.sale.purchaseDate)
            },
            purchaseDate: context.now,
            expiresDate: product.subscription?.period?.end(from: context.now),
            storefront: territory, price: price.multiplied(by: payment.quantity),
            grant: product.grant, isHosted: product.delivery.isHosted)
    }

    static func entry(
        _ fact: Entry.Fact, by customer: Request.Customer, in context: RuleContext,
        number: Entry.Number = .none, concernsAll: Bool = false
    ) -> Entry {
        Entry(
            account: concernsAll ? nil : customer.account, device: customer.device,
            effectiveAt: context.now, number: number, fact: fact)
    }

    private static func refuse(_ code: StoreError.Code, _ payment: Payment) -> Verdict {
        .refuse(StoreError(code, productID: payment.productID, paymentID: payment.id))
    }
}
