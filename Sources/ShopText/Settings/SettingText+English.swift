import Basics

extension English {
    static func text(_ text: SettingText) -> String {
        switch text {
        case .settingsGood(let settings, let keys):
            "The settings are good: \(count(settings, "setting")), \(count(keys, "key binding"))."
        case .noSettingsFile(let path):
            "There is no \(path), and none is needed. One to begin with is printed by: "
                + "storefront config show"
        case .settingsFaulty(let count):
            "\(self.count(count, "mistake")) in your settings; what is right in them holds. See: "
                + "storefront config check"
        case .settingProblem(let problem):
            (problem.place.map { name($0) } ?? "config.toml") + ": " + text(problem.what)
        case .settingSource(let source): name(source)
        case .usualSetting: "as usual"
        case .usualOrAccounts: "as usual, unless the account has another"
        case .keptForAccount(let source):
            "Kept for your account. Here \(name(source)) comes first."
        }
    }

    private static func name(_ source: SettingSource) -> String {
        switch source {
        case .option(let option): option
        case .variable(let name): "$" + name
        case .line(let number): "line \(number) of config.toml"
        }
    }

    private static func nearest(_ word: String?) -> String {
        word.map { " Did you mean \"\($0)\"?" } ?? ""
    }

    private static func quote(_ text: String) -> String { UntrustedText.quote(text) }

    private static func text(_ problem: SettingProblem.What) -> String {
        switch problem {
        case .syntax(let fault): self.text(fault)
        case .noSuchTable(let name, let near):
            "there is no table \(quote(name)): found with all below it, expected [keys]."
                + nearest(near)
        case .noSuchSetting(let name, let near):
            "there is no setting \(quote(name))." + nearest(near)
        case .noSuchBinding(let name, let near):
            "there is no key binding \(quote(name))." + nearest(near)
        case .noSuchKey(let word, let near):
            "\(quote(word)) is no key: expected one character, or a word such as \"space\", "
                + "\"f2\" or \"ctrl-x\"." + nearest(near)
        case .wrongValue(let setting, let found, let expected, let near):
            "\(setting): found \(quote(found)), expected \(text(expected))." + nearest(near)
        case .wrongKeys(let binding):
            "\(binding): expected a key as a string, or a list of one key or more."
        case .fixedKey(let word): "\(quote(word)) always does the same and cannot be chosen."
        case .sharedKey(let key, let binding, let other?):
            "\(binding): \(quote(key)) is also the key of \(other). Give one of them another key."
        case .sharedKey(let key, let binding, nil):
            "\(binding): \(quote(key)) has a meaning on the same screen that cannot be changed."
        case .notAFile: "found something else in its place, expected a file."
        case .tooLong(let bytes): "found more than \(bytes) bytes, expected fewer."
        case .unreadable(let reason): "it cannot be read: \(reason)."
        }
    }

    private static func text(_ expected: SettingProblem.Expected) -> String {
        switch expected {
        case .oneOf(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .trueOrFalse: "true or false"
        case .locale: "a locale such as \"en\", \"ja_JP\" or \"zh_Hans\""
        case .bandwidth: "a speed such as \"256k\", \"4M\", \"12s\" or \"unlimited\""
        }
    }

    private static func text(_ fault: SettingsText.Fault) -> String {
        switch fault {
        case .notUTF8: "found bytes that are not UTF-8, expected UTF-8."
        case .control(let name): "found \(name), expected text."
        case .notALine(let text):
            "found \(quote(text)), expected name = value, [table] or # a comment."
        case .notAValue(let text):
            "found the value \(quote(text)), expected a string in quotation marks, a list of "
                + "them, true, false or a number."
        case .unended(let text): "found no end of \(quote(text)) on the line."
        case .escape(let text): "found \(quote(text)), expected \\\" or \\\\."
        case .rest(let text): "found \(quote(text)), expected the end of the line."
        case .repeated(let name, let first):
            "\(quote(name)) is set by line \(first) already, which holds."
        }
    }
}
