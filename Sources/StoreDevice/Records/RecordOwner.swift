import Basics
import DurableFiles
import StoreModel

/// The device, account and app that a database of records was made for. The pinned root certificate
/// beside it names the store. Only the device that the records name may use them: a copy of another
/// device's folder must not grant what that device has.
struct RecordOwner: Codable, Hashable, Sendable {
    var account: AccountName
    var device: DeviceName
    var bundleID: String
    var environment: StoreEnvironment

    init(_ store: any Store) {
        account = store.account
        device = store.device
        bundleID = store.identity.bundleID
        environment = store.identity.environment
    }
}

extension DeviceRecords {
    private static let ownerName = "owner"

    func owner() throws -> RecordOwner? { try value(Self.ownerName, as: RecordOwner.self) }

    func setOwner(_ owner: RecordOwner) throws { try set(Self.ownerName, owner) }

    /// Also replaces the key of the seals.
    func removeAll() throws {
        for table in [
            "meta", "queue", "deliveries", "balances", "downloads", "spends", "revisions", "log",
            "reading_places", "announcements", "reports",
        ] { try db.execute("DELETE FROM \(table)") }
        _ = try sealKey()
    }
}
