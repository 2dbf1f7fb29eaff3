/// Lines about whole stores: made, listed, removed and copied.
package enum WholeStoreText: Hashable, Sendable {
    case created(store: String), isThere(store: String), absent(store: String)
    /// Nil for what may not be read, for a store without entries, and for one that is not closed.
    case listed(store: String, entries: Int64?, begun: String?, goesOnAt: String?)
    /// With the devices that bought from the store, or without them, as they are on other machines.
    case dropTells(store: String, withDevices: Bool)
    case dropPrompt(name: String), dropped(store: String)
    case moved(from: String, to: String, Int64), copied(from: String, to: String, Int64)
    case copying(done: Int64, of: Int64)
}
