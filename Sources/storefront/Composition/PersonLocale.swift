/// The person's locale as the environment tells it (POSIX: LC_ALL, LC_MESSAGES, LANG).
enum PersonLocale {
    /// Nil for C and POSIX, which tell nothing, and for what is no locale, such as a path.
    static func identifier(in environment: [String: String]) -> String? {
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let value = environment[variable], !value.isEmpty else { continue }
            let name = value.prefix { $0 != "." && $0 != "@" }
            return name == "C" || name == "POSIX" || !isLocale(name) ? nil : String(name)
        }
        return nil
    }

    /// What Unicode's library can read: a language with a script, a region and a variant.
    static func isLocale(_ name: Substring) -> Bool {
        name.wholeMatch(of: /[A-Za-z]{2,8}([_-][A-Za-z0-9]{2,8}){0,3}/) != nil
    }
}
