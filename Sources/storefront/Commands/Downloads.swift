import ArgumentParser
import Foundation
import ShopText
import StoreDevice
import StoreModel

struct Downloads: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List downloads; pause, resume, cancel or remove them.",
        discussion: """
            A download runs while the shop, `watch` or `buy` runs on this device; otherwise it is \
            waiting, and continues at the next launch. With --json every command prints the \
            downloads it is about, a line each, as they are afterwards; isWorkedOn says whether a \
            process continues one.

            EXAMPLES
              storefront downloads
              storefront downloads pause lantern.book.lighthouse.1
              storefront downloads resume lantern.book.lighthouse.1
              storefront downloads cancel lantern.book.lighthouse.2 --package pictures
            """,
        subcommands: [
            List.self, Run.self, Pause.self, Resume.self, Update.self, Cancel.self,
            ContentCommands.Path.self, ContentCommands.Remove.self, Settings.self,
        ],
        defaultSubcommand: List.self)

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "What this device has downloaded, and what is on its way.")

        @OptionGroup var given: CustomerOptions

        func items(in store: OpenStore) async throws -> [DownloadText.Item] {
            let device = try await store.deviceToRead()
            let downloads = try await device.downloads()
            let takenBack = Set(
                try await device.deliveries().filter { $0.isVoid || $0.takenBack == .all }
                    .map(\.transactionID))
            return try await device.items(of: downloads).map { item in
                var item = item
                item.isOwned = !takenBack.contains(item.download.transactionID)
                return item
            }
        }

        func none(in _: OpenStore) -> String? { Output.strings[.noDownloads] }

        func columns(of _: [DownloadText.Item], in _: OpenStore) -> [Column<DownloadText.Item>] {
            DownloadText.columns
        }

        func line(_ item: DownloadText.Item) -> any Encodable {
            item.download.fields(installedPath: item.path)
        }

        func run(in store: OpenStore) async throws {
            let items = try await items(in: store)
            try await list(items, in: store)
            guard !options.json else { return }
            let downloads = items.map(\.download)
            for text in DownloadText.stopped(downloads) { Output.note(text) }
            Downloads.noteConsent(downloads)
            Downloads.noteIdle(downloads.filter { $0.state == .waiting })
        }
    }

    struct Run: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Continue the downloads without a screen, until none is left.",
            discussion: """
                Ends when no download continues by itself any more, and says of each that has not \
                finished what it waits for, and for whom. Exit code 0 if nothing is left but paused \
                downloads, which are left alone; 12 if a download has failed, or waits for room on \
                the disk or for consent to use a metered connection. Where another process of the \
                device downloads, this one watches it, and continues if it ends. It also ends \
                with 12 when nothing has moved for --patience seconds, as without a network or where \
                the other process stands still.

                EXAMPLES
                  nohup storefront downloads run &
                  storefront downloads run --patience 3600     waits longer for the network
                """)
        @Option(help: "End when nothing has moved for so many seconds.")
        var patience = Self.defaultPatience

        /// In seconds; longer than the longest pause between two tries of a download.
        static let defaultPatience = 60

        @OptionGroup var given: DownloadingOptions

        func validate() throws {
            guard patience > 0 else {
                throw ValidationError("Give a number of seconds above 0.")
            }
        }

        func run(in store: OpenStore) async throws {
            try await Downloads.run(in: store, options, patience: patience)
        }
    }

    struct Pause: DownloadChange {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Pause a product's downloads, in whichever process they run.")
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Option(help: Downloads.packageHelp) var package: String?

        @OptionGroup var given: CustomerOptions

        static let operation = ContentOperation.pauseDownloads
    }

    struct Resume: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Resume downloads, or fetch again what was cancelled or removed.",
            discussion: """
                What is asked for last comes first. A download that found the disk full continues \
                when there is room: --make-room removes other content that can be fetched again, \
                opened longest ago first and never what is open; `downloads cancel` removes what \
                was downloaded so far. On a metered connection (`downloads settings`) a large \
                download asks on a terminal, and needs --metered elsewhere. Exit code 12 if it does \
                not continue by itself: it failed, waits for room, consent or the network, was paused or cancelled meanwhile, or got no \
                data for a minute.

                EXAMPLES
                  storefront downloads resume lantern.book.lighthouse.1
                  storefront downloads resume lantern.book.lighthouse.1 --make-room
                """)
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Option(help: Downloads.packageHelp) var package: String?
        @Flag(help: "Return at once; downloads continue whenever a device is open.")
        var noWait = false
        @Flag(help: "Remove other content if the disk is too full.")
        var makeRoom = false
        @Flag(help: "Download also on a metered connection, however large it is.")
        var metered = false

        @OptionGroup var given: DownloadingOptions

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            let watcher = DeviceWatcher(device, remarksOf: store)
            let product = ProductID(identifier)
            // Make room before the launch, while the recorded download says how much room it needs:
            // after the launch this process tries the download and measures the disk again.
            let removed = makeRoom ? try await device.makeRoom(for: product, package: package) : []
            if !noWait { try await store.launchToDeliver(device) }
            Downloads.note(removed: removed, options)
            let wasHere = try await isHere(product, on: device)
            var ending: Ending?
            if metered {
                try await device.consentToDownload(of: product, package: package)
            } else {
                try await device.resumeDownloads(of: product, package: package)
                if try await Downloads.ask(product, on: device) == false { ending = .declined }
            }
            if wasHere, try await isHere(product, on: device) {
                if !options.json { Output.note(.downloadedAlready(product.rawValue)) }
            } else if noWait {
                if !options.json, ending == nil {
                    let rows = try await device.downloads().of(product, package)
                        .filter(\.isUnderWay)
                    Downloads.noteConsent(rows)
                    Downloads.noteIdle(rows)
                }
            } else if ending == nil {
                ending = try await Downloads.follow(
                    product, package, on: device, of: store, watcher,
                    hasMadeRoom: makeRoom && removed.isEmpty)
            }
            try await show(product, package, on: device)
            if ending == .stopped { throw Exit.failed }
        }

        /// Whether all its packages are here, in the version that its downloads ask for.
        private func isHere(_ product: ProductID, on device: Device) async throws -> Bool {
            let rows = try await device.downloads().of(product, package)
            return !rows.isEmpty && rows.allSatisfy { $0.state == .finished }
        }
    }

    struct Update: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "List newer versions of downloaded content, or fetch them.",
            discussion: """
                A newer version is fetched beside the one on this device, which stays readable until \
                the newer one is in place. `downloads cancel` gives up an update and keeps what is \
                there.

                EXAMPLES
                  storefront downloads update                              what there is
                  storefront downloads update lantern.book.lighthouse.1
                  storefront downloads update --all
                """)
        @Argument(help: ArgumentHelp("The products.", valueName: "id")) var identifiers: [String] =
            []
        @Flag(help: "Everything that has a newer version.")
        var all = false

        @OptionGroup var given: DownloadingOptions

        func validate() throws {
            guard identifiers.isEmpty || !all else {
                throw ValidationError("Give products or --all, not both.")
            }
        }

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            let found = try await device.contentUpdates()
            guard all || !identifiers.isEmpty else { return try list(found, device) }
            let asked = all ? Set(found.map(\.productID)) : Set(identifiers.map { ProductID($0) })
            let watcher = DeviceWatcher(device, remarksOf: store)
            if !asked.isEmpty { try await store.launchToDeliver(device) }
            if asked.isEmpty { noteNone(on: device) }
            var isComplete = true
            for product in asked.sorted() {
                let updates = try await device.updateContent(of: product)
                guard !updates.isEmpty else {
                    noteNone(of: product, on: device)
                    continue
                }
                guard try await Downloads.ask(product, on: device) != false else { continue }
                let ending = try await Downloads.follow(product, on: device, of: store, watcher)
                guard ending == .complete else {
                    isComplete = false
                    continue
                }
                try list(updates, device)
            }
            if !isComplete { throw Exit.failed }
        }

        /// That nothing newer is known; offline, that this device cannot know.
        private func noteNone(of product: ProductID? = nil, on device: Device) {
            guard !options.json else { return }
            guard !device.network().isOff else {
                return Output.note(Output.strings[Refusal.updatesUnknown])
            }
            Output.note(product.map { .upToDate($0.rawValue) } ?? .noUpdates)
        }

        private func list(_ updates: [ContentUpdate], _ device: Device) throws {
            if updates.isEmpty { noteNone(on: device) }
            for update in updates {
                try write(json: update) { Output.line(DownloadText.update(update)) }
            }
        }
    }

    struct Cancel: DownloadChange {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Stop a product's downloads and drop the partial files.",
            discussion: "Of an update the version on this device stays.")
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Option(help: Downloads.packageHelp) var package: String?

        @OptionGroup var given: CustomerOptions

        static let operation = ContentOperation.cancelDownloads

        func carryOut(_ product: ProductID, on device: Device) async throws -> String {
            // A cancelled update leaves the installed version on this device.
            let kept = try await device.downloads().of(product, package).first(where: \.isUpdate)?
                .installedVersion
            _ = try await device.perform(Self.operation, on: product, package: package)
            return kept.map { Output.strings[.updateCancelledLine(identifier, version: $0)] }
                ?? Output.strings.done(Self.operation, on: subject)
        }
    }

    struct Settings: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "Show or change how this device downloads.",
            discussion: """
                On a metered connection a download of --ask-from bytes or more (else 50 MB) waits \
                until somebody consents: `downloads resume ID --metered`, or Space in the shop. With \
                --make-room on, a download that finds the disk full removes what can be fetched \
                again, opened longest ago first and never what is open.

                EXAMPLES
                  storefront downloads settings
                  storefront downloads settings --metered on --ask-from 20000000
                """)
        @Option(help: "Whether the connection is metered: on or off.")
        var metered: Switch?
        @Option(help: ArgumentHelp("From how many bytes on a download asks.", valueName: "bytes"))
        var askFrom: Int64?
        @Option(help: "Whether room is made without asking: on or off.")
        var makeRoom: Switch?

        @OptionGroup var given: CustomerOptions

        func validate() throws {
            guard askFrom.map({ $0 >= 0 }) ?? true else {
                throw ValidationError("Give a number of bytes that is not below 0.")
            }
        }

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            let before = try await device.settings()
            var settings = before
            if let metered { settings.isMetered = metered == .on }
            if let askFrom { settings.meteredBytes = askFrom }
            if let makeRoom { settings.makesRoom = makeRoom == .on }
            if settings != before { try await device.change(settings) }
            // Theme and language are choices of the screens, and the backend has its own command.
            settings.theme = nil
            settings.language = nil
            settings.backend = nil
            try write(json: settings) { Output.line(.downloadSettings(settings)) }
        }
    }
}

