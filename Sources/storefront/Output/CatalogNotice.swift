import Shop
import ShopText
import StoreCatalog
import StoreEngine
import StoreModel

/// Notes on a catalog file for the person who opens it: its settings in force, and its warnings.
enum CatalogNotice {
    /// The line that lists a file's settings; nil for a file without settings.
    static func settings(of catalog: Catalog) -> DocumentLineText? {
        let asked = Asked(catalog)
        return asked.isEmpty
            ? nil : .catalogSets(asked.settings, renewals: asked.renewals)
    }

    /// The settings of the catalog that a store was opened with, as they are in force for the
    /// command's account; then those settings of the file that the store no longer has, because an
    /// operator changed them after the file had first set them. Empty for a file without settings.
    ///
    /// - Parameter onlyOn: leaves out the switches that are off, for a customer's screen.
    static func settings(
        _ store: OpenStore, onlyOn: Bool = false
    ) async throws(StoreError) -> [DocumentLineText] {
        guard let catalog = store.catalog.catalog else { return [] }
        var inForce = Asked(catalog)
        guard !inForce.isEmpty else { return [] }
        let account = try await store.engine.storeOperator.settings(of: store.account)
        let console = store.engine.storeOperator
        let renewals = try await console.clock().renewals
        let faults = try await console.faults()
        var overruled = Asked()
        func compare<Value: Equatable>(_ member: WritableKeyPath<Asked, Value?>, _ now: Value) {
            guard let asked = inForce[keyPath: member], asked != now else { return }
            overruled[keyPath: member] = asked
            inForce[keyPath: member] = nil
        }
        compare(\.settings.askToBuy, account.askToBuy)
        compare(\.settings.interruptsPurchases, account.interruptsPurchases)
        compare(\.settings.disablesDialogs, account.disablesDialogs)
        compare(\.settings.territory, account.territory)
        compare(\.settings.locale, account.locale ?? "")
        compare(\.settings.entersBillingRetry, renewals.failsBilling)
        compare(\.settings.hasGracePeriod, renewals.hasGracePeriod)
        compare(\.renewals, renewals.rate)
        if let failures = inForce.settings.failures, !failures.isEmpty {
            let set = failures.filter { failure in
                faults.contains {
                    $0.call == failure.interface && $0.error == failure.error
                        && $0.remaining == nil
                }
            }
            let gone = failures.filter { !set.contains($0) }
            inForce.settings.failures = set.isEmpty ? nil : set
            overruled.settings.failures = gone.isEmpty ? nil : gone
        }
        if onlyOn {
            inForce.dropSwitchesOff()
            overruled.dropSwitchesOff()
        }
        return [
            inForce.isEmpty
                ? nil : .catalogSets(inForce.settings, renewals: inForce.renewals),
            overruled.isEmpty
                ? nil
                : .catalogSettingsOverruled(overruled.settings, renewals: overruled.renewals),
        ].compactMap(\.self)
    }

    /// The notes that a screen shows on the catalog that its store adopted when it was opened; nil
    /// for no notes, or if the store had the catalog before.
    static func opened(_ store: OpenStore) async throws(StoreError) -> ShopAction? {
        guard store.engine.adoptedCatalog else { return nil }
        return action(
            about: store.catalog, settings: try await settings(store, onlyOn: true))
    }

    /// The notes on a catalog that the store adopted while the shop was open.
    static func revised(_ reading: CatalogReading) -> ShopAction? {
        action(about: reading, settings: [])
    }

    private static func action(
        about reading: CatalogReading, settings: [DocumentLineText]
    ) -> ShopAction? {
        let strings = Output.strings
        let settings = settings.map { strings[$0] }
        var warnings = reading.warnings.prefix(warningsMax).map { ProblemText.line($0) }
        let rest = reading.warnings.count - warnings.count
        if rest > 0 {
            warnings.append(strings[DocumentLineText.moreWarnings(rest, path: fileName(reading))])
        }
        guard !settings.isEmpty || !warnings.isEmpty else { return nil }
        let count =
            warnings.isEmpty
            ? [] : [strings[DocumentLineText.catalogWarnings(reading.warnings.count)]]
        return .catalogOpened(
            notice: (count + settings).joined(separator: strings.language.sentenceGap),
            remarks: warnings + settings)
    }

    private static let warningsMax = 50

    /// The name of the catalog's file: its whole path would leave a line no room for anything else.
    private static func fileName(_ reading: CatalogReading) -> String {
        reading.path.split(separator: "/").last.map(String.init) ?? reading.path
    }

    /// The settings of a file that differ from the store's defaults.
    private struct Asked {
        var settings = CatalogSettings.none
        var renewals: RenewalRate?

        var isEmpty: Bool { settings == .none && renewals == nil }

        init() {}

        mutating func dropSwitchesOff() {
            for member in Self.switches where settings[keyPath: member] == false {
                settings[keyPath: member] = nil
            }
            if settings.failures?.isEmpty == true { settings.failures = nil }
        }

        private static var switches: [WritableKeyPath<CatalogSettings, Bool?>] {
            [
                \.askToBuy, \.interruptsPurchases, \.disablesDialogs, \.entersBillingRetry,
                \.hasGracePeriod,
            ]
        }

        init(_ catalog: Catalog) {
            settings = catalog.settings ?? .none
            renewals = catalog.renewalRate
        }
    }
}
