import StoreEngine
import Synchronization

/// The entries this process recorded last, so that its own feed need not decode what it has just
/// encoded. An entry never changes, so whoever found its row may take it from here.
final class RecentEntries: Sendable {
    /// By position, each in the place of the one so many positions before.
    private let ring = Mutex([RecordedEntry?](repeating: nil, count: kept))
    private static let kept = 512

    subscript(position: Int64) -> RecordedEntry? {
        let entry = ring.withLock { $0[Self.place(position)] }
        return entry?.position == position ? entry : nil
    }

    /// Call once they are durable.
    func keep(_ results: [AppendResult]) {
        ring.withLock { ring in
            for case .recorded(let entries) in results {
                for entry in entries { ring[Self.place(entry.position)] = entry }
            }
        }
    }

    private static func place(_ position: Int64) -> Int {
        Int(UInt64(bitPattern: position) % UInt64(kept))
    }
}