/// A command that changes the downloads of one product, or of one package of it, in whichever
/// process they run.
protocol DownloadChange: StoreCommand {
    var identifier: String { get }
    /// Nil for all packages.
    var package: String? { get }
    static var operation: ContentOperation { get }
    /// Carries the operation out, and returns the note that it was.
    func carryOut(_ product: ProductID, on device: Device) async throws -> String
}

extension DownloadChange {
    func carryOut(_ product: ProductID, on device: Device) async throws -> String {
        _ = try await device.perform(Self.operation, on: product, package: package)
        return Output.strings.done(Self.operation, on: subject)
    }

    fileprivate var subject: String {
        [identifier, package].compactMap(\.self).joined(separator: " ")
    }

    func run(in store: OpenStore) async throws {
        let device = try await store.device()
        let product = ProductID(identifier)
        let done = try await carryOut(product, on: device)
        if !options.json { Output.note(done) }
        try await show(product, package, on: device)
    }
}

extension StoreCommand {
    /// Prints the product's present downloads in JSON; without `--json` prints nothing.
    fileprivate func show(
        _ product: ProductID, _ package: String?, on device: Device
    ) async throws {
        guard options.json else { return }
        try await Downloads.json(device.downloads().of(product, package), of: device)
    }
}

// MARK: - Waiting for downloads

