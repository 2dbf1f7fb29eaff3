import DurableFiles
import Foundation
import SQLiteLedger
import StoreEngine
import StoreModel
import StoreSigning

/// The parts of a store that are opened before its engine.
struct StoreParts: Sendable {
    /// See `StoreHost.folder`.
    var folder: String
    var ledger: any Ledger
    var keys: StoreKeys
    var offerKeys: OfferKeys
    /// Nil for a store in a folder.
    var database: StoreDatabase?
    /// The ledger whose file is watched.
    var watching: SQLiteLedger?
    /// Whether the store outlives this process.
    var isDurable = true
    /// Nil if the store can be written.
    var whyReadOnly: StoreError?

    /// Throws as `StoreHost.open`.
    static func open(
        _ storage: StoreConfiguration.Storage,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void
    ) async throws(StoreError) -> StoreParts {
        switch storage {
        case .ephemeral(let path, let firstTransactionNumber):
            try PrivateFolder.make(path)
            let ledger = try SQLiteLedger(
                path: path + "/store.sqlite", isDurable: false,
                firstTransactionNumber: firstTransactionNumber)
            return StoreParts(
                folder: path, ledger: ledger, keys: try keysOfProcess.get(),
                offerKeys: OfferKeys(), isDurable: false)
        case .folder(let path): return try open(folder: path, onDelay)
        case .database(let database, let devices):
            return try await open(database, devices: devices)
        }
    }

    private static func open(
        folder path: String, _ onDelay: @escaping @Sendable (OpeningDelay) -> Void
    ) throws(StoreError) -> StoreParts {
        try StoreHost.refuseOtherFolder(path)
        // A store that cannot be written can still be read.
        let whyReadOnly = try PrivateFolder.makeOrRead(path)
        try StoreHost.refuseUnsafe(path)
        // The ledger comes first: a store that it refuses gets no keys.
        let ledger = try SQLiteLedger(path: path + "/store.sqlite", onDelay: onDelay)
        return StoreParts(
            folder: path, ledger: ledger,
            keys: try StoreKeys.open(folder: URL(filePath: path + "/keys")),
            offerKeys: OfferKeys(folder: URL(filePath: path + "/keys/offers")), watching: ledger,
            whyReadOnly: whyReadOnly)
    }

    private static func open(
        _ database: StoreDatabase, devices path: String
    ) async throws(StoreError) -> StoreParts {
        try PrivateFolder.make(path)
        try StoreHost.refuseUnsafe(path)
        let keys =
            if let absence = database.absence {
                StoreKeys.away(
                    rootCertificate: absence.known.rootCertificate, throwing: absence.error)
            } else {
                try await StoreKeys.open(in: database.attachments)
            }
        return StoreParts(
            folder: path, ledger: database.ledger, keys: keys,
            offerKeys: OfferKeys(in: database.attachments), database: database,
            whyReadOnly: database.server.isStandby
                ? StoreError(.storeReadOnly, subject: database.address.text) : nil)
    }

    /// Of all ephemeral stores of this process: making a chain takes longer than opening a store.
    private static let keysOfProcess = Result { () throws(StoreError) in
        try StoreKeys.generate()
    }
}
