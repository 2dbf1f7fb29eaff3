#if PostgreSQL
import Basics
import CPostgreSQL
import Foundation

/// The types of values that the ledger's tables have.
enum PostgreSQLType {
    static let integer: Oid = 20
    static let text: Oid = 25
    static let bytes: Oid = 17
    /// Those whose binary form is a whole number, the most significant byte first.
    static let integers: [Oid] = [20, 23, 21]
}

/// The parameters of a statement in their binary form.
struct PostgreSQLArguments {
    private(set) var types: [Oid] = []
    /// Of all values, one after the other. It is never empty: a value of no bytes has an address.
    private var bytes: [UInt8] = [0]
    private var lengths: [Int32] = []
    /// In `bytes`; nil for NULL.
    private var offsets: [Int?] = []

    init(_ arguments: [SQLArgument]) {
        for argument in arguments { add(argument) }
    }

    private mutating func add(_ argument: SQLArgument) {
        switch argument {
        case .integer(let value): add(value.map(Self.bigEndian), PostgreSQLType.integer)
        case .flag(let value): add(Self.bigEndian(value ? 1 : 0), PostgreSQLType.integer)
        case .text(let value):
            add(value.map { Array(PostgreSQLText.escaped($0).utf8) }, PostgreSQLType.text)
        case .bytes(let value): add(value, PostgreSQLType.bytes)
        case .blob(let value): add(value.map { Array($0) }, PostgreSQLType.bytes)
        case .uuid(let value):
            add(withUnsafeBytes(of: value.uuid) { Array($0) }, PostgreSQLType.bytes)
        }
    }

    private mutating func add(_ value: [UInt8]?, _ type: Oid) {
        types.append(type)
        lengths.append(Int32(clamping: value?.count ?? 0))
        offsets.append(value == nil ? nil : bytes.count)
        bytes += value ?? []
    }

    private static func bigEndian(_ value: Int64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// The arrays that libpq takes; valid only inside `body`.
    func withPointers<Value>(
        _ body: (
            _ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]
        ) -> Value
    ) -> Value {
        bytes.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: CChar.self).baseAddress
            let values = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
            return body(values, lengths, [Int32](repeating: 1, count: lengths.count))
        }
    }
}
#endif