extension Downloads {
    fileprivate static let packageHelp = ArgumentHelp(
        "Only this package of the product, by its identifier or version.",
        valueName: "version-or-id")

    /// How waiting for a product's downloads ended.
    enum Ending {
        /// All content is here, and the transaction is finished.
        case complete
        /// The download needs a person to continue it, and the command has said so.
        case stopped
        /// A person has just declined to use a metered connection.
        case declined
    }

    /// - Parameters:
    ///   - product: whose downloads; nil for all of the device.
    ///   - end: called after each change, with whether nothing has moved for the patience. Ends the
    ///     wait, unless it returns nil.
    private static func wait<Result>(
        for product: ProductID?, on device: Device, _ watcher: DeviceWatcher, patience: Int,
        showsProgress: Bool = true,
        until end: ([Download], _ isOver: Bool, ProgressLine) async throws -> Result?
    ) async throws -> Result? {
        let progress = ProgressLine()
        defer { progress.end() }
        var movement = DownloadMovement(patience: .seconds(patience)) { watcher.wake() }
        for try await _ in watcher.changes() {
            let all = try await device.downloads()
            let rows = product.map { all.of($0) } ?? all
            if showsProgress { progress.show(rows) }
            movement.note(rows)
            if let result = try await end(rows, movement.isOver, progress) { return result }
        }
        return nil
    }

