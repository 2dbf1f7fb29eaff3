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
        case .settingProblem(let problem): self.text(problem)
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

    private static func text(_ problem: SettingProblem) -> String {
        (problem.place.map { name($0) } ?? "config.toml")
            + ": found \(UntrustedText.quote(problem.found)), expected \(text(problem.expected))."
            + (problem.nearest.map { " Did you mean \"\($0)\"?" } ?? "")
    }

    private static func text(_ expected: SettingProblem.Expected) -> String {
        switch expected {
        case .syntax(let expected): text(expected)
        case .table: "the table [keys]; all below it is left out"
        case .setting: "the name of a setting"
        case .trueOrFalse: "true or false, without quotation marks"
        case .locale: "a locale such as \"en\", \"ja_JP\" or \"zh_Hans\""
        case .bandwidth: "a speed such as \"256k\", \"4M\", \"12s\" or \"unlimited\""
        case .word(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .binding: "the name of a key binding"
        case .key: "one character, or a word such as \"space\", \"f2\" or \"ctrl-x\""
        case .keys: "a key in quotation marks, or a list of at least one"
        case .chosenKey: "another key: this one always does the same"
        case .keyBeside(let other?): "a key that \(other) does not have, or another one for that"
        case .keyBeside(nil): "another key: this one has a fixed meaning on the same screen"
        case .file: "a file"
        case .fewerBytes: "fewer"
        case .readableFile: "a file that can be read"
        }
    }

    private static func text(_ expected: SettingsText.Expected) -> String {
        switch expected {
        case .utf8: "UTF-8"
        case .noControl: "text"
        case .line: "name = value, [table] or # a comment"
        case .value: "a string in quotation marks, a list of them, true, false or a number"
        case .end: "its end on the same line"
        case .escape: "\\\" or \\\\"
        case .lineEnd: "the end of the line"
        case .once(let first): "it once; line \(first) holds"
        }
    }
}
