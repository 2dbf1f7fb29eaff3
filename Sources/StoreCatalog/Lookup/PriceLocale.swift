import Foundation
package import StoreModel

/// The locale a price is written in.
package enum PriceLocale {
    /// The person's language in the storefront's territory: somebody who reads Japanese and buys in
    /// Germany sees `ja_DE`. The script is named only where the territory would imply another.
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
