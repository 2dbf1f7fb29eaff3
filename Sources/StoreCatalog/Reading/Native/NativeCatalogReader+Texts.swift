import Basics
import StoreModel

extension NativeCatalogReader {
    /// In characters. Longer names get a warning and are kept whole.
    static let nameLengthMax = 255

    /// At least one text, without line breaks. Warns if no text is in the default language.
    mutating func readName(_ value: JSONValue?) -> LocalizedText? {
        let defectsBefore = problems.defectCount
        guard let value, let text = readText(value, isName: true),
            problems.defectCount == defectsBefore
        else { return nil }
        guard !text.byLocale.isEmpty else {
            problems.defect(
                at: value, code: .missingText, found: "no text",
                expected: "a name in at least one language")
            return nil
        }
        if !hasDefaultLanguage(text) {
            problems.warn(
                at: value, code: .missingText, found: "no text in \(defaults.language)",
                expected: "a name in the default language, \(defaults.language)")
        }
        return text
    }

    /// Without control characters and without blank texts.
    mutating func readText(_ value: JSONValue, isName: Bool) -> LocalizedText? {
        guard value.kind == .object else {
            problems.defect(
                at: value, expected: "an object of texts by locale, such as {\"en\": \"...\"}")
            return nil
        }
        var byLocale: [String: String] = [:]
        value.forEachMember { key, content in
            let code = key.text
            guard let locale = readLocale(code, at: key), let raw = problems.text(content) else {
                return
            }
            if byLocale[locale] != nil {
                return problems.defect(
                    at: key, code: .repeatedLocalization, found: "a second text for \(locale)",
                    expected: "each locale once")
            }
            let text = UntrustedText.clean(raw, keepingLines: !isName)
            if text != raw { warnOfControls(raw, at: content) }
            if isName, text.utf8.count > Self.nameLengthMax, text.count > Self.nameLengthMax {
                problems.warn(
                    at: content, code: .longName, found: "\(text.count) characters",
                    expected: "a name of at most \(Self.nameLengthMax) characters")
            }
            if UntrustedText.isBlank(text) {
                if isName {
                    problems.warn(
                        at: content, code: .missingText, found: "an empty text", expected: "a name")
                }
                return
            }
            byLocale[locale] = text
        }
        return LocalizedText(byLocale)
    }

    private mutating func warnOfControls(_ raw: String, at value: JSONValue) {
        problems.warn(
            at: value, code: .hiddenCharacters,
            found: "control or invisible characters in \(UntrustedText.quote(raw))",
            expected: "plain text; they are left out")
    }

    private func hasDefaultLanguage(_ text: LocalizedText) -> Bool {
        if text.byLocale[defaults.language] != nil || text.byLocale[defaults.locale] != nil {
            return true
        }
        return LanguageMatch(defaults.locale).best(of: text.byLocale.keys) != nil
    }
}
