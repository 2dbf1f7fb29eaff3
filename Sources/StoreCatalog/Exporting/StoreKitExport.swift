import Basics
package import StoreModel

/// A StoreKit configuration for Xcode, with the parts of the catalog that it cannot hold.
package struct StoreKitExport: Sendable {
    /// The store's present state, as far as a configuration has settings for it.
    package struct State: Hashable, Sendable {
        /// Nil if neither the catalog nor the operator has set it.
        package var renewals: RenewalSettings?
        package var account: AccountSettings
        /// The territory of an account that has not chosen one, ISO 3166-1 alpha-3.
        package var home: String
        /// In the order in which the failures were set. Of several for a call the first one
        /// applies.
        package var failures: [CatalogSettings.Failure] = []
    }

    /// JSON in UTF-8.
    package var bytes: [UInt8]
    package var productCount: Int
    /// The members that the export left out, or that mean something else in Xcode, with paths.
    package var omissions: [CatalogProblem]

    /// The configuration of a store.
    ///
    /// For a catalog that was read from a configuration this is that file, with only the settings
    /// changed that the store has changed since, so that offers and unknown keys stay as they were.
    /// Private keys were never kept. Any other catalog is written from scratch.
    ///
    /// - Parameters:
    ///   - source: the text of the file in force without private keys; nil if it was not kept.
    package static func make(
        _ catalog: Catalog, source: [UInt8]?, state: State
    ) -> StoreKitExport {
        if let source, let document = try? JSONParser.parse(source),
            document.root.kind == .object, document.root.member("format") == nil,
            document.root.member("app") == nil
        {
            return changing(document, of: catalog, to: state)
        }
        return StoreKitFileWriter(catalog: catalog, state: state).export()
    }

    private static func changing(
        _ document: JSONDocument, of catalog: Catalog, to state: State
    ) -> StoreKitExport {
        let settings = catalog.settings
        let asNew = AccountSettings(
            new: state.account.name, home: state.home, catalog: settings)
        var changes: [(key: StoreKitKeys.Settings, value: AnyJSON)] = []
        if let renewals = state.renewals {
            if renewals.rate != catalog.renewalRate ?? .realTime {
                changes.append((.timeRate, .integer(Int64(renewals.rate.rawValue))))
            }
            if renewals.failsBilling != settings?.entersBillingRetry ?? false {
                changes.append((.renewalBillingIssuesEnabled, .flag(renewals.failsBilling)))
            }
            if renewals.hasGracePeriod != settings?.hasGracePeriod ?? false {
                changes.append((.billingGracePeriodEnabled, .flag(renewals.hasGracePeriod)))
            }
        }
        if state.account.askToBuy != asNew.askToBuy {
            changes.append((.askToBuyEnabled, .flag(state.account.askToBuy)))
        }
        if state.account.interruptsPurchases != asNew.interruptsPurchases {
            // Xcode's files have the first key. If a file has the second one, the reader takes that
            // one.
            let other = StoreKitKeys.Settings.interruptedPurchasesEnabled
            let hasOther = document.root.member("settings")?.member(other.rawValue) != nil
            changes.append(
                (
                    hasOther ? other : .billingIssuesEnabled,
                    .flag(state.account.interruptsPurchases)
                ))
        }
        if state.account.disablesDialogs != asNew.disablesDialogs {
            changes.append((.disableDialogs, .flag(state.account.disablesDialogs)))
        }
        // A file cannot state that it has no locale: without the key the locale is en_US.
        if let locale = state.account.locale, locale != asNew.locale {
            changes.append((.locale, .text(locale)))
        }
        if state.account.territory != asNew.territory {
            changes.append((.storefront, .text(state.account.territory)))
        }
        if Set(state.failuresInForce) != Set(settings?.failures ?? []) {
            changes.append((.storeKitErrors, StoreKitFileWriter.failures(state.failures)))
            if settings?.failures?.isEmpty == false, state.failures.isEmpty {
                changes.append((.failTransactionsEnabled, .flag(false)))
            }
        }
        var omissions =
            catalog.publicationOmissions + catalog.releaseOmissions + state.omissions
        if catalog.hadPrivateKey == true {
            omissions.append(
                .omitted(
                    StoreKitKeys.Root.subscriptionOffersKeyPair.rawValue,
                    "a private key in the catalog's file",
                    expected: "none: no store lets it out; Xcode makes a new one for promotional "
                        + "offers"))
        }
        return StoreKitExport(
            bytes: setting(changes, in: document), productCount: catalog.products.count,
            omissions: omissions)
    }

    /// Makes one change at a time, because `JSONEditor.set` inserts at most one new key at a place.
    private static func setting(
        _ changes: [(key: StoreKitKeys.Settings, value: AnyJSON)], in document: JSONDocument
    ) -> [UInt8] {
        var bytes = document.bytes
        for change in changes {
            guard let document = try? JSONParser.parse(bytes) else { break }
            var editor = JSONEditor(document)
            let (key, text) = (change.key.rawValue, change.value.written(level: 2))
            if let settings = document.root.member("settings"), settings.kind == .object {
                editor.set(key, to: text, in: settings)
            } else {
                editor.set("settings", to: "{ \"\(key)\" : \(text) }", in: document.root)
            }
            bytes = editor.bytes
        }
        return bytes
    }
}

extension StoreKitExport.State {
    package init(account: AccountSettings, home: String) {
        self.account = account
        self.home = home
    }

    /// The first failure of each call.
    var failuresInForce: [CatalogSettings.Failure] {
        Fault.Call.ofStoreKitTest.compactMap { interface in
            failures.first { $0.interface == interface }
        }
    }

    /// Failures that another failure of their call precedes, and errors that Xcode does not have.
    private var failureOmissions: [CatalogProblem] {
        var met: Set<Fault.Call> = []
        return failures.compactMap { failure in
            let words = "\(failure.interface.rawValue) fails with \(failure.error.rawValue)"
            guard met.insert(failure.interface).inserted else {
                return .omitted(
                    "settings", words + ", set second",
                    expected: "one failure of each call; the first one is written")
            }
            guard StoreKitFileWriter.number(of: failure.error) == nil else { return nil }
            return .omitted(
                "settings", words,
                expected: "an error that Xcode has: there the calls fail with an unknown error, "
                    + "and here, read again, with this one")
        }
    }

    /// Settings of the store and the account that a configuration has no place for.
    var omissions: [CatalogProblem] {
        let settings = [
            ("a limit of renewals", renewals.map { $0.limit != nil || $0.isEndless } == true),
            ("a limit of renewals in a day", renewals?.limitPerDay != nil),
            ("a bank that asks the customer", account.asksBank),
            ("payments switched off", !account.canMakePayments),
        ]
        let untold = settings.filter(\.1).map { words, _ in
            CatalogProblem.omitted(
                "settings", words, expected: "nothing: a .storekit file has no place for it")
        }
        return untold + failureOmissions
    }
}
