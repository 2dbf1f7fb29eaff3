import ArgumentParser
import StoreDevice

/// The speed of the simulated network.
enum Bandwidth: ExpressibleByArgument {
    case bytesPerSecond(Int64)
    case unlimited

    static let standard = Bandwidth.bytesPerSecond(DeviceLimits.bandwidth)

    init?(argument: String) {
        if argument == "unlimited" {
            self = .unlimited
            return
        }
        var digits = Substring(argument)
        var factor: Int64 = 1
        if digits.last == "k" { factor = 1_000 }
        if digits.last == "M" { factor = 1_000_000 }
        if factor > 1 { digits = digits.dropLast() }
        guard let number = Int64(digits), (1...1_000_000_000).contains(number) else { return nil }
        self = .bytesPerSecond(number * factor)
    }

    var defaultValueDescription: String { "256k" }

    var bytesPerSecond: Int64? {
        if case .bytesPerSecond(let rate) = self { rate } else { nil }
    }
}
