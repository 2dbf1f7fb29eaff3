import StoreCatalog
import StoreModel

/// What a request has to look up, and what it would collide with inside one batch.
extension Request {
    /// The product a purchase is about.
    var payment: Payment? {
        if case .purchase(let payment, _) = self { payment } else { nil }
    }

    /// Adds this request's keys to a batch's lookup. Approvals need a second look: what they are
    /// about is known only once the request was read (`secondQuery`).
    func addNeeds(to query: inout LedgerQuery, catalog: CatalogIndex) {
        switch self {
        case .purchase(let payment, let customer):
            query.accounts.insert(customer.account)
            query.payments.insert(payment.id)
            Self.addProduct(payment.productID, of: customer.account, to: &query, catalog)
        case .finish(let id, let customer):
            query.accounts.insert(customer.account)
            query.finishing.insert(.init(account: customer.account, id: id))
        case .claim(let id, let customer):
            query.accounts.insert(customer.account)
            query.finishing.insert(.init(account: customer.account, id: id))
            query.transactions.insert(.init(account: customer.account, id: id))
        case .approve(let number), .decline(let number): query.pending.insert(number)
        case .changeAccount(let change): query.accounts.insert(change.account)
        case .reviseCatalog: query.wantsSoldProducts = true
        case .failNext, .clearFaults, .open: break
        }
    }

    /// What an answer to a waiting request depends on, now that it is known what waits.
    func addNeeds(of waiting: PendingRow, to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.accounts.insert(waiting.account)
        Self.addProduct(waiting.payment.productID, of: waiting.account, to: &query, catalog)
    }

    private static func addProduct(
        _ id: ProductID, of account: AccountName, to query: inout LedgerQuery,
        _ catalog: CatalogIndex
    ) {
        guard let product = catalog.product(id) else { return }
        if product.type == .nonConsumable {
            query.owned.insert(.init(account: account, product: id))
        }
        if let group = product.subscription?.groupID {
            query.subscribed.insert(.init(account: account, group: group))
        }
    }

    /// Two requests with a key in common are decided one after the other, never from the same
    /// snapshot. Everything else of a batch is independent, even on the same account.
    func collisions(in context: RuleContext) -> [CollisionKey] {
        switch self {
        case .purchase(let payment, let customer):
            var keys: [CollisionKey] = [.payment(payment.id)]
            if context.snapshot.accounts[customer.account] == nil {
                keys.append(.account(customer.account))
            }
            if !context.snapshot.faults.isEmpty { keys.append(.faults) }
            return keys + Self.collisions(of: payment, customer.account, context)
        case .finish(let id, _), .claim(let id, _): return [.transaction(id)]
        case .approve(let number), .decline(let number):
            guard let waiting = context.snapshot.pending[number] else {
                return [.transaction(number)]
            }
            return [.transaction(number)]
                + Self.collisions(of: waiting.payment, waiting.account, context)
        case .changeAccount(let change): return [.account(change.account), .everything]
        case .failNext, .clearFaults: return [.faults, .everything]
        case .reviseCatalog, .open: return [.everything]
        }
    }

    private static func collisions(
        of payment: Payment, _ account: AccountName, _ context: RuleContext
    ) -> [CollisionKey] {
        guard let product = context.catalog.product(payment.productID) else { return [] }
        if product.type == .nonConsumable { return [.product(account, product.id)] }
        return product.subscription.map { [.group(account, $0.groupID)] } ?? []
    }
}

enum CollisionKey: Hashable {
    case payment(PaymentID)
    case account(AccountName)
    case transaction(TransactionID)
    case product(AccountName, ProductID)
    case group(AccountName, SubscriptionGroupID)
    case faults
    /// Changes what every other decision rests on: alone in its batch.
    case everything
}
