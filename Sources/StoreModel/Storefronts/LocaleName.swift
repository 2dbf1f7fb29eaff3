/// Reads locale names as the environment (`LANG`) or a person writes them.
package enum LocaleName {
    /// The plain identifier: `ja_JP` for `ja_JP.UTF-8`, `ja-JP` or `ja_JP@calendar=japanese`. `en`
    /// for names without a language (`C`, `POSIX`, empty).
    package static func plain(_ text: String) -> String {
        let name = text.prefix { $0 != "." && $0 != "@" }
        if name.isEmpty || name == "C" || name == "POSIX" { return "en" }
        return String(name.map { $0 == "-" ? "_" : $0 })
    }
}
