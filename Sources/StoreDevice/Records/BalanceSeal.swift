import Basics
import Crypto
import DurableFiles
import Foundation
import StoreModel

/// Each balance has a seal: an HMAC-SHA256 with a random key from the same database. The seal
/// reveals that a balance was edited by hand, without adding up all deliveries.
///
/// The seal is no protection against a person who reads the key from the file and computes an HMAC.
/// Purchases do not depend on it: each delivery keeps the text that the store signed.
///
/// Key and seals are rows of `meta`, the table of the feed cursor, which every delivery writes
/// anyway.
extension DeviceRecords {
    private static let keyName = "sealKey"

    /// A purse without a row and without a seal is genuine, with an amount of 0.
    func balance(_ unit: String) throws -> (amount: Int64, isGenuine: Bool) {
        let amount = try db.fetchOne("SELECT amount FROM balances WHERE unit = ?", .text(unit)) {
            $0.integer(0)
        }
        let seal = try value(Self.name(of: unit), as: Data.self)
        guard let amount else { return (0, seal == nil) }
        guard let seal else { return (amount, false) }
        let key = try sealKeyIfAny()
        return (amount, Self.isSeal(seal, of: Self.text(amount, unit), key: key))
    }

    /// Whether this program wrote every balance, and none was removed: each balance has a seal that
    /// fits, and there are no other seals.
    func areBalancesGenuine() throws -> Bool {
        let units = try balances().map(\.unit)
        let sealed = try db.fetchOne("SELECT count(*) FROM meta WHERE name GLOB 'seal:*'") {
            $0.integer(0)
        }
        guard sealed == Int64(units.count) else { return false }
        return try units.allSatisfy { try balance($0).isGenuine }
    }

    func sealBalance(of unit: String) throws {
        let amount = try balance(unit).amount
        try set(Self.name(of: unit), try seal(of: Self.text(amount, unit)))
    }

    /// The key stays.
    func removeSeals() throws { try db.execute("DELETE FROM meta WHERE name GLOB 'seal:*'") }

    /// An HMAC-SHA256 with the key of this database.
    func seal(of text: Data) throws -> Data {
        Data(
            HMAC<SHA256>.authenticationCode(
                for: text, using: SymmetricKey(data: try sealKey())))
    }

    /// False without a key.
    static func isSeal(_ seal: Data, of text: Data, key: Data?) -> Bool {
        guard let key else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(
            seal, authenticating: text, using: SymmetricKey(data: key))
    }

    /// Nil if somebody removed it.
    func sealKeyIfAny() throws -> Data? { try value(Self.keyName, as: Data.self) }

    /// Random; created if there is none.
    func sealKey() throws -> Data {
        if let key = try sealKeyIfAny() { return key }
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        try set(Self.keyName, key)
        return key
    }

    private static func name(of unit: String) -> String { "seal:" + unit }

    private static func text(_ amount: Int64, _ unit: String) -> Data {
        Data("\(amount) \(unit)".utf8)
    }
}
