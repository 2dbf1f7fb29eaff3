import Foundation
import GRDB
import StoreEngine
import StoreModel

/// Entries as rows: what is looked up by stands in columns, the rest is one JSON text.
enum EntryCoding {
    /// The part of an entry that no column holds.
    private struct Body: Codable {
        var at: Timestamp
        var number: Entry.Number
        var fact: Entry.Fact
    }

    static let columns = "position, account, device, number, recorded_at, body"
    static let allColumns = columns + ", next_number"

    private static let encoder = JSONEncoder()
    private static let decoder = JSONDecoder()

    static func encode(_ entry: Entry) throws -> Data {
        try encoder.encode(
            Body(at: entry.effectiveAt, number: entry.number, fact: entry.fact))
    }

    static func decode(_ row: Row) throws -> RecordedEntry {
        let account: String = row[1]
        let device: String? = row[2]
        let number: Int64? = row[3]
        let body = try decoder.decode(Body.self, from: row[5])
        return RecordedEntry(
            position: row[0], recordedAt: Timestamp(milliseconds: row[4]),
            number: number.map { TransactionID($0) },
            entry: Entry(
                account: account.isEmpty ? nil : AccountName(account),
                device: device.map { DeviceName($0) }, effectiveAt: body.at,
                number: body.number, fact: body.fact))
    }
}

extension UUID {
    /// The sixteen bytes, as they are kept in a key.
    var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
