public import Synchronization

/// A bounded cache of computed values, safe from any task. The value of a key must never change:
/// nothing expires.
///
/// It keeps two generations of half the limit each. When the newer one is full, it becomes the
/// older one, and the previous older one is dropped. Reading a value moves it to the newer
/// generation, so values in constant use stay.
///
/// The class is public and inlinable, so that each target compiles it for its own keys and values,
/// which the compiler does for no `package` symbol: each key press in the shop looks up hundreds of
/// texts (`make bench`: "key to last byte", 1.1 times).
public final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Generations: Sendable {
        @usableFromInline var newer: [Key: Value] = [:]
        @usableFromInline var older: [Key: Value] = [:]

        @inlinable init() {}
    }

    @usableFromInline let generations = Mutex(Generations())
    @usableFromInline let generationMax: Int

    /// At least 2.
    @inlinable public init(limit: Int) {
        precondition(limit > 1)
        generationMax = limit / 2
    }

    /// Setting nil removes the value.
    @inlinable public subscript(key: Key) -> Value? {
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

    /// Keeps the result of `make`; an error of `make` is passed on and keeps nothing. `make` runs
    /// outside the lock: two tasks that ask at the same time may both run it, and get what was made
    /// first.
    @inlinable public func value<Failure: Error>(
        _ key: Key, _ make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let known = self[key] { return known }
        let made = try make()
        return generations.withLock { generations in
            if let first = generations.newer[key] ?? generations.older[key] { return first }
            keep(made, for: key, in: &generations)
            return made
        }
    }

    /// The next read of each key makes its value anew.
    public func forgetAll() { generations.withLock { $0 = Generations() } }

    /// Keys with a kept value.
    public var count: Int {
        generations.withLock { generations in
            generations.newer.count
                + generations.older.count { generations.newer[$0.key] == nil }
        }
    }

    @inlinable func keep(_ value: Value, for key: Key, in generations: inout Generations) {
        if generations.newer.count >= generationMax, generations.newer[key] == nil {
            generations.older = generations.newer
            generations.newer = [:]
        }
        generations.newer[key] = value
    }
}
