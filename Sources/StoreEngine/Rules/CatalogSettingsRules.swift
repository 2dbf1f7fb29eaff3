import StoreModel

/// Decides which settings a new catalog revision changes. Each value of the file takes effect once,
/// with the first revision that has it. An operator's later change stays until the file's value
/// changes.
enum CatalogSettingsRules {
    /// The entries, and the streams besides the store's from which they were decided.
    ///
    /// - Parameter before: the settings of the catalog in force; nil if the store has no catalog
    ///   yet.
    static func entries(
        for settings: CatalogSettings?, after before: CatalogSettings?, in context: RuleContext
    ) -> (entries: [Entry], reads: [StreamID]) {
        guard let settings else { return ([], []) }
        let changes = settings.changes(after: before)
        var entries: [Entry] = []
        var reads: [StreamID] = []
        let accounts =
            changes.isEmpty ? [] : context.snapshot.accounts.values.sorted { $0.name < $1.name }
        for account in accounts {
            let changed = changes.applied(to: account)
            guard changed != account else { continue }
            entries.append(context.entry(.accountChanged(changed), of: account.name))
            reads.append(.account(account.name))
        }
        return (entries + faults(for: settings, after: before, in: context), reads)
    }

    /// Those that the file switches on and off.
    private static func faults(
        for settings: CatalogSettings, after before: CatalogSettings?, in context: RuleContext
    ) -> [Entry] {
        guard settings.failures != nil, settings.failures != before?.failures else { return [] }
        var entries: [Entry] = []
        // An id greater than that of every fault so far: a fault's id is at most the stream's
        // version when it was set, and every entry here raises the version by one.
        var id = context.snapshot.version(.store)
        for call in Fault.Call.ofStoreKitTest {
            let error = settings.error(of: call)
            let previous = before?.error(of: call)
            guard error != previous else { continue }
            let ended = context.snapshot.faults.filter {
                $0.call == call && $0.error == previous && $0.remaining == nil
            }
            if !ended.isEmpty { entries.append(context.entry(.faultsCleared(ended))) }
            guard let error else { continue }
            id += 1
            let fault = Fault(id: id, call: call, error: error, remaining: nil)
            entries.append(context.entry(.faultSet(fault)))
        }
        return entries
    }
}
