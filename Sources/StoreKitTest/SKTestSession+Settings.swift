#if os(Linux)
public import Foundation
import StoreKit
import StoreModel
import Synchronization

extension SKTestSession {
    private var settings: AccountSettings {
        let now = try? Self.waiting { [store, account] in
            try await store.console.settings(of: account)
        }
        return now ?? standard.account
    }

    var renewals: RenewalSettings {
        let now = try? Self.waiting { [store] in try await store.console.clock().renewals }
        return now ?? standard.renewals
    }

    private func change(_ setting: AccountSwitch, _ isOn: Bool) {
        set(.changeAccount(AccountChange(of: account, setting, isOn)))
    }

    /// Whether purchases need no confirmation. A test's need none anyway, unless
    /// `StoreKitHost.confirmation` says otherwise.
    public var disableDialogs: Bool {
        get { settings.disablesDialogs }
        set { change(.disablesDialogs, newValue) }
    }

    /// Whether purchases wait to be approved.
    public var askToBuyEnabled: Bool {
        get { settings.askToBuy }
        set { change(.askToBuy, newValue) }
    }

    /// Whether purchases are interrupted until `resolveIssueForTransaction`.
    public var interruptedPurchasesEnabled: Bool {
        get { settings.interruptsPurchases }
        set { change(.interruptsPurchases, newValue) }
    }

    /// The account's territory: ISO 3166-1 alpha-3. Another text changes nothing.
    public var storefront: String {
        get { settings.territory }
        set { set(.changeAccount(AccountChange(account: account, territory: newValue))) }
    }

    /// Of names, descriptions and prices.
    public var locale: Locale {
        get { Locale(identifier: settings.locale ?? AppStoreSession.Choice.usualLocale) }
        set {
            set(.changeAccount(AccountChange(account: account, locale: newValue.identifier)))
        }
    }

    /// How quickly subscriptions renew.
    public var timeRate: TimeRate {
        get { TimeRate(renewals.rate) }
        set { set(.setRenewals(RenewalsChange(rate: newValue.inStore))) }
    }

    /// Whether renewals are not paid.
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { renewals.failsBilling }
        set { set(.setRenewals(RenewalsChange(failsBilling: newValue))) }
    }

    /// Whether access continues for a while after a renewal that was not paid.
    public var billingGracePeriodIsEnabled: Bool {
        get { renewals.hasGracePeriod }
        set { set(.setRenewals(RenewalsChange(hasGracePeriod: newValue))) }
    }

    /// Returns to the settings of the configuration, without failures. Transactions stay, and the
    /// clock is never set back.
    public func resetToDefaultState() {
        failures.withLock { $0 = Failures() }
        _ = try? Self.waiting { [store, standard] in
            store.simulate([:])
            let usual = standard.account
            var change = AccountChange(
                account: usual.name, territory: usual.territory, locale: usual.locale ?? "")
            for setting in AccountSwitch.allCases { change[setting] = usual[setting] }
            try await store.perform(.changeAccount(change))
            let renewals = standard.renewals
            try await store.perform(
                .setRenewals(
                    RenewalsChange(
                        rate: renewals.rate, limit: renewals.limitAsSet,
                        failsBilling: renewals.failsBilling,
                        hasGracePeriod: renewals.hasGracePeriod)))
            try await store.perform(.clearFaults)
            for fault in standard.faults {
                try await store.perform(
                    .failNext(
                        fault.call, error: fault.error, count: fault.remaining,
                        after: fault.after, delayMilliseconds: fault.delayMilliseconds))
            }
        }
    }
}

extension RenewalSettings {
    /// The change that sets this limit.
    var limitAsSet: RenewalsChange.Limit {
        isEndless ? .endless : limit.map { .count($0) } ?? .none
    }
}
#endif
