import Basics
import Foundation
package import StoreModel

/// The system's times that decide when a cut network returns. Normally the time since the system's
/// start counts. After a restart of the system its clock counts instead.
package struct NetworkTime: Sendable {
    /// Identifies this start of the system (random(4): boot_id).
    package var bootID: String
    /// Milliseconds since the system's start, including time in suspension (`CLOCK_BOOTTIME`).
    package var uptime: Int64
    package var system: Timestamp

    package static func now() -> NetworkTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return NetworkTime(
            bootID: thisBoot,
            uptime: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
            system: SystemClock().now())
    }

    private static let thisBoot =
        systemText("/proc/sys/kernel/random/boot_id")
        .map { String($0.prefix { $0 != "\n" }) } ?? ""
}

/// The contents of a device's `network` file.
struct NetworkFile: Codable, Hashable {
    enum Switch: String, Codable { case on, off, offAfterPayment, slow }

    /// The time when a cut network returns.
    struct Deadline: Codable, Hashable {
        /// Milliseconds from the cut to the return.
        var length: Int64
        var bootID: String
        /// The time of return in `NetworkTime.uptime`, valid for the same start of the system.
        var uptime: Int64
        /// The time of return by the system's clock, for use after a restart of the system.
        var system: Timestamp

        init(after length: Int64, from time: NetworkTime) {
            self.length = length
            bootID = time.bootID
            uptime = time.uptime + length
            system = time.system.advanced(byMilliseconds: length)
        }

        /// Milliseconds until the network returns: at least 0 and at most `length`, even if the
        /// system's clock was set back.
        func remaining(at time: NetworkTime) -> Int64 {
            let left =
                bootID == time.bootID
                ? uptime.subtractingReportingOverflow(time.uptime).partialValue
                : system.milliseconds.subtractingReportingOverflow(time.system.milliseconds)
                    .partialValue
            return min(max(0, left), min(length, NetworkChange.millisecondsMax))
        }
    }

    var version = 1
    var state: Switch
    /// Nil if the network stays cut until a person turns it on.
    var until: Deadline?
    /// How long the network will be cut after the next payment, nil if until a person turns it on;
    /// of a slow network the delay.
    var milliseconds: Int64?

    init(_ change: NetworkChange, at time: NetworkTime) {
        switch change {
        case .on: state = .on
        case .off(let milliseconds):
            state = .off
            until = milliseconds.map { Deadline(after: $0, from: time) }
        case .offAfterPayment(let milliseconds):
            state = .offAfterPayment
            self.milliseconds = milliseconds
        case .slow(let milliseconds):
            state = .slow
            self.milliseconds = milliseconds
        }
    }

    /// Nil for contents that this program did not write.
    init?(_ bytes: Data) {
        guard let file = try? JSONDecoder().decode(NetworkFile.self, from: bytes),
            file.version == 1, file.until?.length ?? 1 > 0, file.milliseconds ?? 1 > 0,
            file.milliseconds ?? 1 <= NetworkChange.millisecondsMax
        else { return nil }
        self = file
    }

    func state(at time: NetworkTime) -> NetworkState {
        switch state {
        case .on: return .on
        case .offAfterPayment: return .offAfterPayment(milliseconds: milliseconds)
        case .slow: return .slow(milliseconds: min(milliseconds ?? 0, NetworkChange.delayMax))
        case .off:
            guard let until else { return .off(remaining: nil) }
            let left = until.remaining(at: time)
            return left > 0 ? .off(remaining: left) : .on
        }
    }
}
