import StoreEngine
import Synchronization

/// The last entries that this process recorded, so that its own feed need not decode them again
/// (`make bench`: "full purchase (queue, decide, deliver, finish)"). Entries never change, so a
/// reader that found a position in the file may use the entry kept for it.
final class RecentEntries: Sendable {
    /// A ring buffer, by position modulo its capacity.
    private let buffer = Mutex([RecordedEntry?](repeating: nil, count: capacity))
    private static let capacity = 512

    /// Nil if the entry is no longer kept, or another process recorded it.
    subscript(position: Int64) -> RecordedEntry? {
        let entry = buffer.withLock { $0[Self.slot(position)] }
        return entry?.position == position ? entry : nil
    }

    /// Call it only after the commit is durable.
    func keep(_ results: [AppendResult]) {
        buffer.withLock { buffer in
            for case .recorded(let entries) in results {
                for entry in entries { buffer[Self.slot(entry.position)] = entry }
            }
        }
    }

    private static func slot(_ position: Int64) -> Int {
        Int(UInt64(bitPattern: position) % UInt64(capacity))
    }
}