    /// Until no download can go on without a person, or none has changed for `patience` seconds.
    static func run(
        in store: OpenStore, _ options: GlobalOptions, patience: Int = Run.defaultPatience
    ) async throws {
        let device = try await store.device()
        let watcher = DeviceWatcher(device, remarksOf: store)
        try await store.launchToDeliver(device)
        store.makeManifests()
        var said: Set<StoreError> = []
        _ = try await wait(
            for: nil, on: device, watcher, patience: patience, showsProgress: !options.json
        ) { rows, isOver, progress -> Void? in
            let moving = rows.filter { $0.isUnderWay && !$0.waitsForPerson }
            if !isOver, !moving.isEmpty {
                // The download goes on without the person, for example when the network is back.
                for row in moving {
                    guard let error = row.error, said.insert(error).inserted else { continue }
                    progress.end()
                    Output.error(DownloadText.stopped(row, error))
                }
                return nil
            }
            var rows = rows
            if !isOver {
                guard let left = try await whatIsLeft(on: device, of: store) else { return nil }
                rows = left
            }
            progress.end()
            try await end(rows, on: device, options, afterSeconds: isOver ? patience : nil)
            return ()
        }
    }

    /// The downloads of the device if none goes on by itself and nothing is still to be delivered or
    /// finished; nil while something is.
    private static func whatIsLeft(
        on device: Device, of store: OpenStore
    ) async throws -> [Download]? {
        let open = try await store.session.unfinished(allDevices: false)
        guard try await !awaitsDelivery(open, on: device) else { return nil }
        // A delivery queues its downloads, so those read before it may not be all.
        let rows = try await device.downloads()
        guard rows.allSatisfy({ !$0.isUnderWay || $0.waitsForPerson }) else { return nil }
        // Once all content is here, the device finishes the transaction. Wait for that, too.
        let complete = rows.completeSales
        return open.contains { complete.contains($0.id) } ? nil : rows
    }

