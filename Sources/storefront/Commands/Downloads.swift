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
            A download goes on while the shop, `watch` or `buy` runs on this device; otherwise it \
            is waiting, and goes on at the next launch. With --json every command prints the \
            downloads it is about, a line each, as they are afterwards; isWorkedOn says whether a \
            process goes on with one.

            EXAMPLES
              storefront downloads
              storefront downloads pause lantern.book.lighthouse.1
              storefront downloads resume lantern.book.lighthouse.1
            """,
        subcommands: [
            List.self, Run.self, Pause.self, Resume.self, Update.self, Cancel.self,
            ContentCommands.Remove.self, Settings.self,
        ],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "What this device has downloaded, and what is on its way.")

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().deviceToRead()
                let downloads = try await device.downloads()
                Output.note(
                    .noDownloads, ifEmpty: downloads, json: options.json)
                let takenBack = Set(
                    try await device.deliveries().filter { $0.isVoid || $0.takenBack == .all }
                        .map(\.transactionID))
                var rows: [[String]] = []
                for download in downloads {
                    let path = try await device.contentPath(
                        of: download.productID, contentID: download.contentID)
                    if options.json {
                        try Output.json(DownloadLine(download: download, installedPath: path))
                    } else {
                        rows.append(
                            DownloadText.cells(
                                download, installedPath: path,
                                isOwned: !takenBack.contains(download.transactionID)))
                    }
                }
                var table = TextTable(DownloadText.columns)
                table.write(rows)
                for download in downloads where !options.json {
                    guard let error = download.error else { continue }
                    Output.note(DownloadText.stopped(download, error))
                }
                guard !options.json else { return }
                for text in Downloads.waitingForConsent(downloads) { Output.note(text) }
                guard
                    downloads.contains(where: {
                        $0.state == .waiting && !$0.isWorkedOn && !$0.needsConsent
                    })
                else { return }
                Output.note(.nobodyDownloads)
            }
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Go on with the downloads without a screen, until none is left.",
            discussion: """
                Ends when no download goes on by itself any more, and says of each that has not \
                finished what it waits for, and for whom. Exit code 0 if nothing is left but paused \
                downloads, which are left alone; 12 if a download has failed, or waits for room on \
                the disk or for consent to use a metered connection. Where another process of the \
                device downloads, this one watches it, and goes on if it ends. It also ends with \
                12 when nothing has moved for --patience seconds, as without a network or where \
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
        var options: GlobalOptions { given.all }

        func validate() throws {
            guard patience > 0 else {
                throw ValidationError("Give a number of seconds above 0.")
            }
        }

        func run() async throws {
            try await reporting(options) { try await Self.goOn(options, patience: patience) }
        }

        /// Downloads until no download can go on without a person, or until none has changed for
        /// `patience` seconds.
        static func goOn(
            _ options: GlobalOptions, patience: Int = defaultPatience
        ) async throws {
            do {
                let store = try await options.open()
                let device = try await store.device()
                let watcher = DeviceWatcher(device, remarksOf: store)
                try await store.launchToDeliver(device)
                store.makeManifests()
                let progress = ProgressLine()
                defer { progress.end() }
                var said: Set<StoreError> = []
                let movement = DownloadMovement(patience: .seconds(patience)) { watcher.wake() }
                for try await _ in watcher.changes() {
                    let rows = try await device.downloads()
                    if !options.json { progress.show(rows) }
                    movement.note(rows)
                    guard !movement.isOver else {
                        progress.end()
                        return try await end(rows, on: device, options, afterSeconds: patience)
                    }
                    guard !rows.contains(where: { $0.isUnderWay && !$0.waitsForPerson }) else {
                        // The download goes on without the person, for example when the network is
                        // back.
                        for row in rows where row.isUnderWay && !row.waitsForPerson {
                            guard let error = row.error, said.insert(error).inserted else {
                                continue
                            }
                            progress.end()
                            Output.error(DownloadText.stopped(row, error))
                        }
                        continue
                    }
                    // Once all content is here, the device finishes the transaction. Wait for that,
                    // too.
                    let complete = rows.completeSales
                    let open = try await store.session.unfinished(allDevices: false)
                    guard !open.contains(where: { complete.contains($0.id) }),
                        try await !awaitsDelivery(open, on: device)
                    else { continue }
                    progress.end()
                    try await end(rows, on: device, options)
                    return
                }
            }
        }

        /// Whether this device has still to deliver one of the open sales, which queues its
        /// downloads. A sale whose transaction it cannot verify is never delivered and does not
        /// count.
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

        /// - Parameter seconds: how long the downloads have not changed, if that ends the command;
        ///   nil if every remaining download waits for a person.
        private static func end(
            _ rows: [Download], on device: Device, _ options: GlobalOptions,
            afterSeconds seconds: Int? = nil
        ) async throws {
            for row in rows where options.json {
                let path = try await device.contentPath(
                    of: row.productID, contentID: row.contentID)
                try Output.json(DownloadLine(download: row, installedPath: path))
            }
            if !options.json {
                sayWhatIsLeft(rows)
                if let seconds { await sayWhatStandsStill(rows, seconds: seconds, on: device) }
            }
            let needsPerson = rows.contains {
                $0.state == .failed || $0.waitsForPerson || $0.isHereWithoutRoom
            }
            if seconds != nil || needsPerson {
                throw Exit.failed
            }
        }

        /// Says of each download that has not finished why it has stopped, and how to continue it.
        private static func sayWhatIsLeft(_ rows: [Download]) {
            for row in rows where row.state == .failed || row.waitsForRoom || row.isHereWithoutRoom
            {
                guard let error = row.error else { continue }
                Output.error(DownloadText.stopped(row, error))
            }
            for text in Downloads.waitingForConsent(rows) { Output.error(Output.strings[text]) }
            for (product, _) in rows.filter({ $0.state == .paused }).byProduct {
                Output.note(.staysPaused(product: product.rawValue))
            }
        }

        /// Says of each stalled download that needs no person what it waits for: the network, or
        /// another process that downloads for this device.
        static func sayWhatStandsStill(
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
                        Output.strings[
                            .standsStill(
                                product: product.rawValue, seconds: seconds,
                                isElsewhere: isElsewhere)])
                }
            }
            // All content is here, but a transaction could not be finished or is still to be
            // delivered.
            if left.isEmpty { Output.error(Output.strings[.salesStayOpen(seconds: seconds)]) }
        }
    }

    /// A note on each product whose download waits for consent, with the command that gives it.
    fileprivate static func waitingForConsent(_ rows: [Download]) -> [CommandText] {
        rows.filter(\.needsConsent).byProduct.map { product, rows in
            .waitsForConsent(
                product: product.rawValue, bytes: rows.reduce(0) { $0 + $1.bytesExpected })
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Pause a product's downloads, in whichever process they run.")
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await Downloads.change(identifier, options, .pausedLine(identifier)) {
                try await $0.pauseDownloads(of: $1)
            }
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Resume downloads, or fetch again what was cancelled or deleted.",
            discussion: """
                What is asked for last comes first. A download that found the disk full goes on when \
                there is room: --make-room removes other content that can be fetched again, opened \
                longest ago first and never what is open; `downloads cancel` drops what has come. On a \
                metered connection (`downloads settings`) a large download asks on a terminal, and \
                needs --metered elsewhere. Exit code 12 if it does not go on by itself: it failed, waits \
                for room, consent or the network, was paused or cancelled meanwhile, or nothing has \
                come for a minute.

                EXAMPLES
                  storefront downloads resume lantern.book.lighthouse.1
                  storefront downloads resume lantern.book.lighthouse.1 --make-room
                """)
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Flag(help: "Return at once; downloads go on whenever a device is open.")
        var noWait = false
        @Flag(help: "Remove other content if the disk is too full.")
        var makeRoom = false
        @Flag(help: "Download also on a metered connection, however large it is.")
        var metered = false

        @OptionGroup var given: DownloadingOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let device = try await store.device()
                let watcher = DeviceWatcher(device, remarksOf: store)
                let product = ProductID(identifier)
                // Make room before the launch, while the recorded download says how much room it
                // needs: after the launch this process tries the download and measures the disk
                // again.
                let removed = makeRoom ? try await device.makeRoom(for: product) : []
                if !noWait { try await store.launchToDeliver(device) }
                if !options.json {
                    for row in removed {
                        Output.note(
                            .contentRemoved(
                                product: row.productID.rawValue,
                                package: "\(row.contentID) \(row.version)",
                                bytes: row.bytesReceived))
                    }
                }
                let wasHere = try await Self.isHere(product, on: device)
                var ending: Ending?
                if metered {
                    try await device.consentToDownload(of: product)
                } else {
                    try await device.resumeDownloads(of: product)
                    if try await Self.ask(product, on: device) == false { ending = .declined }
                }
                if wasHere, try await Self.isHere(product, on: device) {
                    if !options.json { Output.note(.downloadedAlready(product.rawValue)) }
                } else if noWait {
                    if !options.json, ending == nil { try await Self.sayWhoGoesOn(product, device) }
                } else if ending == nil {
                    ending = try await Self.follow(
                        product, on: device, of: store, watcher, options,
                        hasMadeRoom: makeRoom && removed.isEmpty)
                }
                try await Downloads.show(product, on: device, json: options.json)
                if ending == .stopped { throw Exit.failed }
            }
        }

        /// How waiting for a product's downloads ended.
        enum Ending {
            /// All content is here, and the transaction is finished.
            case complete
            /// The download needs a person to continue it, and the command has said so.
            case stopped
            /// A person has just declined to use a metered connection.
            case declined
        }

        /// Whether all packages of a product are on this device, in the version that its downloads
        /// ask for.
        private static func isHere(_ product: ProductID, on device: Device) async throws -> Bool {
            let rows = try await device.downloads().filter { $0.productID == product }
            return !rows.isEmpty && rows.allSatisfy { $0.state == .finished }
        }

        /// Asks a person on a terminal whether a large download may use a metered connection.
        ///
        /// - Returns: the person's answer; nil if no download needs consent, or there is no
        ///   terminal to ask at.
        static func ask(_ product: ProductID, on device: Device) async throws -> Bool? {
            let waiting = try await device.downloads().filter {
                $0.productID == product && $0.needsConsent
            }
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

        /// Says whether another process continues the downloads that this command does not wait
        /// for.
        private static func sayWhoGoesOn(_ product: ProductID, _ device: Device) async throws {
            let rows = try await device.downloads().filter {
                $0.productID == product && $0.isUnderWay
            }
            for text in Downloads.waitingForConsent(rows) { Output.note(text) }
            if rows.contains(where: { !$0.isWorkedOn && !$0.needsConsent }) {
                Output.note(.nobodyDownloads)
            }
        }

        /// Shows the progress of a product's downloads until they are complete or have stopped, and
        /// says why they have stopped.
        ///
        /// - Parameter hasMadeRoom: whether `--make-room` has removed all content that can be
        ///   removed.
        static func follow(
            _ product: ProductID, on device: Device, of store: OpenStore,
            _ watcher: DeviceWatcher, _ options: GlobalOptions, hasMadeRoom: Bool = false
        ) async throws -> Ending {
            let progress = ProgressLine()
            defer { progress.end() }
            let patience = Run.defaultPatience
            let movement = DownloadMovement(patience: .seconds(patience)) { watcher.wake() }
            for try await _ in watcher.changes() {
                let rows = try await device.downloads().filter { $0.productID == product }
                progress.show(rows)
                movement.note(rows)
                // `storeBusy` is no end: another process holds the store for a moment, and the
                // download is tried again.
                let stopped = rows.filter {
                    $0.error != nil && !($0.isUnderWay && $0.error?.code == .storeBusy)
                }
                let needConsent = rows.filter(\.needsConsent)
                let isComplete = rows.allSatisfy(\.state.isComplete)
                let given = rows.filter { $0.state == .cancelled || $0.state == .deleted }
                guard
                    stopped.isEmpty, needConsent.isEmpty, !movement.isOver,
                    !rows.contains(where: { $0.state == .paused }), !isComplete || given.isEmpty
                else {
                    progress.end()
                    for row in stopped {
                        guard let error = row.error else { continue }
                        Output.error(DownloadText.stopped(row, error, hasMadeRoom: hasMadeRoom))
                    }
                    for text in Downloads.waitingForConsent(needConsent) { Output.note(text) }
                    if rows.contains(where: { $0.state == .paused }) {
                        Output.note(.staysPaused(product: product.rawValue))
                    }
                    if isComplete, !given.isEmpty { Output.note(.cancelledLine(product.rawValue)) }
                    if movement.isOver {
                        await Run.sayWhatStandsStill(rows, seconds: patience, on: device)
                    }
                    return .stopped
                }
                guard isComplete else { continue }
                // Once all content is here, the device finishes the transaction. Wait for that,
                // too.
                let unfinished = try await store.session.unfinished(allDevices: false)
                let ids = Set(rows.map(\.transactionID))
                if !unfinished.contains(where: { ids.contains($0.id) }) { return .complete }
            }
            return .stopped
        }
    }

    struct Update: AsyncParsableCommand {
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
        var options: GlobalOptions { given.all }

        func validate() throws {
            guard identifiers.isEmpty || !all else {
                throw ValidationError("Give products or --all, not both.")
            }
        }

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let device = try await store.device()
                let found = try await device.contentUpdates()
                guard all || !identifiers.isEmpty else { return try list(found) }
                let asked =
                    all ? Set(found.map(\.productID)) : Set(identifiers.map { ProductID($0) })
                let watcher = DeviceWatcher(device, remarksOf: store)
                if !asked.isEmpty { try await store.launchToDeliver(device) }
                if asked.isEmpty, !options.json { Output.note(.noUpdates) }
                var isComplete = true
                for product in asked.sorted() {
                    let updates = try await device.updateContent(of: product)
                    guard !updates.isEmpty else {
                        if !options.json { Output.note(.upToDate(product.rawValue)) }
                        continue
                    }
                    guard try await Resume.ask(product, on: device) != false else { continue }
                    let ending = try await Resume.follow(
                        product, on: device, of: store, watcher, options)
                    guard ending == .complete else {
                        isComplete = false
                        continue
                    }
                    try list(updates)
                }
                if !isComplete { throw Exit.failed }
            }
        }

        private func list(_ updates: [ContentUpdate]) throws {
            guard !options.json else {
                for update in updates { try Output.json(update) }
                return
            }
            if updates.isEmpty { Output.note(.noUpdates) }
            for update in updates { Output.line(DownloadText.update(update)) }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Stop a product's downloads and drop the partial files.",
            discussion: "Of an update the version on this device stays.")
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().device()
                let product = ProductID(identifier)
                // A cancelled update leaves the installed version on this device.
                let kept = try await device.downloads()
                    .first { $0.productID == product && $0.isUpdate }?.installedVersion
                try await device.cancelDownloads(of: product)
                if !options.json {
                    Output.note(
                        kept.map { .updateCancelledLine(identifier, version: $0) }
                            ?? .cancelledLine(identifier))
                }
                try await Downloads.show(product, on: device, json: options.json)
            }
        }
    }

    struct Settings: AsyncParsableCommand {
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
        var metered: Toggle?
        @Option(help: ArgumentHelp("From how many bytes on a download asks.", valueName: "bytes"))
        var askFrom: Int64?
        @Option(help: "Whether room is made without asking: on or off.")
        var makeRoom: Toggle?

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func validate() throws {
            guard askFrom.map({ $0 >= 0 }) ?? true else {
                throw ValidationError("Give a number of bytes that is not below 0.")
            }
        }

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().device()
                let before = try await device.settings()
                var settings = before
                if let metered { settings.isMetered = metered == .on }
                if let askFrom { settings.meteredBytes = askFrom }
                if let makeRoom { settings.makesRoom = makeRoom == .on }
                if settings != before { try await device.change(settings) }
                guard !options.json else {
                    return try Output.json(
                        DownloadSettingsLine(
                            isMetered: settings.isMetered, meteredBytes: settings.meteredBytes,
                            makesRoom: settings.makesRoom))
                }
                Output.line(.downloadSettings(settings))
            }
        }
    }

    /// Changes a product's downloads, then prints the line `done`, or the downloads in JSON.
    static func change(
        _ identifier: String, _ options: GlobalOptions, _ done: CommandText,
        _ body: (Device, ProductID) async throws -> Void
    ) async throws {
        try await reporting(options) {
            let device = try await options.open().device()
            let product = ProductID(identifier)
            try await body(device, product)
            if !options.json { Output.note(done) }
            try await Downloads.show(product, on: device, json: options.json)
        }
    }

    /// Prints the product's present downloads in JSON; without `--json` prints nothing.
    fileprivate static func show(_ product: ProductID, on device: Device, json: Bool) async throws {
        guard json else { return }
        for download in try await device.downloads() where download.productID == product {
            let path = try await device.contentPath(of: product, contentID: download.contentID)
            try Output.json(DownloadLine(download: download, installedPath: path))
        }
    }
}

extension Download {
    /// Whether the content is in place, but the full disk keeps the device from recording that or
    /// from finishing the transaction. A person has to make room.
    fileprivate var isHereWithoutRoom: Bool {
        state == .finished && (error?.code == .deviceFull || error?.code == .storeFull)
    }
}

extension [Download] {
    /// The sales that finish without a person: some of their content is here, and none is still to
    /// come.
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

/// The value of an option that turns a setting on or off.
enum Toggle: String, ExpressibleByArgument, CaseIterable { case on, off }

/// How a device downloads, in JSON.
private struct DownloadSettingsLine: Encodable {
    var isMetered: Bool
    var meteredBytes: Int64
    var makesRoom: Bool
}
