import ArgumentParser
import Shop
import ShopText
import StoreModel
import Terminal

/// The values of the options that many commands share: store, account, device and more. Each
/// command takes those that it uses (`CommandWithOptions`); the others keep their defaults.
struct GlobalOptions {
    var store: String?
    var catalog: String?
    var bundleID: String?
    var appAppleID: Int64?
    var environment = "Sandbox"
    var isEnvironmentGiven = false
    var account: String?
    var device: String?
    var territory: String?
    /// Whether `territory` becomes the account's own; else the command only looks at it.
    var movesAccount = false
    var locale: String?
    var language: String?
    var bandwidth: Bandwidth?
    /// How many packages are downloaded at the same time; nil for the usual number.
    var parallel: Int?
    var customer = false
    /// The account of `--as`.
    var organizer: String?
    var ephemeral = false
    var clock: Timestamp?
    var json = false
    /// Only lists have `--csv`.
    var csv = false

    /// The store is in a temporary folder that is removed at the end, as the demo's is.
    var isThrowaway = false
    /// Whether the store is lost when the command ends, so that no later command continues it.
    var isGoneAtTheEnd: Bool { ephemeral || isThrowaway }
    /// The shop is shown to an audience (`--presenter`).
    var isPresenting = false
    /// For a screen, what the person has set outside the account.
    var own = OwnChoices()
    /// Whether the terminal shows only ASCII; nil to ask the environment. JSON is always UTF-8.
    var isForASCII: Bool?

    /// Makes all texts from now on fit for a terminal with these capabilities.
    mutating func use(_ capabilities: Capabilities) {
        isForASCII = capabilities.isASCII
        if capabilities.isASCII { Output.speak(Output.strings.forASCII) }
    }

    /// The values of a command's parts on the command line.
    init(of command: some CommandWithOptions) {
        for part in Self.parts(of: command) { part.write(to: &self) }
    }

    /// Those of its groups, too. They are found as the parser finds them.
    fileprivate static func parts(of arguments: Any) -> [any OptionPart] {
        Mirror(reflecting: arguments).children.flatMap {
            ($0.value as? any PartHolder)?.parts ?? []
        }
    }
}

/// A part of the shared options. A command takes the whole part or none of it.
protocol OptionPart: ParsableArguments {
    func write(to all: inout GlobalOptions)
}

private protocol PartHolder {
    var parts: [any OptionPart] { get }
}

extension OptionGroup: PartHolder {
    fileprivate var parts: [any OptionPart] {
        (wrappedValue as? any OptionPart).map { [$0] } ?? GlobalOptions.parts(of: wrappedValue)
    }
}

/// A command that takes parts of the shared options: its own, or those of a group.
protocol CommandWithOptions: AsyncParsableCommand {
    /// All shared options; those that the command does not take have their defaults.
    var options: GlobalOptions { get }
}

extension CommandWithOptions {
    var options: GlobalOptions { GlobalOptions(of: self) }

    /// Writes the JSON if it is asked for; calls `orLine` otherwise, to write for a person.
    func write(json: @autoclosure () throws -> any Encodable, orLine: () -> Void) throws {
        guard options.json else { return orLine() }
        try Output.json(json())
    }
}

/// A command that works on an open store.
protocol StoreCommand: CommandWithOptions {
    /// Whether it shows what the device knows, and so does its work while the store's server is away.
    var readsDevice: Bool { get }
    func run(in store: OpenStore) async throws
}

extension StoreCommand {
    var readsDevice: Bool { false }

    func run() async throws {
        try await reporting(options) {
            let store = try await options.open(orKnown: readsDevice)
            try await run(in: store)
            try await store.refuseUnread()
        }
    }
}

/// A command that works on an open store and is not offered in a customer's shell.
protocol OperatorCommand: StoreCommand {}

extension OperatorCommand {
    func run() async throws {
        try await reporting(options) { try await run(in: options.openForOperator()) }
    }
}

// MARK: - Parts

/// Which catalog and which app, and the environment.
struct CatalogPart: OptionPart {
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
            "Sandbox, Production, Xcode or LocalTesting; signed into every transaction (else Sandbox).",
            valueName: "name"))
    var environment: String?

    func write(to all: inout GlobalOptions) {
        all.catalog = catalog
        all.bundleID = bundleID
        all.appAppleID = appAppleID
        all.environment = environment ?? all.environment
        all.isEnvironmentGiven = environment != nil
    }
}

/// The folder of a store on disk, or its address in a database.
struct FolderPart: OptionPart {
    @Option(
        help: ArgumentHelp(
            """
            The store's folder, or postgresql://HOST/DATABASE?store=NAME ($STOREFRONT_STORE; else a \
            folder for each bundle id).
            """, valueName: "dir"))
    var store: String?

    func write(to all: inout GlobalOptions) { all.store = store }
}

