import Basics
package import ShopText
import Terminal

extension PersonSetting {
    /// The words that it takes; nil where a check of the program decides (`SettingCheck`).
    package var words: [String]? {
        switch self {
        case .theme: ["auto"] + ThemeName.allCases.map(\.rawValue)
        case .language: Languages.all.map { $0.code }
        case .glyphs: ["auto", "ascii"]
        case .animation: ["true", "false"]
        case .locale, .bandwidth: nil
        }
    }

    var expected: SettingProblem.Expected {
        switch self {
        case .animation: .trueOrFalse
        case .locale: .locale
        case .bandwidth: .bandwidth
        case .theme, .language, .glyphs: .word(words ?? [])
        }
    }
}

/// The settings of a person from the environment and the settings file, and the mistakes in them. A
/// mistake keeps nothing from being read but itself.
package struct PersonSettings: Sendable {
    /// A value, and what it was read from.
    package struct Given: Hashable, Sendable {
        package var value: String
        package var source: SettingSource
    }

    /// The content at the path of the settings file.
    package enum File: Sendable {
        case none
        case bytes([UInt8])
        case problem(String, SettingProblem.Expected)
    }

    /// Of those that the environment or the file sets; the environment comes first.
    package private(set) var given: [PersonSetting: Given] = [:]
    package private(set) var keys = OwnKeys()
    /// The line of each binding of `keys`.
    package private(set) var keyLines: [KeyName: Int] = [:]
    package private(set) var hasFile = true
    /// In the order of the lines; those of the environment come last.
    package private(set) var problems: [SettingProblem] = []

    private static let keysTable = "keys"

    /// - Parameter check: of values without a list of words (`PersonSetting.words`).
    package init(
        file: File, environment: [String: String],
        check: (PersonSetting, String) -> SettingCheck
    ) {
        switch file {
        case .none: hasFile = false
        case .problem(let found, let expected):
            problems.append(SettingProblem(nil, found, expected))
        case .bytes(let bytes): read(SettingsText(bytes), check)
        }
        for setting in PersonSetting.allCases {
            guard let value = environment[setting.variable], !value.isEmpty else { continue }
            take(setting, value, .variable(setting.variable), check)
        }
    }

    /// What holds for a setting. Nil if the account's value holds, or the usual one.
    package func value(_ setting: PersonSetting, option: String?) -> Given? {
        first(option.map { Given(value: $0, source: .option(setting.option)) }, given[setting])
    }

    /// What decides the language of the words: `language`, unless a `locale` whose language the
    /// program has comes before it. Nil if the account's holds, or the usual one.
    package func language(option: String?, locale: String?) -> Given? {
        let ofLocale = value(.locale, option: locale).flatMap { given in
            Languages.exactly(given.value).map { Given(value: $0.code, source: given.source) }
        }
        return first(value(.language, option: option), ofLocale)
    }

    /// The one that holds; `one` if both come from the same kind of source.
    private func first(_ one: Given?, _ other: Given?) -> Given? {
        guard let one, let other else { return one ?? other }
        return other.source.comesBefore(one.source) ? other : one
    }

    private mutating func read(
        _ text: SettingsText, _ check: (PersonSetting, String) -> SettingCheck
    ) {
        problems += text.problems.map {
            SettingProblem(.line($0.line), $0.fault.found, .syntax($0.fault.expected))
        }
        for table in text.tables where table.name != Self.keysTable {
            let near = SpellingSuggestion.nearest(to: table.name, among: [Self.keysTable])
            problems.append(SettingProblem(.line(table.line), table.name, .table, nearest: near))
        }
        for entry in text.entries {
            switch entry.table {
            case nil: readSetting(entry, check)
            case Self.keysTable?: readKeys(entry)
            default: break
            }
        }
        dropConflicts()
        problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private mutating func readSetting(
        _ entry: SettingsText.Entry, _ check: (PersonSetting, String) -> SettingCheck
    ) {
        let place = SettingSource.line(entry.line)
        guard let setting = PersonSetting(rawValue: entry.name) else {
            let near = SpellingSuggestion.nearest(
                to: entry.name, among: PersonSetting.allCases.map(\.rawValue))
            return problems.append(SettingProblem(place, entry.name, .setting, nearest: near))
        }
        switch entry.value {
        case .text(let text) where setting.isText: take(setting, text, place, check)
        case .flag(let isOn) where !setting.isText: take(setting, "\(isOn)", place, check)
        default:
            refuse(setting, entry.value.inWords, place, nearest: nil)
        }
    }

    private mutating func take(
        _ setting: PersonSetting, _ value: String, _ source: SettingSource,
        _ check: (PersonSetting, String) -> SettingCheck
    ) {
        let verdict: SettingCheck =
            if let words = setting.words {
                words.contains(value)
                    ? .good
                    : .wrong(nearest: SpellingSuggestion.nearest(to: value, among: words))
            } else {
                check(setting, value)
            }
        switch verdict {
        case .good: given[setting] = first(Given(value: value, source: source), given[setting])
        case .wrong(let near): refuse(setting, value, source, nearest: near)
        }
    }

    private mutating func refuse(
        _ setting: PersonSetting, _ found: String, _ source: SettingSource, nearest: String?
    ) {
        problems.append(
            SettingProblem(
                source, "\(setting.rawValue) = \(found)", setting.expected, nearest: nearest))
    }

    // MARK: - Keys

    private static let fixed: [Key] = [.enter, .escape, .control("c"), .control("z")]

    private mutating func readKeys(_ entry: SettingsText.Entry) {
        let place = SettingSource.line(entry.line)
        guard let name = KeyName(rawValue: entry.name) else {
            let near = SpellingSuggestion.nearest(
                to: entry.name, among: KeyName.allCases.map(\.rawValue))
            return problems.append(SettingProblem(place, entry.name, .binding, nearest: near))
        }
        let words: [String]
        switch entry.value {
        case .text(let word): words = [word]
        case .list(let list) where !list.isEmpty: words = list
        default:
            let found = "\(entry.name) = \(entry.value.inWords)"
            return problems.append(SettingProblem(place, found, .keys))
        }
        for word in words {
            guard let key = Key(word: word) else {
                let near = SpellingSuggestion.nearest(to: word, among: Key.words.map(\.word))
                return problems.append(SettingProblem(place, word, .key, nearest: near))
            }
            guard !Self.fixed.contains(key) else {
                return problems.append(SettingProblem(place, word, .chosenKey))
            }
        }
        // One that names the usual keys takes none from another binding.
        if words != name.usual { keys.chosen[name] = words }
        keyLines[name] = entry.line
    }

    /// The later of two bindings with one key has its usual key again. That may be the key of a
    /// third one by now, so this looks again until all keys can be told apart.
    private mutating func dropConflicts() {
        while let last = keys.conflicts.max(by: { line($0) < line($1) }) {
            let words = keys[last.name]
            let word = words.first { Key(word: $0) == last.key } ?? words.first ?? ""
            problems.append(
                SettingProblem(
                    .line(line(last)), "\(last.name.rawValue) = \(word)",
                    .keyBeside(last.other?.rawValue)))
            keys.chosen[last.name] = nil
            keyLines[last.name] = nil
        }
    }

    private func line(_ conflict: OwnKeys.Conflict) -> Int { keyLines[conflict.name] ?? 0 }
}

extension SettingProblem {
    /// Nil for the file as a whole, and for the environment.
    package var line: Int? {
        if case .line(let number)? = place { number } else { nil }
    }
}

extension SettingsText.Value {
    fileprivate var inWords: String {
        switch self {
        case .text(let text): text
        case .list(let texts): "[" + texts.joined(separator: ", ") + "]"
        case .flag(let isOn): "\(isOn)"
        case .number(let number): "\(number)"
        }
    }
}