    /// Whether this device has still to deliver one of the open sales, which queues its downloads. A
    /// sale whose transaction it cannot verify is never delivered and does not count.
    private static func awaitsDelivery(
        _ open: [UnfinishedTransaction], on device: Device
    ) async throws -> Bool {
        guard !open.isEmpty else { return false }
        let delivered = Set(try await device.deliveries().map(\.transactionID))
        for sale in open where !delivered.contains(sale.id) {
            if case .verified = await device.verify(sale.transaction.signed) { return true }
        }
        return false
    }

    /// - Parameter seconds: how long the downloads have not changed, if that ends the command; nil
    ///   if every remaining download waits for a person.
    private static func end(
        _ rows: [Download], on device: Device, _ options: GlobalOptions, afterSeconds seconds: Int?
    ) async throws {
        if options.json {
            try await json(rows, of: device)
        } else {
            let stopped = rows.filter {
                $0.state == .failed || $0.waitsForRoom || $0.isHereWithoutRoom
            }
            for text in DownloadText.stopped(stopped) { Output.error(text) }
            for text in waitingForConsent(rows) { Output.error(text) }
            for (product, _) in rows.filter({ $0.state == .paused }).byProduct {
                Output.note(.staysPaused(product: product.rawValue))
            }
            if let seconds { await sayWhatStandsStill(rows, seconds: seconds, on: device) }
        }
        let needsPerson = rows.contains {
            $0.state == .failed || $0.waitsForPerson || $0.isHereWithoutRoom
        }
        if seconds != nil || needsPerson { throw Exit.failed }
    }

    /// Names what they wait for: the network, or another process that downloads for this device.
    private static func sayWhatStandsStill(
        _ rows: [Download], seconds: Int, on device: Device
    ) async {
        let isElsewhere = await !device.holdsLease
        let left = rows.filter { $0.isUnderWay && !$0.waitsForPerson }
        for (product, rows) in left.byProduct {
            // Without a network the download may not have been tried, and so has no error.
            let error = device.network().isOff ? StoreError.networkIsOff : nil
            if let row = rows.first(where: { $0.error != nil || error != nil }),
                let error = row.error ?? error
            {
                Output.error(DownloadText.stopped(row, error))
            } else {
                Output.error(
                    .standsStill(
                        product: product.rawValue, seconds: seconds, isElsewhere: isElsewhere))
            }
        }
        // All content is here, but a transaction could not be finished or is still to be delivered.
        if left.isEmpty { Output.error(.salesStayOpen(seconds: seconds)) }
    }

    /// Ends when the downloads are complete or have stopped, and says why they have stopped.
    ///
    /// - Parameter hasMadeRoom: whether `--make-room` has removed all content that can be removed.
    static func follow(
        _ product: ProductID, _ package: String? = nil, on device: Device, of store: OpenStore,
        _ watcher: DeviceWatcher,
        hasMadeRoom: Bool = false
    ) async throws -> Ending {
        let patience = Run.defaultPatience
        let ending = try await wait(for: product, on: device, watcher, patience: patience) {
            all, isOver, progress -> Ending? in
            let rows = all.of(product, package)
            // `storeBusy` is no end: the download is tried again after a moment.
            let stopped = rows.filter {
                $0.error != nil && !($0.isUnderWay && $0.error?.code == .storeBusy)
            }
            let isComplete = rows.allSatisfy(\.state.isComplete)
            let isGivenUp = isComplete && rows.contains(where: \.state.isGivenUp)
            let isPaused = rows.contains { $0.state == .paused }
            if isOver || isPaused || isGivenUp || !stopped.isEmpty
                || rows.contains(where: \.needsConsent)
            {
                progress.end()
                for text in DownloadText.stopped(stopped, hasMadeRoom: hasMadeRoom) {
                    Output.error(text)
                }
                noteConsent(rows)
                if isPaused { Output.note(.staysPaused(product: product.rawValue)) }
                if isGivenUp {
                    Output.note(Output.strings.done(.cancelDownloads, on: "\(product)"))
                }
                if isOver { await sayWhatStandsStill(rows, seconds: patience, on: device) }
                return .stopped
            }
            guard isComplete else { return nil }
            // The transaction waits for the other packages.
            guard all.allSatisfy(\.state.isComplete) else { return .complete }
            // Once all content is here, the device finishes the transaction. Wait for that, too.
            let unfinished = try await store.session.unfinished(allDevices: false)
            let ids = Set(rows.map(\.transactionID))
            return unfinished.contains { ids.contains($0.id) } ? nil : .complete
        }
        return ending ?? .stopped
    }

