/// The queries under way. Of equal queries, at most one runs at a time.
struct PendingQueries: Hashable, Sendable {
    private var running: Set<ShopEffect> = []
    /// Queries that were requested while an equal one was running: they run again after it.
    private var wanted: Set<ShopEffect> = []

    init() {}

    /// Empty if an equal one is running, which is then repeated: it may have read too early.
    mutating func ask(_ effect: ShopEffect) -> [ShopEffect] {
        if running.contains(effect) {
            wanted.insert(effect)
            return []
        }
        running.insert(effect)
        return [effect]
    }

    func isUnderWay(_ effect: ShopEffect) -> Bool { running.contains(effect) }

    /// Returns the same query, if it was requested while it ran.
    mutating func ended(_ effect: ShopEffect) -> [ShopEffect] {
        running.remove(effect)
        return wanted.remove(effect) == nil ? [] : ask(effect)
    }
}
