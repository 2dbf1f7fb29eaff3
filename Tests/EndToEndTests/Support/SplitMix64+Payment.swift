import Foundation
import TestBasics

extension SplitMix64 {
    /// A random UUID for a payment or a spend.
    mutating func payment() -> String {
        let high = next()
        let low = next()
        let digits = String(format: "%016lx%016lx", high, low)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { start, end in
            String(digits.dropFirst(start).prefix(end - start))
        }.joined(separator: "-")
    }
}
