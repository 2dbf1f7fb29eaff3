package import StoreCatalog
package import StoreModel

extension StoreEngine {
    /// The catalog in force as a StoreKit configuration for Xcode, with the present settings of
    /// this account and of the whole store.
    package func storeKitExport(for account: AccountName) async throws(StoreError)
        -> StoreKitExport
    {
        let (catalog, source) = try await catalogInForce()
        let found = try await ledger.snapshot(LedgerQuery())
        let failures = found.faults.filter { $0.remaining == nil && !$0.call.isDisturbed }.map {
            CatalogSettings.Failure(interface: $0.call, error: $0.error)
        }
        var state = StoreKitExport.State(
            account: try await settings(of: account), home: homeTerritory)
        state.renewals = found.renewals
        state.failures = failures
        var export = StoreKitExport.make(
            catalog, source: source.map { Array($0) }, state: state)
        let counted = found.faults.count - failures.count
        if counted > 0 {
            export.omissions.append(
                .omitted(
                    "settings",
                    "\(counted) failure\(counted == 1 ? "" : "s") of next calls, feed or server",
                    expected: "failures of every call, which is what a .storekit file can say"))
        }
        let halfWay = found.faults.count { $0.remaining == nil && $0.after != nil }
        if halfWay > 0 {
            export.omissions.append(
                .omitted(
                    "settings", "a restore that fails after some purchases",
                    expected: "a restore that fails at its beginning, as which it is written"))
        }
        return export
    }
}
