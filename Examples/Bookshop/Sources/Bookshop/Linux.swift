import Foundation
import StoreKit

// What this app uses and Linux lacks.

#if !canImport(os)
/// As `os.Logger`, on the standard error.
struct Logger: Sendable {
    init(subsystem: String, category: String) {}
    func error(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
#endif

#if os(Linux)
/// As Foundation's on Apple's systems, in English.
final class DateComponentsFormatter {
    enum UnitsStyle { case full }
    var unitsStyle = UnitsStyle.full

    func string(from parts: DateComponents) -> String? {
        [(parts.year, "year"), (parts.month, "month"), (parts.weekOfMonth, "week")]
            .compactMap { count, unit in count.map { "\($0) \(unit)\($0 == 1 ? "" : "s")" } }
            .joined(separator: ", ")
    }
}
#endif