/// A store in memory.
struct EphemeralPart: OptionPart {
    @Flag(help: "A store in memory that is gone when this command ends.")
    var ephemeral = false

    func write(to all: inout GlobalOptions) { all.ephemeral = ephemeral }
}

/// The clock of a store that is removed at the end.
struct ClockPart: OptionPart {
    @Option(
        help: ArgumentHelp(
            """
            The time at which the clock of a store that is gone at the end stands: 2027-01-31 in \
            your time zone, or 2027-01-31T10:00:00Z; dates are in UTC then, unless $TZ is set.
            """, valueName: "date"),
        transform: { try DateArgument.clock($0) })
    var clock: Timestamp?

    func write(to all: inout GlobalOptions) { all.clock = clock }
}

/// The customer's account.
struct AccountPart: OptionPart {
    @Option(help: ArgumentHelp("The customer's account ($STOREFRONT_ACCOUNT).", valueName: "name"))
    var account: String?

    func write(to all: inout GlobalOptions) { all.account = account }
}

/// The customer's device.
struct DevicePart: OptionPart {
    @Option(help: ArgumentHelp("The customer's device ($STOREFRONT_DEVICE).", valueName: "name"))
    var device: String?

    func write(to all: inout GlobalOptions) { all.device = device }
}

/// The territory whose products and prices a command shows.
struct TerritoryPart: OptionPart {
    @Option(
        help: ArgumentHelp(
            "Look at a territory: JPN or JP. The account stays in its own.", valueName: "code"))
    var territory: String?

    func write(to all: inout GlobalOptions) { all.territory = territory }
}

/// The territory whose prices the account pays.
struct MovingPart: OptionPart {
    @Option(
        help: ArgumentHelp(
            "Move the account to a territory: JPN or JP. Kept with the account.",
            valueName: "code"))
    var territory: String?

    func write(to all: inout GlobalOptions) {
        all.territory = territory
        all.movesAccount = true
    }
}

/// The speed of the device's network, and its parallel downloads.
struct NetworkPart: OptionPart {
    @Option(
        help: ArgumentHelp(
            """
            Speed of downloads: bytes a second with k or M, 12s for any package in 12 seconds, or \
            unlimited (else $STOREFRONT_BANDWIDTH, your settings', or 256k; in the demo 12s).
            """, valueName: "rate"))
    var bandwidth: Bandwidth?

    @Option(
        help: ArgumentHelp(
            "How many packages are downloaded at the same time, 1 to 32 (else 2).",
            valueName: "count"),
        transform: { text in
            guard let count = Int(text), (1...32).contains(count) else {
                throw ValidationError("Give a number from 1 to 32.")
            }
            return count
        })
    var parallel: Int?

    func write(to all: inout GlobalOptions) {
        all.bandwidth = bandwidth
        all.parallel = parallel
    }
}

/// Whether the operator's commands and console are offered.
struct RolePart: OptionPart {
    @Flag(
        help: """
            A customer's role, without the operator's console and commands ($STOREFRONT_CUSTOMER=1): \
            for demonstrations, no protection.
            """)
    var customer = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            """
            Act as this account, the organizer of its family, and not as the operator of the whole \
            store: answer its children, change its family.
            """, valueName: "account"))
    var organizer: String?

    func write(to all: inout GlobalOptions) {
        all.customer = customer
        all.organizer = organizer
    }
}

/// The language of the command's output.
struct LanguagePart: OptionPart {
    @Option(
        help: ArgumentHelp(
            """
            The person's language and formats, such as ja_JP (else $STOREFRONT_LOCALE, your \
            settings', or $LANG).
            """, valueName: "id"))
    var locale: String?

    @Option(
        help: ArgumentHelp(
            """
            The language of the words alone: en or ja (else that of --locale, \
            $STOREFRONT_LANGUAGE, $STOREFRONT_LOCALE, your settings or $LANG). JSON stays as it is.
            """, valueName: "code"))
    var language: String?

    func write(to all: inout GlobalOptions) {
        all.locale = locale
        all.language = language
    }
}

/// JSON instead of text.
struct JSONPart: OptionPart {
    @Flag(
        help: """
            JSON, with the field names of Apple's signed payloads: one object, or for lists one a \
            line and none for an empty list. The same in every language.
            """)
    var json = false

    func write(to all: inout GlobalOptions) { all.json = json }
}

/// A list for spreadsheets instead of people.
struct CSVPart: OptionPart {
    @Flag(
        help: """
            Comma-separated values (RFC 4180) for a spreadsheet: a line of headings, then one for \
            each. Days and times are those of your time zone ($TZ), as in the table; amounts are \
            numbers. A text that a spreadsheet would run as a formula begins with '.
            """)
    var csv = false

    func write(to all: inout GlobalOptions) { all.csv = csv }
}
