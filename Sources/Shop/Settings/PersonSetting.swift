package import ShopText

/// A setting that a person keeps in the settings file. This is the one list of them.
package enum PersonSetting: String, Hashable, Sendable, CaseIterable {
    case theme, language, locale, glyphs, animation, bandwidth

    package var option: String { "--" + rawValue }
    package var variable: String { "STOREFRONT_" + rawValue.uppercased() }

    /// Without a setting; nil where the system's locale decides.
    package var usual: String? {
        switch self {
        case .theme, .glyphs: "auto"
        case .animation: "true"
        case .bandwidth: "256k"
        case .language, .locale: nil
        }
    }

    /// Whether a person changes it on screen, and the account keeps it.
    package var isAccounts: Bool { self == .theme || self == .language }

    /// Whether the value is a string in the settings file.
    package var isText: Bool { self != .animation }
}

/// The check of a value by the program; with the nearest right word for a wrong one.
package enum SettingCheck: Hashable, Sendable {
    case good
    case wrong(nearest: String?)
}

/// What a person has set outside the account, as far as the screens need it.
package struct OwnChoices: Hashable, Sendable {
    package var keys = OwnKeys()
    /// Where the values come from that hide the account's.
    package var hiding: [PersonSetting: SettingSource] = [:]
    /// Whether a balance that grows counts up.
    package var animates = true

    package init() {}
}
