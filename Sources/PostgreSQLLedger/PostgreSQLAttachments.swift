#if PostgreSQL
import Basics
import Foundation
import StoreModel

/// The private keys and the files of hosted packages, in tables beside the ledger.
struct PostgreSQLAttachments: StoreAttachments {
    let database: PostgreSQLDatabase

    private enum Kind {
        static let signing = "signing"
        static let offer = "offer"
    }

    // MARK: - Signing keys

    func signingKeys() async throws(StoreError) -> [String: String]? {
        let keys = try await database.read { try Self.signingKeys($0) }
        return keys.isEmpty ? nil : keys
    }

    /// Two processes insert in the same order: the second one waits for the first, inserts nothing,
    /// and reads what the first has committed.
    func signingKeys(
        orMake make: @Sendable () throws(StoreError) -> [String: String]
    ) async throws(StoreError) -> [String: String] {
        let made = try make().sorted { $0.key < $1.key }
        return try await database.writeBeside { transaction in
            for (name, body) in made {
                try transaction.execute(
                    """
                    INSERT INTO keys (kind, name, body) VALUES (?, ?, ?)
                    ON CONFLICT (kind, name) DO NOTHING
                    """, .text(Kind.signing), .text(name), .text(body))
            }
            return try Self.signingKeys(transaction)
        }
    }

    private static func signingKeys(
        _ transaction: any SQLTransaction
    ) throws -> [String: String] {
        let found = try transaction.fetchAll(
            "SELECT name, body FROM keys WHERE kind = ?", .text(Kind.signing)
        ) { ($0.text(0), $0.text(1)) }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - Keys of offers

    func read(_ id: String) async throws(StoreError) -> String? {
        try await database.read { transaction in
            try transaction.fetchOne(
                "SELECT body FROM keys WHERE kind = ? AND name = ?", .text(Kind.offer), .text(id)
            ) { $0.text(0) }
        }
    }

    func ids() async throws(StoreError) -> [String] {
        try await database.read { transaction in
            try transaction.fetchAll(
                "SELECT name FROM keys WHERE kind = ? ORDER BY written", .text(Kind.offer)
            ) { $0.text(0) }
        }
    }

    func write(_ text: String, as id: String) async throws(StoreError) {
        try await database.writeBeside { transaction in
            try transaction.execute(
                """
                INSERT INTO keys (kind, name, body) VALUES (?, ?, ?)
                ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, written = DEFAULT
                """, .text(Kind.offer), .text(id), .text(text))
        }
    }

    func path(of id: String) -> String { "\(database.address.place) (key \(id))" }

    // MARK: - Packages

    func chunk(_ number: Int, of sha256: String) async throws(StoreError) -> Data? {
        try await database.read { transaction in
            try transaction.fetchOne(
                "SELECT body FROM chunks WHERE file = ? AND number = ?",
                .text(sha256), .integer(Int64(number))
            ) { $0.data(0) }
        }
    }

    func keep(_ chunk: Data, _ number: Int, of sha256: String) async throws(StoreError) {
        try await database.writeBeside { transaction in
            try transaction.execute(
                """
                INSERT INTO chunks (file, number, body) VALUES (?, ?, ?)
                ON CONFLICT (file, number) DO UPDATE SET body = excluded.body, kept_at = now()
                """, .text(sha256), .integer(Int64(number)), .blob(chunk))
        }
    }

    func removeChunks(except files: Set<String>) async throws(StoreError) {
        try await database.writeBeside { transaction in
            let old = try transaction.fetchAll(
                "SELECT DISTINCT file FROM chunks WHERE kept_at < now() - interval '1 day'"
            ) { $0.text(0) }
            for file in old where !files.contains(file) {
                try transaction.execute(
                    """
                    DELETE FROM chunks WHERE file = ? AND kept_at < now() - interval '1 day'
                    """, .text(file))
            }
        }
    }
}
#endif
