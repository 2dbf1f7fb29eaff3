import ArgumentParser
import Basics
import ContentClient
import CursesTerminal
import DurableFiles
import Shop
import ShopText
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreHost
import StoreModel

/// A store opened for one command, with the account and the device that the command is for.
struct OpenStore {
    var host: StoreHost
    let catalog: CatalogReading
    /// The shop may continue as another account or on another device.
    var account: AccountName
    var deviceName: DeviceName
    /// Whether the catalog was read from a file, and not from the store.
    let hasCatalogFile: Bool
    let locale: String
    /// Whether `--locale` or the person's settings named the locale, or the terminal cannot show the
    /// account's.
    let isLocaleAsked: Bool
    let speed: NetworkSpeed
    let downloadsAtOnce: Int
    /// A customer's role: the operator's actions are not offered.
    let isCustomers: Bool
    /// The shop is shown to an audience (`--presenter`).
    let isPresenting: Bool
    /// The organizer whom `--as` names; nil for the store's operator.
    let actor: AccountName?

    /// Opens the store itself, of one whose server was away and that is open as it is known here; nil
    /// for any other.
    var openAgain: (@Sendable () async throws -> OpenStore)?

    /// The device that reads are made through, once it is open or was refused.
    let answering = AnsweringDevice()

    var engine: StoreEngine { host.engine }
    var now: Timestamp { engine.clock.now() }
    /// Nil for a catalog that names no app.
    var appName: String? {
        let catalog = catalog.catalog
        return catalog?.appName.text(for: locale, fallback: catalog?.defaultLocale ?? "en")
    }

    /// Over the whole store, or over the family of the organizer that `--as` names.
    var console: some StoreOperator { engine.storeOperator(as: actor) }
    /// The one inside the account's own shop: a child cannot approve its own requests there.
    var consoleOfShop: some StoreOperator { engine.storeOperator(as: actor, besides: account) }

    var session: any Store {
        host.session(
            account: account, device: deviceName, locale: locale, isLocaleAsked: isLocaleAsked)
    }

    /// This command's device for reading only, which also works in a store that cannot be written.
    /// It is opened once: opening may have waited for another process's lock in vain.
    func deviceToRead() async throws(StoreError) -> Device {
        if let opened = answering.opened { return try opened.get() }
        let opened: Result<Device, StoreError>
        do throws(StoreError) {
            opened = .success(
                try await host.deviceToRead(
                    account: account, name: deviceName, locale: locale,
                    isLocaleAsked: isLocaleAsked))
        } catch {
            opened = .failure(error)
        }
        answering.opened = opened
        return try opened.get()
    }

    /// Throws `storeNewer` if the ledger has an entry about the account that this program cannot
    /// read: then an answer that was just given may lack what the entry says. Other errors of this
    /// check are ignored.
    func refuseUnread() async throws(StoreError) {
        do throws(StoreError) { try await engine.refuseUnknownFacts(of: account) } catch
            where error.code == .storeNewer
        {
            throw error
        } catch {}
    }

    /// A device, this command's own for what is nil; not launched yet.
    func device(
        account: AccountName? = nil, name: DeviceName? = nil, speed: NetworkSpeed? = nil
    ) async throws(StoreError) -> Device {
        try await host.device(
            account: account ?? self.account, name: name ?? deviceName, locale: locale,
            isLocaleAsked: isLocaleAsked, speed: speed ?? self.speed,
            downloadsAtOnce: downloadsAtOnce)
    }

    /// Records what is due for the account and its family: while the store is closed nothing is
    /// recorded, and a list would show that past state. Errors are ignored, because the read that
    /// follows throws them, too.
    func recordDue() async { _ = try? await session.familyStatus() }

    func recordDueOfAll() async {
        _ = try? await engine.storeOperator.history(
            before: nil, filter: HistoryFilter(), limit: 1)
    }

    /// Notes up to when the store has recorded what is due, if it is read-only and behind.
    func noteOverdue() async throws(StoreError) {
        guard let since = try await session.overdueSince() else { return }
        Output.note(Output.strings[.overdue(since: Output.strings.date(since))])
    }

    /// Seconds by which the system's clock was set back; nil up to one minute.
    var secondsSetBack: Int64? {
        let behind = engine.clock.millisecondsAhead
        return behind > Self.setBackMillisecondsMin ? behind / 1_000 : nil
    }

    private static let setBackMillisecondsMin: Int64 = 60_000

    /// Launches this command's device, and notes if the device has to poll for other processes'
    /// changes.
    ///
    /// - Parameter limit: for a command that is about something else: the most that it may charge
    ///   by resending payments whose sender has ended.
    func launch(
        _ device: Device, resendingAtMost limit: Money? = nil
    ) async throws(StoreError) {
        if let limit {
            try await device.launch(resendingAtMost: limit)
        } else {
            try await device.launch()
        }
        noteIfNotWatching()
    }

