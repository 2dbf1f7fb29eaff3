import Foundation

/// A colour by its red, green and blue components, in sRGB.
package struct RGB: Hashable, Sendable {
    /// All components are 0...255.
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// 0xRRGGBB. Higher bits are ignored.
    package init(_ number: UInt32) {
        self.init(
            UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8),
            UInt8(truncatingIfNeeded: number))
    }

    /// The colour that a terminal reports in the form of XParseColor(3): `rgb:ffff/ffff/ffff`,
    /// `rgba:` with a fourth part, which is ignored, or `#ffffff`. Each part has one to four
    /// hexadecimal digits. Nil for any other text.
    package init?(specification: some StringProtocol) {
        let parts: [Substring]
        if specification.hasPrefix("#") {
            let digits = specification.dropFirst()
            guard digits.count.isMultiple(of: 3), (3...12).contains(digits.count) else {
                return nil
            }
            let length = digits.count / 3
            parts = (0..<3).map { number in
                Substring(String(digits.dropFirst(number * length).prefix(length)))
            }
        } else {
            let halves = specification.split(separator: ":", maxSplits: 1)
            guard halves.count == 2, halves[0] == "rgb" || halves[0] == "rgba" else { return nil }
            let all = halves[1].split(separator: "/", omittingEmptySubsequences: false)
            guard all.count == (halves[0] == "rgb" ? 3 : 4) else { return nil }
            parts = all.prefix(3).map { Substring(String($0)) }
        }
        var values: [UInt8] = []
        for part in parts {
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
                let value = Int(part, radix: 16)
            else { return nil }
            let most = 1 << (4 * part.utf8.count) - 1
            values.append(UInt8(value * 255 / most))
        }
        self.init(values[0], values[1], values[2])
    }

    /// CSS notation: `#rrggbb`.
    package var hex: String {
        "#"
            + [red, green, blue].map { part in
                (part < 16 ? "0" : "") + String(part, radix: 16)
            }.joined()
    }

    /// By WCAG 2.1, from 0 for black to 1 for white.
    package var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// The ratio of WCAG 2.1, from 1 for the same colour to 21 for black and white. Text needs at
    /// least 4.5.
    package func contrast(with other: RGB) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private static func linear(_ part: UInt8) -> Double { linearParts[Int(part)] }

    private static let linearParts: [Double] = (0...255).map { part in
        let share = Double(part) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}
