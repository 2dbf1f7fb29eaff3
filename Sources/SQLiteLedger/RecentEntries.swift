import StoreEngine
import Synchronization

/// The entries this process recorded last, so that its own feed need not decode what it has just
/// encoded. An entry never changes, so whoever found its row may take it from here. Bounded: two
/// generations, the older one dropped when the newer is full.
final class RecentEntries: Sendable {
    private struct Generations {
        var newer: [Int64: RecordedEntry] = [:]
        var older: [Int64: RecordedEntry] = [:]
    }
    private let generations = Mutex(Generations())
    private static let kept = 512

    subscript(position: Int64) -> RecordedEntry? {
        generations.withLock { $0.newer[position] ?? $0.older[position] }
    }

    /// Call once they are durable.
    func keep(_ results: [AppendResult]) {
        generations.withLock { generations in
            for case .recorded(let entries) in results {
                for entry in entries { generations.newer[entry.position] = entry }
            }
            guard generations.newer.count >= Self.kept else { return }
            generations.older = generations.newer
            generations.newer = [:]
        }
    }
}
