import ShopText
import StoreCatalog
import StoreModel

/// The settings of a catalog file that take effect in the store, for a person who opens it.
enum CatalogSettingsNotice {
    /// Nil for a file that sets nothing.
    static func text(of catalog: Catalog) -> CommandText? {
        let settings = catalog.settings
        let applied = CatalogSettings(
            askToBuy: settings?.askToBuy, territory: settings?.territory, locale: settings?.locale,
            failures: settings?.failures, interruptsPurchases: settings?.interruptsPurchases,
            disablesDialogs: settings?.disablesDialogs,
            entersBillingRetry: settings?.entersBillingRetry,
            hasGracePeriod: settings?.hasGracePeriod)
        guard applied != CatalogSettings() || catalog.renewalRate != nil else { return nil }
        return .catalogSets(applied, renewals: catalog.renewalRate)
    }
}
