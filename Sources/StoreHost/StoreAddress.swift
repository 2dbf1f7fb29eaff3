package import StoreEngine
package import StoreModel

/// Where a store is kept.
package enum StoreAddress: Hashable, Sendable {
    case folder(String)
    case database(DatabaseAddress)

    /// As a person would give it.
    package var text: String {
        switch self {
        case .folder(let path): path
        case .database(let address): address.text
        }
    }
}

extension DatabaseAddress {
    /// Opens the store.
    ///
    /// - Parameters:
    ///   - databases: what this program has for it; nil if it opens stores in folders only.
    ///   - isMade: whether a store that is not there is made.
    /// - Returns: nil if it is not there.
    /// - Throws: `databaseUnsupported`; errors of opening it.
    package func open(
        by databases: (any StoreDatabases)?, isMade: Bool
    ) async throws(StoreError) -> StoreDatabase? {
        try await supported(by: databases).open(self, isMade: isMade)
    }

    /// - Parameter databases: what this program has for stores in databases; nil without any.
    /// - Throws: `databaseUnsupported` without any.
    package func supported(
        by databases: (any StoreDatabases)?
    ) throws(StoreError) -> any StoreDatabases {
        guard let databases else { throw StoreError(.databaseUnsupported, subject: text) }
        return databases
    }

    /// Opens the store, and makes it if it is not there. Throws as `open`.
    package func opened(
        by databases: (any StoreDatabases)?
    ) async throws(StoreError) -> StoreDatabase {
        guard let database = try await open(by: databases, isMade: true) else {
            throw StoreError(.storeReplaced, subject: text)
        }
        return database
    }
}
