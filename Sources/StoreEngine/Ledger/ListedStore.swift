package import StoreModel

/// A store as lists of stores show it.
package struct ListedStore: Hashable, Sendable {
    package var name: String
    /// Of its tables; nil, as the entries, where they may not be read.
    package var version: Int64?
    package var entries: Int64?
    /// When the first entry was recorded, in the store's time; nil without one.
    package var begunAt: Timestamp?
    /// Where it goes on; nil if it was not closed.
    package var goesOnAt: String?

    package init(
        name: String, version: Int64? = nil, entries: Int64? = nil, begunAt: Timestamp? = nil,
        goesOnAt: String? = nil
    ) {
        self.name = name
        self.version = version
        self.entries = entries
        self.begunAt = begunAt
        self.goesOnAt = goesOnAt
    }
}
