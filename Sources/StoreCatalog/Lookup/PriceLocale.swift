import Foundation
package import StoreModel

/// The locale for writing a price.
package enum PriceLocale {
    /// The person's language in the storefront's territory: `ja_DE` for a person who reads Japanese
    /// and buys in Germany. The script is included only if the territory implies another one.
    package static func identifier(locale: String, storefront: Storefront) -> String {
        let language = Locale.Language(identifier: LocaleName.plain(locale))
        let code = language.languageCode?.identifier ?? "en"
        let inTerritory = "\(code)_\(storefront.regionCode)"
        let script = language.script?.identifier ?? ""
        let implied = Locale.Language(identifier: inTerritory).script?.identifier
        if script.isEmpty || script == implied { return inTerritory }
        return "\(code)_\(script)_\(storefront.regionCode)"
    }
}
