/// The person's locale as the environment tells it (POSIX: LC_ALL, LC_MESSAGES, LANG).
enum PersonLocale {
    /// Nil for C and POSIX, which tell nothing.
    static func identifier(in environment: [String: String]) -> String? {
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let value = environment[variable], !value.isEmpty else { continue }
            let name = value.prefix { $0 != "." && $0 != "@" }
            return name == "C" || name == "POSIX" ? nil : String(name)
        }
        return nil
    }
}