    /// Launches this command's device for a command that buys nothing: it delivers sales, but holds
    /// and reports a payment whose sender has ended. Only commands that buy, the shop and `watch`
    /// resend payments, which may charge.
    ///
    /// - Parameter leavingPayments: leaves such a payment to another process, if nobody attends.
    func launchToDeliver(
        _ device: Device, leavingPayments: Bool = false
    ) async throws(StoreError) {
        try await device.launchToDeliver(leavingPayments: leavingPayments)
        noteIfNotWatching()
    }

    /// Makes the manifests of the catalog's content folders in the background, for a process that
    /// runs long. If the process ends before, the next one continues.
    func makeManifests() {
        let host = host
        Task.detached(priority: .background) { await host.makeManifests() }
    }

    private func noteIfNotWatching() {
        if !host.noticesOtherProcesses { Output.note(Output.strings[StatusText.notWatching]) }
    }
}

extension GlobalOptions {
    /// Notes a catalog that the store does not sell, and why the opening takes over a second.
    ///
    /// - Parameter orKnown: as for `openForScreen`.
    func open(orKnown: Bool = false) async throws -> OpenStore {
        let store = try await openForScreen(orKnown: orKnown) {
            Output.note(OpeningNotice.text($0))
        }
        let problems = try await store.host.catalogProblems(path: store.catalog.path)
        if !problems.isEmpty { Output.refused(problems, of: store.catalog.path) }
        if store.engine.catalogRefusal?.code == .storeReadOnly {
            Output.note(.catalogNotWritten(path: store.catalog.path))
        }
        if store.engine.adoptedCatalog {
            for text in try await CatalogNotice.settings(store) { Output.note(text) }
            Output.warnings(of: store.catalog)
        }
        if let seconds = store.secondsSetBack {
            Output.note(.clockBehind(seconds: seconds))
        }
        return store
    }

