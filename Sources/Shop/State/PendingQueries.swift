/// The queries under way. Of equal queries, at most one runs at a time.
struct PendingQueries: Hashable, Sendable {
    private var running: Set<ShopEffect> = []
    /// Queries that were requested while an equal one was running: they run again after it.
    private var wanted: Set<ShopEffect> = []

    init() {}

    /// The query to start now; empty if an equal one is running. That one is then repeated when it
    /// ends, because it may have read before the latest change.
    mutating func ask(_ effect: ShopEffect) -> [ShopEffect] {
        if running.contains(effect) {
            wanted.insert(effect)
            return []
        }
        running.insert(effect)
        return [effect]
    }

    func isUnderWay(_ effect: ShopEffect) -> Bool { running.contains(effect) }

    /// Notes that a query has ended.
    ///
    /// - Returns: the same query, if it was requested while it ran.
    mutating func ended(_ effect: ShopEffect) -> [ShopEffect] {
        running.remove(effect)
        return wanted.remove(effect) == nil ? [] : ask(effect)
    }
}
