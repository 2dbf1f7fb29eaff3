import ArgumentParser
import StoreModel

/// Which store, whose account, which device. The same before and after a subcommand.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store's folder ($STOREFRONT_STORE; else one for each bundle id).",
            valueName: "dir"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            """
            The catalog: ours or Xcode's .storekit ($STOREFRONT_CATALOG; else ./catalog.json; \
            else the installed demo).
            """, valueName: "file"))
    var catalog: String?

    @Option(help: ArgumentHelp("The app's bundle id (else the catalog's).", valueName: "id"))
    var bundleID: String?

    @Option(
        name: .customLong("app-apple-id"),
        help: ArgumentHelp("The app's App Apple ID (else the catalog's).", valueName: "number"))
    var appAppleID: Int64?

    @Option(
        help: ArgumentHelp(
            "Sandbox, Production, Xcode or LocalTesting; signed into every transaction.",
            valueName: "name"))
    var environment: String = "Sandbox"

    @Option(help: ArgumentHelp("The customer's account ($STOREFRONT_ACCOUNT).", valueName: "name"))
    var account: String?

    @Option(help: ArgumentHelp("The customer's device ($STOREFRONT_DEVICE).", valueName: "name"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "Move the account to a territory: JPN or JP. Kept with the account.",
            valueName: "code"))
    var territory: String?

    @Option(
        help: ArgumentHelp(
            "The person's language and formats, such as ja_JP (else $LANG).", valueName: "id"))
    var locale: String?

    @Option(
        help: ArgumentHelp(
            "The language of the words alone: en or ja (else the locale's). JSON stays as it is.",
            valueName: "code"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            """
            Speed of downloads: bytes a second with k or M, 12s for any package in 12 seconds, or \
            unlimited (else 256k; in the demo 12s).
            """, valueName: "rate"))
    var bandwidth: Bandwidth?

    @Flag(
        help: """
            A customer's role, without the operator's console and commands ($STOREFRONT_CUSTOMER=1): \
            for demonstrations, no protection.
            """)
    var customer = false

    @Flag(help: "A store in memory that is gone when this command ends.")
    var ephemeral = false

    @Option(
        help: ArgumentHelp(
            """
            The time at which the clock of a store that is gone at the end stands: 2027-01-31 or \
            2027-01-31T10:00:00Z. Dates are in UTC then, unless $TZ is set.
            """, valueName: "date"),
        transform: { try DateArgument.clock($0) })
    var clock: Timestamp?

    /// A store that is gone at the end, as the demo's: nothing is left in the data folder.
    var isThrowaway = false
    /// The shop is shown to an audience (`--presenter`).
    var isPresenting = false

    private enum CodingKeys: String, CodingKey {
        case store, catalog, bundleID, appAppleID, environment, account, device, territory, locale
        case language, bandwidth, customer, ephemeral, clock, json
    }

    @Flag(
        help: """
            JSON, with the field names of Apple's signed payloads: one object, or for lists one a \
            line and none for an empty list. The same in every language.
            """)
    var json = false
}
