import BenchTable
import Foundation
import SQLiteLedger

/// Writes sales of other accounts into a store that another process has open, evenly at a given
/// rate per second, then prints the rate that was reached.
enum EventSource {
    static func run(store: String, rate: Int, seconds: Double) async throws {
        let ledger = try SQLiteLedger(path: store + "/store.sqlite")
        let clock = ContinuousClock()
        let start = clock.now
        var written = 0
        while true {
            let elapsed = start.duration(to: clock.now) / .seconds(1)
            guard elapsed < seconds else { break }
            let due = Int(elapsed * Double(rate)) - written
            if due > 0 {
                try await OthersSales.append(due, to: ledger, from: written)
                written += due
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        print(Double(written) / (start.duration(to: clock.now) / .seconds(1)))
    }
}
