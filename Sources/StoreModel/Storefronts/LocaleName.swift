/// A locale as the environment or a person writes it.
package enum LocaleName {
    /// `ja_JP` from `ja_JP.UTF-8`, `ja-JP` or `ja_JP@calendar=japanese`; `en` from the locales that
    /// belong to no language (`C`, `POSIX`, nothing).
    package static func plain(_ text: String) -> String {
        let name = text.prefix { $0 != "." && $0 != "@" }
        if name.isEmpty || name == "C" || name == "POSIX" { return "en" }
        return String(name.map { $0 == "-" ? "_" : $0 })
    }
}
