import StoreCatalog
import StoreModel

extension RuleContext {
    /// The account's sale of a free subscription, which never ends; nil where it has none, or where
    /// the product is no free subscription. One that an older catalog sold with an end is over at
    /// that end, and not found here.
    func freeSubscription(_ product: CatalogProduct, of account: AccountName) -> TransactionRow? {
        guard product.isFreeSubscription, let group = product.subscription?.groupID,
            let latest = snapshot.subscribed[
                LedgerQuery.Subscribed(account: account, group: group)],
            latest.sale.expiresDate == nil
        else { return nil }
        return latest
    }
}
