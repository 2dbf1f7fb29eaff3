import StoreModel

/// The person's locale by the environment variables LC_ALL, LC_MESSAGES and LANG (POSIX).
enum PersonLocale {
    /// Nil for C and POSIX, which name no language, and for a value that is no locale.
    static func identifier(in environment: [String: String]) -> String? {
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let value = environment[variable], !value.isEmpty else { continue }
            let name = value.prefix { $0 != "." && $0 != "@" }
            return name == "C" || name == "POSIX" || !isLocale(name)
                ? nil : LocaleName.plain(String(name))
        }
        return nil
    }

    /// Whether ICU can parse the name: a language with an optional script, region and variant.
    static func isLocale(_ name: Substring) -> Bool {
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
        return parts.count <= 4
            && parts.enumerated().allSatisfy { index, part in
                (2...8).contains(part.utf8.count)
                    && part.utf8.allSatisfy { isLetter($0) || index > 0 && isDigit($0) }
            }
    }

    /// The value of a locale variable without an encoding or a modifier that no system has: an
    /// encoding is `.` and at most 16 bytes, a modifier `@` and at most 12 letters, such as `@euro`.
    static func withoutStrangeParts(_ value: String) -> String {
        let modifier = value.drop { $0 != "@" }
        let encoding = value.prefix { $0 != "@" }.drop { $0 != "." }
        var safe = String(value.prefix { $0 != "." && $0 != "@" })
        if encoding.utf8.count <= 17 { safe += encoding }
        if modifier.utf8.count <= 13, modifier.utf8.dropFirst().allSatisfy(isLetter) {
            safe += modifier
        }
        return safe
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
