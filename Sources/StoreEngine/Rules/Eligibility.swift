import StoreCatalog
import StoreModel

/// Whether an account may buy a product. A purchase and an approval both use this rule.
enum Eligibility {
    /// Why a product cannot be sold to an account again.
    enum Obstacle {
        /// The account owns the product. A non-consumable has at most one sale per account that is
        /// not revoked (StoreKit: "You've already purchased this"). So has a free subscription,
        /// which never ends.
        case owned(TransactionRow)
        /// A subscription of the product's group is active until `until`, or without end (nil) if
        /// it is free. An account has one subscription of a group at a time.
        case subscribed(TransactionRow, until: Timestamp?)

        var isOwned: Bool { if case .owned = self { true } else { false } }

        /// The last period; nil for another obstacle.
        var active: TransactionRow? {
            if case .subscribed(let row, _) = self { row } else { nil }
        }
    }

    /// Nil if the product can be sold to the account now.
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
            let isFree = product.isFreeSubscription && latest.expiresDate == nil
            return isFree
                ? .owned(latest) : .subscribed(latest, until: latest.expiresDate)
        }
        return nil
    }

    /// Active or expired; nil if there is none.
    static func latestInGroup(
        _ product: CatalogProduct, of account: AccountName, in context: RuleContext
    ) -> TransactionRow? {
        guard let subscription = product.subscription else { return nil }
        let key = LedgerQuery.Subscribed(account: account, group: subscription.groupID)
        return context.snapshot.subscribed[key]
    }

    /// Those of a change of plan are known only when the group's last sale is found.
    static func addKeys(on id: ProductID, of account: AccountName, to lookup: inout Lookup) {
        lookup.query.accounts.insert(account)
        guard let product = lookup.catalog.product(id) else { return }
        if product.type == .nonConsumable {
            lookup.query.owned.insert(.init(account: account, product: id))
        }
        guard let group = product.subscription?.groupID else { return }
        addKeys(inGroup: group, of: account, to: &lookup)
    }

    static func addKeys(
        inGroup group: SubscriptionGroupID, of account: AccountName, to lookup: inout Lookup
    ) {
        let key = LedgerQuery.Subscribed(account: account, group: group)
        lookup.query.subscribed.insert(key)
        guard let latest = lookup.found.subscribed[key], latest.sale.term != nil else { return }
        let chain = LedgerQuery.Sold(account: account, id: latest.originalID)
        lookup.query.subscriptions.insert(chain)
        if let previous = lookup.found.subscriptions[chain.id]?.previous {
            lookup.query.sales.insert(previous)
        }
    }

    /// Two purchases of one product, or in one group, collide.
    static func collisions(
        on id: ProductID, of account: AccountName, in context: RuleContext
    ) -> [CollisionKey] {
        guard let product = context.catalog.product(id) else { return [] }
        if product.type == .nonConsumable { return [.product(account, product.id)] }
        return product.subscription.map { [.group(account, $0.groupID)] } ?? []
    }
}
