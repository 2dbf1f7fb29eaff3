/// The settings of a store that a catalog file contains besides its products (Xcode: `settings` of
/// a configuration). A member that the file leaves out is nil.
///
/// A store applies a value once, with the catalog revision that first has it: to every account that
/// it knows then, and to every account that it gets to know while that revision or a later one with
/// the same value is in force. An operator's later change stays until the file's value changes.
package struct CatalogSettings: Codable, Hashable, Sendable {
    /// A call of the store that fails every time, until a catalog revision no longer lists it.
    package struct Failure: Codable, Hashable, Sendable {
        package var interface: Fault.Call
        package var error: StoreError.Code

        package init(interface: Fault.Call, error: StoreError.Code) {
            self.interface = interface
            self.error = error
        }
    }

    /// Whether purchases wait for the family organizer (Xcode: `_askToBuyEnabled`).
    package var askToBuy: Bool?
    /// The territory of every account, ISO 3166-1 alpha-3 (Xcode: `_storefront`).
    package var territory: String?
    /// The locale of names, descriptions and prices for a customer whose device asks for none
    /// (Xcode: `_locale`).
    package var locale: String?
    /// The interfaces that fail, each at most once (Xcode: `_storeKitErrors`,
    /// `_failTransactionsEnabled`); empty where the file switches all failures off.
    package var failures: [Failure]?
    /// Whether every purchase is interrupted (Xcode: `_billingIssuesEnabled`).
    package var interruptsPurchases: Bool?
    /// Whether the shop pays without its payment sheet (Xcode: `_disableDialogs`).
    package var disablesDialogs: Bool?
    /// Whether renewals run into billing retry (Xcode: `_renewalBillingIssuesEnabled`).
    package var entersBillingRetry: Bool?
    /// Whether a subscription in billing retry has a grace period (Xcode:
    /// `_billingGracePeriodEnabled`).
    package var hasGracePeriod: Bool?

    /// Of a file that has none.
    package static let none = CatalogSettings()

    package func error(of interface: Fault.Call) -> StoreError.Code? {
        failures?.first { $0.interface == interface }?.error
    }

    /// A member that is nil, or is as in `before`, changes nothing.
    package func changes(after before: CatalogSettings?) -> AccountChanges {
        AccountChanges(
            askToBuy: askToBuy == before?.askToBuy ? nil : askToBuy,
            interruptsPurchases: interruptsPurchases == before?.interruptsPurchases
                ? nil : interruptsPurchases,
            disablesDialogs: disablesDialogs == before?.disablesDialogs ? nil : disablesDialogs,
            territory: territory == before?.territory ? nil : territory,
            locale: locale == before?.locale ? nil : locale)
    }

    /// A change to the settings of every account.
    package struct AccountChanges: Hashable, Sendable {
        var askToBuy: Bool?
        var interruptsPurchases: Bool?
        var disablesDialogs: Bool?
        var territory: String?
        var locale: String?

        package var isEmpty: Bool { self == AccountChanges() }

        package func applied(to settings: AccountSettings) -> AccountSettings {
            var settings = settings
            settings.askToBuy = askToBuy ?? settings.askToBuy
            settings.interruptsPurchases =
                interruptsPurchases ?? settings.interruptsPurchases
            settings.disablesDialogs = disablesDialogs ?? settings.disablesDialogs
            settings.territory = territory ?? settings.territory
            settings.locale = locale ?? settings.locale
            return settings
        }
    }
}

extension AccountSettings {
    /// - Parameters:
    ///   - home: the account's territory if the catalog names none, ISO 3166-1 alpha-3.
    ///   - catalog: the settings of the catalog in force.
    package init(new name: AccountName, home: String, catalog: CatalogSettings?) {
        let usual = AccountSettings(name: name, territory: home)
        self = catalog?.changes(after: nil).applied(to: usual) ?? usual
    }
}
