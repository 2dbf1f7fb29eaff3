import Crypto
import DurableFiles
import Foundation
import StoreModel

/// Balances carry a seal, so that one that was edited by hand is noticed without adding up every
/// delivery ever made: an HMAC under a key of this device's records. It keeps nobody out who can read
/// these files and program; what it unlocks was signed by the store all the same.
///
/// Seals lie beside the cursor in `meta`, which every delivery writes anyway.
extension DeviceRecords {
    private static let keyName = "sealKey"

    /// What a purse holds, and whether it was altered since this program wrote it. One that does not
    /// exist is genuine.
    func balance(_ unit: String) throws -> (amount: Int64, isGenuine: Bool) {
        let amount = try db.fetchOne("SELECT amount FROM balances WHERE unit = ?", .text(unit)) {
            $0.integer(0)
        }
        let seal = try value(Self.name(of: unit), as: Data.self)
        guard let amount else { return (0, seal == nil) }
        guard let seal, let key = try value(Self.keyName, as: Data.self) else {
            return (amount, false)
        }
        let isGenuine = HMAC<SHA256>.isValidAuthenticationCode(
            seal, authenticating: Self.text(amount, unit), using: SymmetricKey(data: key))
        return (amount, isGenuine)
    }

    /// Whether every balance is as this program wrote it, and none is missing.
    func areBalancesGenuine() throws -> Bool {
        let units = try balances().map(\.unit)
        let sealed = try db.fetchOne("SELECT count(*) FROM meta WHERE name GLOB 'seal:*'") {
            $0.integer(0)
        }
        guard sealed == Int64(units.count) else { return false }
        return try units.allSatisfy { try balance($0).isGenuine }
    }

    /// True for new records, and for those of a program that made no seals.
    func areUnsealed() throws -> Bool { try value(Self.keyName, as: Data.self) == nil }

    /// Seals what is there, once: what a program without seals wrote is believed.
    func sealOnce() throws {
        guard try areUnsealed() else { return }
        _ = try sealKey()
        for balance in try balances() { try sealBalance(of: balance.unit) }
    }

    func sealBalance(of unit: String) throws {
        let amount = try balance(unit).amount
        let code = HMAC<SHA256>.authenticationCode(
            for: Self.text(amount, unit), using: SymmetricKey(data: try sealKey()))
        try set(Self.name(of: unit), Data(code))
    }

    /// Takes away every seal, before the balances are written anew.
    func removeSeals() throws { try db.execute("DELETE FROM meta WHERE name GLOB 'seal:*'") }

    private func sealKey() throws -> Data {
        if let key = try value(Self.keyName, as: Data.self) { return key }
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        try set(Self.keyName, key)
        return key
    }

    private static func name(of unit: String) -> String { "seal:" + unit }

    private static func text(_ amount: Int64, _ unit: String) -> Data {
        Data("\(amount) \(unit)".utf8)
    }
}
