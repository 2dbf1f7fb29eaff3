import ArgumentParser
import StoreDevice

/// The speed of the simulated network, as `--bandwidth` names it: `20k`, `4M`, `12s`, `unlimited`.
struct Bandwidth: ExpressibleByArgument {
    var speed: NetworkSpeed

    static let standard = Bandwidth(speed: .bytesPerSecond(DeviceLimits.bandwidth))

    init(speed: NetworkSpeed) { self.speed = speed }

    init?(argument: String) {
        if argument == "unlimited" {
            speed = .unlimited
            return
        }
        let unit = argument.last
        let digits = "kMs".contains(unit ?? " ") ? argument.dropLast() : argument[...]
        guard let number = Int64(digits), (1...1_000_000_000).contains(number) else { return nil }
        switch unit {
        case "k": speed = .bytesPerSecond(number * 1_000)
        case "M": speed = .bytesPerSecond(number * 1_000_000)
        case "s" where number <= 3_600: speed = .secondsPerPackage(Double(number))
        case "s": return nil
        default: speed = .bytesPerSecond(number)
        }
    }
}
