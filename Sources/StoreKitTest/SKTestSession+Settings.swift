#if os(Linux)
public import Foundation
import StoreKit
import StoreModel
import Synchronization

extension SKTestSession {
    private var settings: AccountSettings {
        (try? Self.waiting { [store, account] in try await store.console.settings(of: account) })
            ?? standard.account
    }

    var renewals: RenewalSettings {
        (try? Self.waiting { [store] in try await store.console.clock().renewals })
            ?? standard.renewals
    }

    private func change(_ setting: AccountSwitch, _ isOn: Bool) {
        set(.changeAccount(AccountChange(of: account, setting, isOn)))
    }

    /// Whether purchases need no confirmation, as a test's anyway (`StoreKitHost.confirmation`).
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

    /// Returns to the settings of the configuration, without failures. Transactions and time stay.
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
    var limitAsSet: RenewalsChange.Limit {
        isEndless ? .endless : limit.map { .count($0) } ?? .none
    }
}

extension SKTestSession {
    /// How quickly the periods of subscriptions pass. The numbers are Apple's.
    @nonexhaustive public enum TimeRate: Int, Sendable {
        /// As in a calendar.
        case realTime = 0
        /// An hour for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryHour")
        case oneHourIsOneDay = 1
        /// Half an hour for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryHour")
        case thirtyMinutesIsOneDay = 2
        /// Five minutes for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryHour")
        case fiveMinutesIsOneDay = 3
        /// A minute for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryThirtyMinutes")
        case oneMinuteIsOneDay = 4
        /// Half a minute for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryFifteenMinutes")
        case thirtySecondsIsOneDay = 5
        /// A second for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryThirtySeconds")
        case oneSecondIsOneDay = 6
        /// A month in an hour, other periods in proportion.
        case monthlyRenewalEveryHour = 10
        /// A month in half an hour, other periods in proportion.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month in a quarter of an hour, other periods in proportion.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month in five minutes, other periods in proportion.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month in half a minute, other periods in proportion.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period in a quarter of an hour.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Every period in five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Every period in a minute.
        case oneRenewalEveryMinute = 1002
        /// Every period in half a minute.
        case oneRenewalEveryThirtySeconds = 1003
        /// Every period in ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Every period in two seconds.
        case oneRenewalEveryTwoSeconds = 1005

        /// The numbers are the same.
        init(_ rate: RenewalRate) { self = Self(rawValue: rate.rawValue) ?? .realTime }

        var inStore: RenewalRate { RenewalRate(rawValue: rawValue) ?? .realTime }
    }
}
#endif
