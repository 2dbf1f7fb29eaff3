import Basics
import Foundation
import StoreModel

/// The account's small values on this device: as the store told them last, with the changes made
/// here that the store has not recorded yet.
extension DeviceRecords {
    /// Empty if this device never read them.
    var storeValues: [String: String] {
        get throws { try value("values", as: [String: String].self) ?? [:] }
    }

    /// Oldest first, at most one of each key.
    var unsentValues: [AccountValue] {
        get throws { try value("unsentValues", as: [AccountValue].self) ?? [] }
    }

    var values: [String: String] {
        get throws { try unsentValues.reduce(storeValues) { $1.applied(to: $0) } }
    }

    /// Records a change that is to be sent, also one that changes nothing here: another device may
    /// have changed the key meanwhile. Throws as `AccountValue.check`.
    func change(_ change: AccountValue) throws {
        try change.check(in: values)
        try set("unsentValues", unsentValues.filter { $0.key != change.key } + [change])
        guard change.key == AccountValue.themeKey else { return }
        // The theme that a version before kept here (`ownSettings`) would hold where none is chosen.
        var own = try ownSettings
        own.theme = nil
        try set("settings", own)
    }

    /// Forgets a change that the store has recorded or refused, unless the key was changed again.
    func removeUnsent(_ change: AccountValue) throws {
        try set("unsentValues", unsentValues.filter { $0 != change })
    }

    /// Where the account, on any of its devices, stopped reading a product.
    func lastPlace(in product: ProductID) throws -> ReadingPlace? {
        let place = try values[AccountValue.readingKey(product)].flatMap {
            try? JSONDecoder().decode(ReadingPlace.self, from: Data($0.utf8))
        }
        return place?.productID == product && place.map { $0.offset >= 0 } == true ? place : nil
    }

    /// It stays on this device alone if the account has no room for it, or if the product's
    /// identifier is too long for a key.
    func share(_ place: ReadingPlace) throws {
        let text = String(decoding: try JSONWriter.bytes(of: place), as: UTF8.self)
        do {
            try change(AccountValue(key: AccountValue.readingKey(place.productID), value: text))
        } catch is StoreError {}
    }
}
