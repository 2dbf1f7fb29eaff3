import StoreCatalog
import StoreModel

/// Decides changes of an account's settings.
enum AccountRules {
    /// Nil if the settings would not change. Throws `invalidName` for an unknown territory or
    /// locale, and `childAlwaysAsks` for turning off a child's Ask to Buy.
    static func change(
        _ change: AccountChange, home territory: String, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        var settings = context.settings(of: change.account, home: territory)
        let before = context.snapshot.accounts[change.account]
        if change.askToBuy == false, let family = context.snapshot.families[change.account],
            family.isChild(change.account)
        {
            throw StoreError(
                .childAlwaysAsks, subject: change.account.rawValue,
                expected: family.organizer.rawValue)
        }
        for setting in AccountSwitch.allCases {
            settings[setting] = change[setting] ?? settings[setting]
        }
        if let text = change.territory {
            settings.territory = try Storefront.named(text).countryCode
        }
        if let text = change.locale {
            settings.locale = text.isEmpty ? nil : try locale(text)
        }
        guard settings != before else { return nil }
        return Decision(
            reads: context.reads([.account(change.account)]),
            entries: [context.entry(.accountChanged(settings), of: change.account)])
    }

    /// A locale in the catalogs' spelling: `ja_JP` for `ja-jp`.
    private static func locale(_ text: String) throws(StoreError) -> String {
        var codes = LocaleCodes()
        switch codes.check(text) {
        case .good(let code): return code
        case .unknown(let suggestion):
            throw StoreError(
                .invalidName, subject: "locale", found: text,
                expected: suggestion ?? "a locale such as en_US, ja or zh_Hans")
        }
    }
}
