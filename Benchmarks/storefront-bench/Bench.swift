import Foundation

/// Measures the store, each time beside a baseline in the same run. A goal is a ratio to the
/// baseline, so that it holds on slow and fast machines.
@main
struct Bench {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count == 5, words[1] == "--events", let rate = Int(words[3]),
            let seconds = Double(words[4])
        {
            return try await EventSource.run(store: words[2], rate: rate, seconds: seconds)
        }
        if words.count == 5, words[1] == "--fill", let transactions = Int(words[3]),
            let products = Int(words[4])
        {
            return try await AccountFill.run(
                store: words[2], transactions: transactions, products: products)
        }
        if words.count >= 5, words[1] == "--renewals" {
            return try await RenewalBench.run(Array(words.dropFirst(2)))
        }
        if words.count == 3, words[1] == "--follow" { return try await EventBench.follow(words[2]) }
        let program = CommandLine.arguments.dropFirst().first ?? ".build/storefront"
        let only = CommandLine.arguments.dropFirst(2).first
        var table = Table()
        let parts: [(String, (inout Table) async throws -> Void)] = [
            ("signing", SigningBench.run), ("purchase", PurchaseBench.run),
            ("crowd", CrowdBench.run), ("process", { try ProcessBench.run(program, &$0) }),
            ("events", EventBench.run), ("content", ContentBench.run),
            ("after", AfterSaleBench.run), ("renewals", RenewalBench.run), ("size", SizeBench.run),
        ]
        for (name, part) in parts where only == nil || only == name {
            FileHandle.standardError.write(Data("measuring \(name)…\n".utf8))
            do { try await part(&table) } catch { print("\(name): \(error)") }
        }
        BenchFolder.removeAll()
        table.show()
    }
}

/// The result: one row for each measurement.
struct Table {
    private var rows: [[String]] = [["what", "measured", "baseline", "ratio", "must reach"]]
    private var missed = 0

    enum Goal {
        case atLeast(Double)
        case atMost(Double)
        case none
    }

    /// Both in the same unit. `goal` is for the ratio.
    mutating func add(
        _ what: String, _ measured: Double, _ baseline: Double, unit: String, ratio: Double,
        goal: Goal = .none
    ) {
        let (text, isReached): (String, Bool) =
            switch goal {
            case .atLeast(let limit): ("≥ \(limit)", ratio >= limit)
            case .atMost(let limit): ("≤ \(limit)", ratio <= limit)
            case .none: ("", true)
            }
        if !isReached { missed += 1 }
        rows.append([
            what, "\(Self.number(measured)) \(unit)", "\(Self.number(baseline)) \(unit)",
            Self.number(ratio), text.isEmpty ? "" : text + (isReached ? "  yes" : "  NO"),
        ])
    }

    func show() {
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).enumerated().map { index, cell in
                let fill = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 || index == 4 ? cell.0 + fill : fill + cell.0
            }
            print(cells.joined(separator: "  "))
        }
        print(missed == 0 ? "Everything that must be reached is." : "\(missed) not reached.")
    }

    private static func number(_ value: Double) -> String {
        switch abs(value) {
        case 1000...: String(Int(value.rounded()))
        case 10...: String(format: "%.1f", value)
        default: String(format: "%.3f", value)
        }
    }
}

/// Measures elapsed time.
enum Measure {
    static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        return start.duration(to: clock.now) / .seconds(1)
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// In turn, so that a change in the machine's speed affects all of the work.
    ///
    /// - Parameter atATime: how often each is measured in its turn. It runs once more before that,
    ///   unmeasured, because the work before it has left the processor's caches in another state.
    /// - Returns: the median of the seconds of each.
    static func inTurn(
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
    static func inTurn(
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
