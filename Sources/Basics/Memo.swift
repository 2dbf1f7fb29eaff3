import Synchronization

/// Answers worked out before, so that the same question is not worked out twice: for questions that
/// always have the same answer.
///
/// Bounded: it keeps two generations of half its limit each, and drops the older one when the newer
/// is full, so that what is asked for all the time stays.
package final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Generations {
        var newer: [Key: Value] = [:]
        var older: [Key: Value] = [:]
    }

    private let generations = Mutex(Generations())
    private let generationMax: Int

    package init(limit: Int) {
        precondition(limit > 1)
        generationMax = limit / 2
    }

    package subscript(key: Key) -> Value? {
        get {
            generations.withLock { generations in
                if let value = generations.newer[key] { return value }
                guard let value = generations.older[key] else { return nil }
                keep(value, for: key, in: &generations)
                return value
            }
        }
        set {
            generations.withLock { generations in
                if let newValue {
                    keep(newValue, for: key, in: &generations)
                } else {
                    generations.newer[key] = nil
                    generations.older[key] = nil
                }
            }
        }
    }

    /// The answer, made and kept if it is not there. Two that ask at the same time may both make it.
    package func value<Failure: Error>(
        _ key: Key, _ make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let known = self[key] { return known }
        let made = try make()
        self[key] = made
        return made
    }

    package func forgetAll() { generations.withLock { $0 = Generations() } }

    /// How many answers are kept.
    package var count: Int {
        generations.withLock { generations in
            generations.newer.count
                + generations.older.count { generations.newer[$0.key] == nil }
        }
    }

    private func keep(_ value: Value, for key: Key, in generations: inout Generations) {
        if generations.newer.count >= generationMax, generations.newer[key] == nil {
            generations.older = generations.newer
            generations.newer = [:]
        }
        generations.newer[key] = value
    }
}
