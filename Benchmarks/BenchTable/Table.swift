import Foundation

/// What a program of measurements shows: one row for each.
package struct Table {
    private var rows: [[String]] = [["what", "measured", "baseline", "ratio", "must reach"]]
    private var missed = 0

    package enum Goal {
        case atLeast(Double)
        case atMost(Double)
        case none
    }

    package init() {}

    /// Both in the same unit. `goal` is for the ratio.
    package mutating func add(
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

    package func show() {
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