    /// The answer of the person at the terminal; nil without a terminal, or if none is needed.
    static func ask(_ product: ProductID, on device: Device) async throws -> Bool? {
        let waiting = try await device.downloads().of(product).filter(\.needsConsent)
        guard !waiting.isEmpty, Output.errorIsTerminal, isatty(STDIN_FILENO) == 1 else {
            return nil
        }
        let bytes = waiting.reduce(Int64(0)) { $0 + $1.bytesExpected }
        Output.remark(Output.strings[.askMetered(product: product.rawValue, bytes: bytes)])
        guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
            return false
        }
        try await device.consentToDownload(of: product)
        return true
    }

    // MARK: - Notes

    private static func waitingForConsent(_ rows: [Download]) -> [DownloadLineText] {
        rows.filter(\.needsConsent).byProduct.map { product, rows in
            .waitsForConsent(
                product: product.rawValue, bytes: rows.reduce(0) { $0 + $1.bytesExpected })
        }
    }

    fileprivate static func noteConsent(_ rows: [Download]) {
        for text in waitingForConsent(rows) { Output.note(text) }
    }

    /// Notes that no process goes on with one of these downloads, which could go on.
    fileprivate static func noteIdle(_ rows: [Download]) {
        let isIdle = rows.contains { !$0.isWorkedOn && !$0.needsConsent }
        if isIdle { Output.note(.nobodyDownloads) }
    }

    static func note(removed rows: [Download], _ options: GlobalOptions) {
        for row in rows where !options.json {
            Output.note(
                .contentRemoved(
                    product: row.productID.rawValue, package: "\(row.contentID) \(row.version)",
                    bytes: row.bytesReceived))
        }
    }

    fileprivate static func json(_ rows: [Download], of device: Device) async throws {
        for item in try await device.items(of: rows) {
            try Output.json(item.download.fields(installedPath: item.path))
        }
    }
}

extension Device {
    func items(of downloads: [Download]) async throws -> [DownloadText.Item] {
        var items: [DownloadText.Item] = []
        for download in downloads {
            let path = try await contentPath(
                of: download.productID, contentID: download.contentID)
            items.append(DownloadText.Item(download: download, path: path))
        }
        return items
    }
}

extension Download {
    /// The content is here, but a person has to make room for its record or for the finish.
    fileprivate var isHereWithoutRoom: Bool {
        state == .finished && (error?.code == .deviceFull || error?.code == .storeFull)
    }
}

extension [Download] {
    fileprivate func of(_ product: ProductID, _ package: String? = nil) -> Self {
        filter { $0.productID == product && $0.isNamed(package) }
    }

    /// Sales that finish without a person: some of their content is here, none is still to come.
    fileprivate var completeSales: Set<TransactionID> {
        let isLeft = { (row: Download) in ![.finished, .cancelled, .deleted].contains(row.state) }
        return Set(filter { $0.state == .finished && !$0.isHereWithoutRoom }.map(\.transactionID))
            .subtracting(filter(isLeft).map(\.transactionID))
    }

    /// The packages grouped by product, in order of the product identifiers.
    fileprivate var byProduct: [(product: ProductID, packages: [Download])] {
        Dictionary(grouping: self, by: \.productID).sorted { $0.key < $1.key }
            .map { (product: $0.key, packages: $0.value) }
    }
}
