/// Measures elapsed time.
package enum Measure {
    package static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        return start.duration(to: clock.now) / .seconds(1)
    }

    package static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// In turn, so that a change in the machine's speed affects all of the work.
    ///
    /// - Parameter atATime: how often each is measured in its turn. It runs once more before that,
    ///   unmeasured, because the work before it has left the processor's caches in another state.
    /// - Returns: the median of the seconds of each.
    package static func inTurn(
        rounds: Int, atATime: Int, _ first: () async throws -> Void,
        _ second: () async throws -> Void, _ third: () async throws -> Void
    ) async rethrows -> (Double, Double, Double) {
        var firsts: [Double] = []
        var others: [Double] = []
        var thirds: [Double] = []
        for _ in 0..<rounds {
            firsts += try await several(atATime, first)
            others += try await several(atATime, second)
            thirds += try await several(atATime, third)
        }
        return (median(firsts), median(others), median(thirds))
    }

    /// After one unmeasured run.
    private static func several(
        _ times: Int, _ work: () async throws -> Void
    ) async rethrows -> [Double] {
        try await work()
        var taken: [Double] = []
        for _ in 0..<times { taken.append(try await seconds(work)) }
        return taken
    }

    /// The medians of the seconds, in turn, after one unmeasured run of each.
    package static func inTurn(
        rounds: Int, _ first: () async throws -> Void, _ second: () async throws -> Void
    ) async rethrows -> (Double, Double) {
        var firsts: [Double] = []
        var others: [Double] = []
        try await first()
        try await second()
        for _ in 0..<rounds {
            firsts.append(try await seconds(first))
            others.append(try await seconds(second))
        }
        return (median(firsts), median(others))
    }
}