    /// Opens the store and prints nothing; a screen shows the notes itself.
    ///
    /// - Parameter orKnown: whether a store in a database whose server is away is opened as this
    ///   machine knows it: everything that asks it throws `storeUnreachable`, and its devices do what
    ///   they do without a network.
    func openForScreen(
        orKnown: Bool = false,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in }
    ) async throws -> OpenStore {
        try checkStoreAndClock()
        let paths = StoragePaths.current
        do { return try await openStore(openDatabase(paths), paths, onDelay) } catch let error
            as StoreError where orKnown && error.code == .storeUnreachable
        {
            guard let known = try knownDatabase(paths, away: error) else { throw error }
            var store = try await openStore(known, paths, onDelay)
            store.openAgain = { [self] in try await openForScreen() }
            return store
        }
    }

    private func openStore(
        _ database: ChosenDatabase?, _ paths: StoragePaths,
        _ onDelay: @escaping @Sendable (OpeningDelay) -> Void
    ) async throws -> OpenStore {
        var reading = try readCatalog(paths, of: database)
        guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
        let identity = try identity(of: catalog, in: database)
        let absence = database?.database.absence
        if let absence, absence.known.identity != identity { throw absence.error }
        let account = accountName(paths)
        let device = try deviceName(paths, in: database)
        try NameRule.check(account.rawValue, for: "account")
        try NameRule.check(device.rawValue, for: "device")
        if let organizer { try NameRule.check(organizer, for: "account") }
        let askedLocale = try checkedLocale
        let wanted =
            askedLocale ?? PersonLocale.identifier(in: paths.environment) ?? catalog.defaultLocale
        // The terminal would show these names as question marks: take a locale with names in ASCII.
        let isForASCII = !json && (isForASCII ?? ProcessLocale.asksForASCII)
        let locale = isForASCII ? catalog.localeReadableInASCII(wanted) : wanted
        let storage = try storage(paths, database, identity)
        var configuration = StoreConfiguration(
            identity: identity, storage: storage, catalog: catalog,
            catalogDigest: reading.sourceDigest, catalogSource: reading.source, locale: locale)
        configuration.contentServers = HTTPContentServers()
        if catalog.hadPrivateKey == true, database?.kept == nil {
            configuration.offerKey = CatalogReader.offerKey(path: reading.path)
        }
        // From here on the store has the catalog; release the bytes of the file.
        reading.source = nil
        if let territory, !movesAccount { configuration.lookedAt = try Storefront.named(territory) }
        let opening = clock.map { OpeningClock(at: $0) }
        if let opening { configuration.clock = opening }
        let host = try await StoreHost.open(configuration, onDelay: onDelay)
        configuration.catalogSource = nil
        await database?.keepKnown(of: host, paths)
        try await opening?.stopClock(of: host)
        if let territory, movesAccount {
            _ = try await host.storeOperator.perform(
                .changeAccount(AccountChange(account: account, territory: territory)))
        }
        var names = locale
        var comesFirst = askedLocale != nil || locale != wanted
        if isForASCII, !comesFirst, absence == nil,
            let own = try await host.storeOperator.settings(of: account).locale
        {
            names = catalog.localeReadableInASCII(own)
            comesFirst = names != own
        }
        return OpenStore(
            host: host, catalog: reading, account: account, deviceName: device,
            hasCatalogFile: database?.kept == nil, locale: comesFirst ? names : locale,
            isLocaleAsked: comesFirst,
            speed: (bandwidth ?? PersonSettings.current.bandwidth ?? .standard).speed,
            downloadsAtOnce: parallel ?? DeviceLimits.downloadsAtOnce,
            isCustomers: isCustomers(paths),
            isPresenting: isPresenting, actor: organizer.map { AccountName($0) })
    }

    private func storage(
        _ paths: StoragePaths, _ chosen: ChosenDatabase?, _ identity: AppIdentity
    ) throws(StoreError) -> StoreConfiguration.Storage {
        if ephemeral { return .ephemeral(try EphemeralFolder.make() + "/store") }
        if let chosen { return .database(chosen.database, devices: chosen.machine.path) }
        return .folder(
            try paths.store(option: store, bundleID: identity.bundleID).text)
    }

    /// - Throws: `ValidationError` for `--store` together with `--ephemeral`, and for `--clock`
    ///   with a store that is kept: its time is recorded in the store, and `operator clock` moves
    ///   it.
    func checkStoreAndClock() throws {
        guard store == nil || !ephemeral else {
            throw ValidationError(
                "--store names a store that stays, and --ephemeral asks for one that does not: give "
                    + "one of them.")
        }
        guard clock != nil, !ephemeral, !isThrowaway else { return }
        throw ValidationError(
            "--clock is for a store that is gone at the end: give --ephemeral, or --demo to "
                + "screenshot. Another store's clock is moved by: storefront operator clock to DATE"
        )
    }

    /// From `--locale`, else from the person's settings, else nil. Throws `ValidationError` for an
    /// unknown language of the option.
    private var checkedLocale: String? {
        get throws {
            guard let locale else { return PersonSettings.current.locale }
            switch SettingsFile.locale(locale) {
            case .good(let code): return code
            case .unknown(let suggestion):
                throw ValidationError(
                    "--locale \(UntrustedText.quote(locale)): there is no such language."
                        + (suggestion.map { " Did you mean \"\($0)\"?" }
                            ?? " Locales look like en, ja_JP or zh_Hans."))
            }
        }
    }

    /// From these options, else from the person's settings, else from the environment.
    ///
    /// - Throws: `ValidationError` for a language without texts here, and for an invalid locale.
    func strings() throws -> Strings {
        if let language, Languages.exactly(language) == nil {
            throw ValidationError(
                "--language \(UntrustedText.quote(language)): this program speaks "
                    + Languages.all.map { $0.code }.joined(separator: " and ") + ".")
        }
        let checked =
            try checkedLocale ?? PersonLocale.identifier(in: StoragePaths.current.environment)
        return Strings(
            locale: checked ?? "en_US",
            language: PersonSettings.current.language(option: language, locale: locale)?.value,
            isASCII: ProcessLocale.asksForASCII)
    }

    /// Opens the store for an operator's command. Throws `ValidationError` in a customer's shell.
    func openForOperator() async throws -> OpenStore {
        try refuseCustomer()
        return try await open()
    }

    /// Throws `ValidationError` in a customer's shell.
    func refuseCustomer() throws {
        guard !isCustomers(.current) else {
            throw ValidationError(
                "This is a customer's shell (--customer or $STOREFRONT_CUSTOMER=1): the operator's "
                    + "commands are not offered here.")
        }
    }

    /// For demonstrations. It protects nothing, because one Unix user owns the store.
    func isCustomers(_ paths: StoragePaths) -> Bool {
        customer || ["1", "true", "yes"].contains(paths.environment["STOREFRONT_CUSTOMER"])
    }

    /// From `--account`, else the organizer of `--as`, else from the environment. The demo's
    /// customer has a name.
    func accountName(_ paths: StoragePaths) -> AccountName {
        AccountName(
            account ?? organizer ?? paths.environment["STOREFRONT_ACCOUNT"]
                ?? (isThrowaway ? DemoStore.customer : "me"))
    }

    func readCatalog(_ paths: StoragePaths) throws -> CatalogReading {
        let path = try paths.catalogFile(option: catalog) ?? embeddedCatalog(paths)
        return CatalogReader.read(path: path)
    }

    /// Unpacks it into the data folder, or beside a throwaway store. Returns the catalog's path.
    private func embeddedCatalog(_ paths: StoragePaths) throws(StoreError) -> String {
        try EmbeddedDemo.unpack(
            into: ephemeral || isThrowaway ? EphemeralFolder.make() : paths.dataFolder())
    }

    func identity(of catalog: Catalog) throws(StoreError) -> AppIdentity {
        try AppIdentity(
            of: catalog, bundleID: bundleID, appAppleID: appAppleID,
            environment: StoreEnvironment(environment))
    }
}

/// The text for a person who waits for a store to open.
enum OpeningNotice {
    static func text(_ delay: OpeningDelay) -> StoreLineText {
        switch delay {
        case .waiting(let holder): .waitingForLock(process: holder.map { "\($0)" })
        case .migrating(let done, let total):
            .migrating(percent: Int(done * 100 / max(1, total)))
        }
    }
}
