package import Foundation

/// Keeps in a database what a store has beside its ledger, so that another machine needs the database
/// alone: its private keys, and the files of hosted packages.
///
/// Calls throw the errors of a ledger's: `storeUnreachable`, `storeReadOnly`, `storeFull` and others.
package protocol StoreAttachments: KeyStorage, PackageChunks {}

/// Keeps the keys that sign promotional offers, by identifier.
package protocol OfferKeyStorage: Sendable {
    /// PEM; nil if there is none.
    func read(_ id: String) async throws(StoreError) -> String?
    /// The identifiers of all keys, in the order in which they were written.
    func ids() async throws(StoreError) -> [String]
    /// Replaces a key with the same identifier. Durable.
    func write(_ text: String, as id: String) async throws(StoreError)
    /// Of a key, for errors.
    func path(of id: String) -> String
}

extension OfferKeyStorage {
    /// The identifier of the key that was written last.
    package func latest() async throws(StoreError) -> String? { try await ids().last }
}

/// Keeps the keys and certificates that a store signs with, too.
package protocol KeyStorage: OfferKeyStorage {
    /// PEM texts by name; nil if there are none.
    func signingKeys() async throws(StoreError) -> [String: String]?
    /// Keeps what `make` returns unless there are some, all of it or nothing. If several processes
    /// call this at once, all get the same.
    func signingKeys(
        orMake make: @Sendable () throws(StoreError) -> [String: String]
    ) async throws(StoreError) -> [String: String]
}

/// Keeps files in chunks, each file by its SHA-256 (lower-case hexadecimal).
package protocol PackageChunks: Sendable {
    /// The chunk with a number, from 0; nil if there is none.
    func chunk(_ number: Int, of sha256: String) async throws(StoreError) -> Data?
    /// Keeps a chunk, in place of one with the same number. Durable.
    func keep(_ chunk: Data, _ number: Int, of sha256: String) async throws(StoreError)
    /// Removes the chunks of all files that are not named, but for those kept within the last day,
    /// which may belong to a release that is being recorded.
    func removeChunks(except files: Set<String>) async throws(StoreError)
}
