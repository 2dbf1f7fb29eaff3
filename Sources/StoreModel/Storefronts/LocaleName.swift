/// Reads locale names as the environment (`LANG`) or a person writes them.
package enum LocaleName {
    /// The plain identifier: `ja_JP` for `ja_JP.UTF-8`, `ja-JP` or `ja_JP@calendar=japanese`, with
    /// the present code of its language: `he_IL` for `iw_IL`. `en` for names without a language
    /// (`C`, `POSIX`, empty).
    package static func plain(_ text: String) -> String {
        let name = text.prefix { $0 != "." && $0 != "@" }
        if name.isEmpty || name == "C" || name == "POSIX" { return "en" }
        let plain = String(name.map { $0 == "-" ? "_" : $0 })
        let language = plain.prefix { $0 != "_" }
        guard language.utf8.count == 2, let present = oldCodes[language.lowercased()] else {
            return plain
        }
        return present + plain.dropFirst(2)
    }

    /// Codes that systems and old files still write, with those that replaced them (CLDR:
    /// `languageAlias`).
    private static let oldCodes = [
        "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "sh": "sr_Latn", "tl": "fil",
    ]
}
