import StoreCatalog
import StoreModel

/// Whether an account may come to have a product: the one place that purchase and approval ask.
enum Eligibility {
    /// What stands in the way of another sale.
    enum Obstacle {
        /// A non-consumable has at most one sale per account (StoreKit: "You've already purchased
        /// this"). So has a free subscription, which never ends.
        case owned(TransactionRow)
        /// One subscription of a group at a time; this one is active until `until`, or for
        /// good where it is free.
        case subscribed(TransactionRow, until: Timestamp?)
    }

    static func obstacle(
        to product: CatalogProduct, for account: AccountName, in context: RuleContext
    ) -> Obstacle? {
        if product.type == .nonConsumable {
            let key = LedgerQuery.Owned(account: account, product: product.id)
            if let owned = context.snapshot.owned[key] { return .owned(owned) }
        }
        if let latest = latestInGroup(product, of: account, in: context),
            latest.isActive(at: context.now)
        {
            let isFree = product.isFreeSubscription && latest.sale.expiresDate == nil
            return isFree
                ? .owned(latest) : .subscribed(latest, until: latest.sale.expiresDate)
        }
        return nil
    }

    /// The latest sale of the product's subscription group, active or expired.
    static func latestInGroup(
        _ product: CatalogProduct, of account: AccountName, in context: RuleContext
    ) -> TransactionRow? {
        guard let subscription = product.subscription else { return nil }
        let key = LedgerQuery.Subscribed(account: account, group: subscription.groupID)
        return context.snapshot.subscribed[key]
    }

    /// The lookups `obstacle` rests on.
    static func addDependencies(
        on id: ProductID, of account: AccountName, to query: inout LedgerQuery,
        catalog: CatalogIndex
    ) {
        query.accounts.insert(account)
        guard let product = catalog.product(id) else { return }
        if product.type == .nonConsumable {
            query.owned.insert(.init(account: account, product: id))
        }
        if let group = product.subscription?.groupID {
            query.subscribed.insert(.init(account: account, group: group))
        }
    }

    /// What two sales of the same product or group collide on.
    static func collisions(
        on id: ProductID, of account: AccountName, in context: RuleContext
    ) -> [CollisionKey] {
        guard let product = context.catalog.product(id) else { return [] }
        if product.type == .nonConsumable { return [.product(account, product.id)] }
        return product.subscription.map { [.group(account, $0.groupID)] } ?? []
    }
}
