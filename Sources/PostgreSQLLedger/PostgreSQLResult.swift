#if PostgreSQL
import Basics
import CPostgreSQL
import Foundation
import StoreModel

/// The rows that a statement returned, in binary form.
final class PostgreSQLResult {
    private let result: OpaquePointer

    /// Frees `result` at its end.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }
    var count: Int32 { PQntuples(result) }
    /// Such as `COMMIT`.
    var command: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

    /// A part of an error: its SQLSTATE (`C`), its severity (`V`), its first line (`M`).
    func errorField(_ field: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(field.value)).map { String(cString: $0) }
    }

    func isNull(_ row: Int32, _ column: Int32) -> Bool { PQgetisnull(result, row, column) != 0 }

    func type(_ column: Int32) -> Oid { PQftype(result, column) }

    func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}

/// Notes the values of a row that are of another type than asked for: somebody else has changed the
/// table.
final class PostgreSQLDamage {
    private(set) var found: String?

    func note(_ column: Int32, of type: Oid) {
        found = found ?? "a value of type \(type) in column \(column + 1)"
    }

    /// Throws `storeUnreadable` if a value could not be read.
    func check() throws(StoreError) {
        if let found { throw StoreError(.storeUnreadable, found: found) }
    }
}

/// A row of a result. A value of another type is noted as damage, and read as if it were NULL.
struct PostgreSQLRow: SQLRow {
    let result: PostgreSQLResult
    let row: Int32
    let damage: PostgreSQLDamage

    func isNull(_ column: Int32) -> Bool { result.isNull(row, column) }

    func integer(_ column: Int32) -> Int64 {
        guard let bytes = bytes(column, of: PostgreSQLType.integers), let first = bytes.first
        else { return 0 }
        let sign: Int64 = first & 0x80 == 0 ? 0 : -1
        return bytes.reduce(sign) { number, byte in number << 8 | Int64(byte) }
    }

    func text(_ column: Int32) -> String {
        guard let bytes = bytes(column, of: [PostgreSQLType.text]) else { return "" }
        return PostgreSQLText.unescaped(String(decoding: bytes, as: UTF8.self))
    }

    func data(_ column: Int32) -> Data {
        bytes(column, of: [PostgreSQLType.bytes]).map { Data($0) } ?? Data()
    }

    func uuid(_ column: Int32) -> UUID? {
        guard let bytes = bytes(column, of: [PostgreSQLType.bytes]), bytes.count == 16 else {
            return nil
        }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Nil for NULL.
    private func bytes(_ column: Int32, of types: [Oid]) -> UnsafeRawBufferPointer? {
        guard !isNull(column) else { return nil }
        let type = result.type(column)
        guard types.contains(type) else {
            damage.note(column, of: type)
            return nil
        }
        return result.bytes(row, column)
    }
}
#endif
