/// Times and sizes in numbers that read the same in every language.
package enum Measures {
    /// A length of time, rounded up to whole seconds: "0:07", "1:02:03".
    package static func clock(seconds: Double) -> String {
        let whole = Int(min(max(seconds, 0), 359_999).rounded(.up))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        if hours == 0 { return "\(minutes):\(twoDigits(whole % 60))" }
        return "\(hours):\(twoDigits(minutes)):\(twoDigits(whole % 60))"
    }

    /// A number of bytes, rounded to the nearest unit of 1000: "3.2 MB".
    package static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<9_950: tenths(count, of: 1_000) + " kB"
        case ..<999_500: "\((count + 500) / 1_000) kB"
        case ..<999_950_000: tenths(count, of: 1_000_000) + " MB"
        default: tenths(count, of: 1_000_000_000) + " GB"
        }
    }

    /// A rate, "210 kB/s"; nil below one byte a second.
    package static func rate(_ bytesPerSecond: Double) -> String? {
        bytesPerSecond >= 1 ? bytes(Int64(min(bytesPerSecond, 1e18))) + "/s" : nil
    }

    /// A fraction in percent, "41%", with one decimal below ten: "4.1%".
    package static func percent(_ share: Double) -> String {
        let part = min(max(share, 0), 1)
        if part < 0.1, part > 0 {
            let tenths = Int(part * 1000)
            return "\(tenths / 10).\(tenths % 10)%"
        }
        return "\(Int(part * 100))%"
    }

    /// In eighths of a column, in ASCII in whole columns; one character a column.
    package static func bar(_ share: Double, columns: Int, isASCII: Bool = false) -> String {
        guard columns > 0 else { return "" }
        let part = min(max(share, 0), 1)
        if isASCII {
            let filled = Int((part * Double(columns)).rounded(.down))
            return String(repeating: "#", count: filled)
                + String(repeating: ".", count: columns - filled)
        }
        let eighths = Int((part * Double(columns) * 8).rounded(.down))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let text = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return text + String(repeating: " ", count: max(0, columns - text.count))
    }

    private static func tenths(_ count: Int64, of unit: Int64) -> String {
        let (rounded, isTooLarge) = count.addingReportingOverflow(unit / 20)
        let tenths = (isTooLarge ? count : rounded) / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
