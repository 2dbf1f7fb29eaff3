import StoreModel

extension Catalog {
    /// The locale in which a terminal that shows only ASCII can show the most names: the person's,
    /// else the catalog's, else English, else any locale of a name.
    package func localeReadableInASCII(_ wanted: String) -> String {
        let names = [appName] + products.map(\.name)
        let others = Set(names.flatMap(\.byLocale.keys)).sorted()
        let candidates = ([wanted, defaultLocale, "en"] + others).map { locale in
            let preference = LanguagePreference(locale: locale, fallback: defaultLocale)
            let unreadable = names.count { !Self.isReadableInASCII(preference.text(of: $0)) }
            return (locale: locale, unreadable: unreadable)
        }
        return candidates.min { $0.unreadable < $1.unreadable }?.locale ?? wanted
    }

    /// Whether all letters are Latin. An accent may be left out, but a letter of another script
    /// cannot be replaced by ASCII.
    private static func isReadableInASCII(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value < 0x250 || !$0.properties.isAlphabetic }
    }
}
