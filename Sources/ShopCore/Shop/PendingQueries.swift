/// The queries that are under way. Each kind runs once at a time.
struct PendingQueries: Hashable, Sendable {
    private var running: Set<ShopEffect> = []
    /// Queries that were asked for while the same one was under way: they run again after it.
    private var wanted: Set<ShopEffect> = []

    init() {}

    /// The query to start now. None if the same one is under way: it then runs once more
    /// afterwards, because it may have read before the latest change.
    mutating func ask(_ effect: ShopEffect) -> [ShopEffect] {
        if running.contains(effect) {
            wanted.insert(effect)
            return []
        }
        running.insert(effect)
        return [effect]
    }

    func isUnderWay(_ effect: ShopEffect) -> Bool { running.contains(effect) }

    /// A query has ended.
    ///
    /// - Returns: the same query, if it was asked for meanwhile.
    mutating func ended(_ effect: ShopEffect) -> [ShopEffect] {
        running.remove(effect)
        return wanted.remove(effect) == nil ? [] : ask(effect)
    }
}
