import Basics
import Crypto
import Foundation
import StoreModel

/// The account's small values on this device: as the store told them last, and the changes made
/// here that the store has not recorded yet. Theme and reading places are values, too; they are
/// also kept in tables of their own, which hold what only this device knows.
extension DeviceRecords {
    /// As the store told them last; empty if this device never read them.
    var storeValues: [String: String] {
        get throws { try value("values", as: [String: String].self) ?? [:] }
    }

    /// Changes made here that the store has not recorded yet, oldest first, at most one of each key.
    var unsentValues: [AccountValue] {
        get throws { try value("unsentValues", as: [AccountValue].self) ?? [] }
    }

    /// With the changes made here.
    var values: [String: String] {
        get throws { try unsentValues.reduce(storeValues) { $1.applied(to: $0) } }
    }

    /// Records a change that is to be sent. Throws as `AccountValue.check`.
    func change(_ change: AccountValue) throws {
        let values = try values
        guard values[change.key] != change.value else { return }
        try change.check(in: values)
        try set("unsentValues", unsentValues.filter { $0.key != change.key } + [change])
        try use(change)
    }

    /// As `change`, for a value that stays on this device alone if the account has no room for it.
    func changeIfRoom(_ change: AccountValue) throws {
        do { try self.change(change) } catch let error as StoreError
            where error.code == .valuesFull
        {}
    }

    /// Forgets a change that the store has recorded or refused, unless the key was changed again.
    func removeUnsent(_ change: AccountValue) throws {
        try set("unsentValues", unsentValues.filter { $0 != change })
    }

    /// Takes over the store's values. A key that was changed here stays as it is: that change is
    /// sent later, so that its position in the ledger is the last.
    func adopt(_ values: [String: String]) throws {
        let before = try storeValues
        guard before != values else { return }
        try set("values", values)
        let unsent = Set(try unsentValues.map(\.key))
        for key in Set(before.keys).union(values.keys).subtracting(unsent).sorted()
        where before[key] != values[key] {
            try use(AccountValue(key: key, value: values[key]))
        }
    }

    /// Puts a theme or a reading place where this device keeps it.
    private func use(_ change: AccountValue) throws {
        if change.key == AccountValue.themeKey {
            var settings = try settings
            guard settings.theme != change.value else { return }
            settings.theme = change.value
            try set(settings)
        } else if let place = ReadingPlace(change) {
            try remember(place)
        }
    }
}

extension ReadingPlace {
    /// The value with which the place follows the account: one for each product, so that the other
    /// devices open the file that was read last.
    var accountValue: AccountValue? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)).map {
            AccountValue(key: Self.key(of: productID), value: String(decoding: $0, as: UTF8.self))
        }
    }

    /// Nil for a value that is no reading place.
    fileprivate init?(_ change: AccountValue) {
        guard let value = change.value,
            let place = try? JSONDecoder().decode(Self.self, from: Data(value.utf8)),
            change.key == Self.key(of: place.productID), place.offset >= 0
        else { return nil }
        self = place
    }

    /// A product whose identifier is too long for a key is named by its digest.
    private static func key(of product: ProductID) -> String {
        let key = "reading." + product.rawValue
        guard !AccountValue.keyBytes.contains(key.utf8.count) else { return key }
        return "reading." + HexText.of(SHA256.hash(data: Data(product.rawValue.utf8)).prefix(16))
    }
}
