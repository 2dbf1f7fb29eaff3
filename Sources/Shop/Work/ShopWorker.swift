import Basics
import Foundation
import ShopText
package import StoreModel
import Synchronization

/// Performs the reducer's effects through `Store`, `ShopDevice` and `StoreOperator`, and answers
/// with actions. Only the worker waits for the store; the reducer and the drawing do not.
package final class ShopWorker: Sendable {
    /// Receives actions, from any thread.
    package typealias Post = @Sendable (ShopAction) -> Void

    private let store: any Store
    private let device: any ShopDevice
    private let storeOperator: any StoreOperator
    private let offerSigner: any OfferSigner
    private let server: (any ServerConsole)?
    private let trials: @Sendable () async throws(StoreError) -> TrialList
    private let unsafeSettings: @Sendable () -> [String]
    private let began: Stopwatch
    private let post: Post
    private let elapsed: any Clock<Duration>
    private let ended: @Sendable (ShopEffect) -> Void
    private let throttle: QueryThrottle
    private let serverThrottle: QueryThrottle
    /// Whether the requests of the server are followed: from when they are first shown.
    private let followsRequests = Mutex(false)
    /// Receives the effects that must be performed one after the other (`ShopEffect.isInOrder`).
    private let inOrder: AsyncStream<ShopEffect>.Continuation

    /// - Parameters:
    ///   - server: the store's own server; nil for a person who may not see it.
    ///   - trials: reads the list of trials, each time it is ticked.
    ///   - unsafeSettings: those of the store's database that are known now.
    ///   - elapsed: elapsed time, for the age of answers and the pauses between queries.
    ///   - post: called for each action, from any thread.
    ///   - ended: called once for each effect, after its last action.
    package init(
        store: any Store, device: any ShopDevice, storeOperator: any StoreOperator,
        offerSigner: any OfferSigner, server: (any ServerConsole)? = nil,
        trials: @escaping @Sendable () async throws(StoreError) -> TrialList = { TrialList() },
        unsafeSettings: @escaping @Sendable () -> [String] = { [] },
        elapsed: any Clock<Duration>,
        post: @escaping Post,
        ended: @escaping @Sendable (ShopEffect) -> Void = { _ in }
    ) {
        self.store = store
        self.device = device
        self.storeOperator = storeOperator
        self.offerSigner = offerSigner
        self.server = server
        self.trials = trials
        self.unsafeSettings = unsafeSettings
        self.elapsed = elapsed
        began = Stopwatch(elapsed)
        throttle = QueryThrottle(clock: elapsed)
        serverThrottle = QueryThrottle(clock: elapsed)
        self.post = post
        self.ended = ended
        let (effects, inOrder) = AsyncStream.makeStream(of: ShopEffect.self)
        self.inOrder = inOrder
        Task { [weak self] in
            for await effect in effects {
                guard let self else { return }
                await self.run(effect)
                self.ended(effect)
            }
        }
    }

    deinit { inOrder.finish() }

    /// Registers the transaction observer before it asks the store anything, then posts `opened`
    /// and every later update, download wake and event. Call it once.
    ///
    /// - Throws: the errors of `ShopDevice.launch`, `ShopDevice.accountSettings` and
    ///   `StoreOperator.head`, but not those of a network that is off.
    package func start() async throws(StoreError) {
        let updates = device.updates()
        let wakes = device.downloadWakes()
        try await device.launch()
        let post = post
        Task { for await update in updates { post(.updateArrived(update)) } }
        Task { [began] in
            for await wake in wakes {
                switch wake {
                case .changed: post(.deviceChanged)
                case .moved(let progress): post(.library(.moved(progress, at: began.elapsed)))
                }
            }
        }
        let settings = try await device.accountSettings().value
        try await followStore()
        post(.opened(settings, holdsLease: await device.holdsLease))
        if server != nil { post(.server(.woke)) }
    }

    /// Posts the future events of all accounts, for the event logs; from later on where the store's
    /// server is away.
    private func followStore() async throws(StoreError) {
        var start: FeedCursor?
        do throws(StoreError) { start = try await storeOperator.head() } catch
            where error.isNetworkOff
        {}
        let following = start.map { storeOperator.events(after: $0) }
        Task { [weak self, start, post, storeOperator, elapsed, hasServer = server != nil] in
            var (events, cursor) = (following, start)
            while true {
                do {
                    if let events {
                        for try await batch in events {
                            cursor = batch.cursor
                            if !batch.events.isEmpty { post(.eventsArrived(batch.events)) }
                            // Of the server's entries a batch has no events.
                            if hasServer { post(.server(.woke)) }
                        }
                        return
                    }
                    cursor = try await storeOperator.head()
                } catch {
                    let error = error as? StoreError ?? StoreError(.unknown)
                    guard error.isNetworkOff else { return post(.attemptFailed(error)) }
                    // The device tells that the store is away.
                    try? await elapsed.sleep(for: Self.storePause)
                    guard self != nil else { return }
                }
                events = cursor.map { storeOperator.events(after: $0) }
            }
        }
    }

    /// Between two tries to follow a store that could not be reached.
    private static let storePause = Duration.seconds(1)

    /// Returns at once. Effects run side by side and may end in any order, except those that must
    /// not (`ShopEffect.isInOrder`). A failure is posted as an action.
    package func perform(_ effect: ShopEffect) {
        guard !effect.isInOrder else {
            inOrder.yield(effect)
            return
        }
        Task {
            await self.run(effect)
            ended(effect)
        }
    }

    private func run(_ effect: ShopEffect) async {
        switch effect {
        case .loadProducts: await loadProducts()
        case .refreshAccount: await refreshAccount()
        case .refreshConsole: await refreshConsole()
        case .makeSearchIndex(let products, let revision):
            post(.searchIndexMade(SearchIndex(products, revision: revision)))
        case .purchase(let payment): await purchase(payment)
        case .restore: await restore()
        case .openContent(let product, let file): await open(product, file)
        case .openPackage(let product, let file): await openPackage(of: file, product)
        case .closeContent: await device.closeContent()
        case .remember(let place):
            do { try await device.remember(place) } catch { post(.attemptFailed(error)) }
        case .content(let operation, let product, let package):
            await perform(operation, on: product, package)
        case .saveSettings(let settings): await attempt(try await device.change(settings))
        case .setValue(let value): await attempt(try await device.change(value))
        case .setNetwork(let change): await attempt(try await device.setNetwork(change))
        case .setDownloadFaults(let faults):
            await attempt(try await device.setDownloadFaults(faults))
        case .setSignedIn(let isSignedIn):
            await attempt(try await device.setSignedIn(isSignedIn))
        case .withdraw(let request): await attempt(try await device.withdraw(request))
        case .resolve(let request): await attempt(try await device.resolve(request))
        case .claim(let id): await attempt(try await device.claim(id))
        case .requestRefund(let id, let reason):
            await attempt(try await device.requestRefund(of: id, reason: reason))
        case .answer(let payment, let answer):
            await attempt(try await device.answer(payment, answer))
        case .dropPromoted(let product): await attempt(try await device.dropPromoted(product))
        case .dropPayment(let payment): await drop(payment)
        case .perform(let action): await perform(action)
        case .findRefusals(let actions): await findRefusals(actions)
        case .readLog(let query): await readLog(query)
        case .readTransaction(let id, let scope): await readTransaction(id, scope)
        case .readSale(let id, let product): await readSale(id, of: product)
        case .findProduct(let id):
            do {
                let answer = try await device.products([id]).value
                post(.page(.found(id, answer.products.first { $0.id == id })))
            } catch { post(.page(.findingFailed(id, error))) }
        case .readTimeline(let chain): await readTimeline(of: chain)
        case .findOffers(let product): await findOffers(of: product)
        case .findRedemption(let code): await findRedemption(of: code)
        case .manageSubscriptions(let chain):
            do throws(StoreError) { try await store.manageSubscriptions() } catch {
                post(.subscription(.managingFailed(chain, error)))
            }
        case .readReceipt(let refreshes): await readReceipt(refreshes)
        case .readTrials: await readTrials()
        case .readServer(let isWhole): await readServer(isWhole)
        case .inspect(let notification): await inspect(notification)
        case .changeServer(let change): await perform(change)
        case .log(let what): try? await device.log(what)
        // The program that owns the screen performs these.
        case .reopen, .reset, .continueAs, .setPointer, .copy, .quit: break
        }
    }

    // MARK: - Queries

    private func loadProducts() async {
        do {
            let answer = try await device.products(nil)
            post(.productsArrived(answer.value, asOf: answer.isFresh ? nil : answer.asOf))
        } catch { post(.productsFailed(error)) }
    }

    private func refreshAccount() async {
        await throttle.wait()
        do { post(.accountArrived(try await accountSnapshot())) } catch {
            post(.accountFailed(error))
        }
    }

    private func refreshConsole() async {
        do throws(StoreError) {
            let requests = try await storeOperator.pendingRequests()
            let faults = try await storeOperator.faults()
            let settings = try await storeOperator.settings(of: store.account)
            let upcoming = try await storeOperator.upcoming(limit: ConsolePart.upcomingMax)
            let clock = try await storeOperator.clock()
            post(.scheduleArrived(upcoming, clock.state))
            post(.console(.renewalsArrived(clock.renewals)))
            post(.console(.refundsArrived(try await storeOperator.refundRequests())))
            post(.console(.packagesArrived(try await storeOperator.packageReleases())))
            post(
                .console(
                    .accountsArrived(
                        try await storeOperator.family(of: store.account),
                        try await storeOperator.notices())))
            post(.consoleArrived(requests: requests, faults: faults, settings: settings))
        } catch { post(.consoleFailed(error)) }
    }

    private func readLog(_ query: LogQuery) async {
        do throws(StoreError) {
            switch query.part {
            case .events(let before, let limit):
                guard query.scope == .account else {
                    let page = try await storeOperator.history(
                        before: before, filter: query.filter, limit: limit)
                    return post(.logArrived(query, LogPage(events: page.events, next: page.next)))
                }
                let answer = try await device.events(
                    before: before, filter: query.filter, limit: limit)
                post(
                    .logArrived(
                        query,
                        LogPage(
                            events: answer.value.events, next: answer.value.next,
                            asOf: answer.isFresh ? nil : answer.asOf)))
            case .entries(let before, let limit):
                let entries = try await device.logEntries(before: before, limit: limit)
                post(.logArrived(query, LogPage(entries: entries)))
            }
        } catch { post(.logFailed(query, error)) }
    }

    private func readTransaction(_ id: TransactionID, _ scope: LogQuery.Scope) async {
        do throws(StoreError) {
            let signed =
                scope == .store
                ? try await storeOperator.transaction(id) : try await device.transaction(id)
            let verified = await device.verify(signed)
            let details = SignedDetails(
                id: id, signed: signed, problem: verified.error,
                payload: Self.lines(verified.payload))
            post(.transactionArrived(details, scope))
        } catch { post(.transactionFailed(id, scope, error)) }
    }

    /// From the latest sales of its product. A failure is not reported: the page omits the sale.
    private func readSale(_ id: TransactionID, of product: ProductID) async {
        let filter = HistoryFilter(kinds: [.sold], product: product)
        guard
            let page = try? await store.events(before: nil, filter: filter, limit: Self.salesPage)
        else { return }
        for event in page.events {
            if case .sold(let sale) = event.change, sale.id == id {
                return post(.page(.saleArrived(sale)))
            }
        }
    }

    private static let salesPage = 20

    /// Refreshes both first if `refreshes`; if that fails, posts the kept text and the error.
    private func readReceipt(_ refreshes: Bool) async {
        var failure: StoreError?
        if refreshes {
            do throws(StoreError) {
                _ = try await device.refreshReceipt(ReceiptOptions())
                _ = try await device.refreshAppTransaction()
            } catch { failure = error }
        }
        do throws(StoreError) {
            let receipt = try await device.receipt()
            // A device that was never online has no app transaction.
            let appTransaction: KeptAppTransaction?
            do throws(StoreError) { appTransaction = try await device.appTransaction() } catch {
                guard error.isNetworkOff else { throw error }
                appTransaction = nil
            }
            post(.receipt(.arrived(receipt, appTransaction)))
        } catch { failure = failure ?? error }
        if let failure { post(.receipt(.failed(failure))) }
    }

    private func readTrials() async {
        await throttle.wait()
        do throws(StoreError) {
            let list = try await trials()
            let (lines, settings) = try await TrialHistory.lines(of: storeOperator, device)
            let ticks = TrialTicks(list, in: lines, of: device.account, after: settings)
            post(.trials(.arrived(list, ticks)))
        } catch { post(.trials(.failed(error))) }
    }

    private func readServer(_ isWhole: Bool) async {
        guard let server else { return post(.server(.arrived(nil, waiting: 0))) }
        if isWhole { followRequests(of: server) }
        await serverThrottle.wait()
        do throws(StoreError) {
            var snapshot: ServerSnapshot?
            if isWhole { snapshot = try await server.snapshot() }
            post(.server(.arrived(snapshot, waiting: try await server.waitingForReceiver())))
        } catch { post(.server(.failed(.readServer(isWhole: isWhole), error))) }
    }

    /// They are no commits of the store. Once.
    private func followRequests(of server: any ServerConsole) {
        let wasFollowing = followsRequests.withLock { isFollowing in
            defer { isFollowing = true }
            return isFollowing
        }
        guard !wasFollowing, let wakes = server.requestWakes() else { return }
        let post = post
        Task { for await _ in wakes { post(.server(.woke)) } }
    }

    private func inspect(_ notification: QueuedNotification) async {
        guard let server else { return }
        do throws(StoreError) {
            let found = try await server.inspect(notification)
            post(
                .server(
                    .inspected(
                        NotificationDetails(
                            notification: notification, problem: found.problem,
                            payload: Self.lines(found.payload?.withoutParts),
                            transaction: Self.lines(notification.contents.transaction),
                            renewalInfo: Self.lines(notification.contents.renewalInfo)))))
        } catch { post(.server(.failed(.inspect(notification), error))) }
    }

    private func perform(_ change: ServerChange) async {
        guard let server else { return }
        do throws(StoreError) {
            post(.server(.changed(change, try await server.carryOut(change))))
            // A receiver may take long to answer.
            if change != .stop { try await server.sendDue() }
        } catch { post(.attemptFailed(error)) }
    }

    private func findOffers(of product: ProductID) async {
        guard let answers = try? await store.offers(of: product) else { return }
        post(.paymentSheet(.offersArrived(product, answers)))
    }

    /// Finds the product and offer of a code, and whether the account is eligible.
    private func findRedemption(of code: String) async {
        do throws(StoreError) {
            let found = try await store.redemption(of: code)
            let answers = try await store.offers(of: found.productID)
            let answer = answers.first { $0.offer.kind == .code && $0.offer.id == found.offer.id }
            if let refusal = answer?.refusal {
                throw StoreError(
                    .ineligibleForOffer, productID: found.productID, subject: refusal.rawValue,
                    found: found.code)
            }
            post(.redeemSheet(.found(code: code, found)))
        } catch { post(.redeemSheet(.failed(code: code, error))) }
    }

    /// Reads the account's latest subscription events, newest first, and puts them in order.
    private func readTimeline(of chain: TransactionID) async {
        do throws(StoreError) {
            var events: [StoreEvent] = []
            var next: FeedCursor?
            repeat {
                let page = try await device.events(
                    before: next, filter: HistoryFilter(kinds: SubscriptionTimeline.kinds),
                    limit: Self.timelinePage
                ).value
                events += page.events
                next = page.next
            } while next != nil && events.count < Self.timelineMax
            let timeline = SubscriptionTimeline(events.reversed(), of: chain)
            post(.subscription(.timelineArrived(chain, timeline)))
        } catch { post(.subscription(.timelineFailed(chain, error))) }
    }

    private static let timelinePage = 500
    /// Of a longer history, only the latest are shown.
    private static let timelineMax = 5_000

    private static func lines(_ payload: (some Encodable)?) -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let payload, let data = try? encoder.encode(payload) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func accountSnapshot() async throws(StoreError) -> AccountSnapshot {
        // Read first: if the network is cut during the reading, the device wakes the shop again.
        let network = device.network()
        let entitlements = try await device.entitlements()
        var snapshot = AccountSnapshot(
            queued: try await device.queuedPayments(),
            deliveries: try await device.latestDeliveries(),
            balances: try await device.balances(),
            downloads: try await device.downloads(),
            entitlements: entitlements.value, at: began.elapsed)
        if network.isOff || !entitlements.isFresh {
            // The network may have been cut, or the server have gone, during the reading.
            let isServerAway = [network, device.network()].contains(.serverAway)
            snapshot.whyOffline = isServerAway ? StoreError(.storeUnreachable) : .networkIsOff
        }
        if case .slow(let milliseconds) = network { snapshot.networkDelay = milliseconds }
        snapshot.asOf = entitlements.asOf
        snapshot.overdueSince = try await device.overdueSince()
        snapshot.promoted = try await device.promotedPurchases()
        snapshot.asked = try await device.askedPayments()
        snapshot.settings = try await device.settings()
        snapshot.downloadFaults = device.downloadFaults
        snapshot.isSignedIn = try await device.isSignedIn()
        snapshot.family = try? await device.familyStatus().value
        if let requests = try? await device.knownRequests().value {
            snapshot.requests = AccountSnapshot.latest(requests)
        }
        if let page = try? await device.events(
            before: nil, filter: .refunds, limit: HistoryPage.refundEventsMax
        ).value {
            snapshot.refundsAsked = page.refundsAsked
        }
        if let subscriptions = try? await device.subscriptions().value {
            snapshot.areSubscriptionsKnown = true
            for subscription in subscriptions.compactMap({ AccountSubscription($0) }) {
                snapshot.add(subscription)
            }
        }
        // Read last: another server may have taken the place of one that was lost meanwhile.
        snapshot.unsafeSettings = unsafeSettings()
        return snapshot
    }

    // MARK: - Doing

    /// The app's own server first signs a promotional offer.
    private func purchase(_ payment: Payment) async {
        do throws(StoreError) {
            var payment = payment
            if payment.offer?.kind == .promotional, payment.offer?.signature == nil {
                let signature = try await offerSigner.sign(payment)
                payment.offer?.signature = signature
            }
            post(.purchaseAnswered(payment, try await device.buy(payment)))
        } catch { post(.purchaseFailed(payment, error)) }
    }

    private func drop(_ payment: Payment) async {
        do throws(StoreError) {
            let outcome = try await device.drop(payment.id)
            post(
                outcome.map { .purchaseAnswered(payment, $0) }
                    ?? .heldPurchase(.paymentDropped(payment)))
        } catch {
            post(.attemptFailed(error))
            post(.deviceChanged)
        }
    }

    private func restore() async {
        do throws(StoreError) { post(.restoreEnded(try await device.restore())) } catch {
            post(.restoreFailed(error))
        }
    }

    /// A file of a product that is already open is read in the version that is open; nil opens the
    /// newest version.
    private func open(_ product: ProductID, _ file: ContentFile?) async {
        do throws(StoreError) {
            if file == nil { await device.closeContent() }
            var files = try await device.contentFiles(of: product)
            // Only several packages have an order, or may be issues of a subscription.
            let isSeveral = files.contains { $0.contentID != files.first?.contentID }
            let known = isSeveral ? try? await device.products([product]).value.products.first : nil
            // In the catalog's order of packages, such as text before pictures.
            if let known { files = files.arranged(byPackages: known.hostedContent.map(\.id)) }
            let places = try await device.readingPlaces(of: product)
            // The stored place names the file to begin with.
            let number =
                Self.number(of: file, in: files) ?? Self.number(of: places, in: files)
                ?? Self.start(in: files, newestFirst: known?.issues != nil) ?? 0
            var content = OpenedContent(product: product, files: files, number: number)
            if files.indices.contains(number) {
                let file = files[number]
                content.place = places.first { file.contains($0) }
                if file.kind == .text, file.cost == nil {
                    content.text = try await read(file, of: product)
                }
            }
            post(.reader(.opened(content)))
        } catch { post(.reader(.failed(product, error))) }
    }

    private func openPackage(of file: ContentFile, _ product: ProductID) async {
        guard let cost = file.cost else { return }
        do throws(StoreError) {
            let left = try await device.open(file.contentID, of: product, for: cost)
            post(.reader(.packageOpened(file, left)))
        } catch { return post(.reader(.failed(product, error))) }
        post(.deviceChanged)
        await open(product, file)
    }

    /// For a person who has read none: the first original text; for issues, the newest's first.
    private static func start(in files: [ContentFile], newestFirst: Bool) -> Int? {
        let texts = ContentChapters(files).chapters.filter { files[$0.file(in: "")].kind == .text }
        let newest = texts.last?.contentID
        return texts.first { !newestFirst || $0.contentID == newest }?.file(in: "")
    }

    private static func number(of file: ContentFile?, in files: [ContentFile]) -> Int? {
        guard let file else { return nil }
        return files.firstIndex { $0.contentID == file.contentID && $0.path == file.path }
    }

    private static func number(of places: [ReadingPlace], in files: [ContentFile]) -> Int? {
        for place in places {
            if let number = files.firstIndex(where: { $0.contains(place) }) { return number }
        }
        return nil
    }

    /// In parts, up to the length that `PlainText` shows.
    private func read(
        _ file: ContentFile, of product: ProductID
    ) async throws(StoreError) -> PlainText {
        var bytes = Data()
        while bytes.count <= PlainText.bytesMax {
            let part = try await device.readContent(
                product: product, contentID: file.contentID, path: file.path,
                offset: Int64(bytes.count), count: Self.partLength)
            if part.isEmpty { break }
            bytes.append(part)
        }
        return PlainText(bytes)
    }

    private static let partLength = 1024 * 1024

    /// The shop reads the account afterwards.
    private func attempt<Answer>(
        _ work: @autoclosure () async throws(StoreError) -> Answer
    ) async {
        do throws(StoreError) { _ = try await work() } catch { post(.attemptFailed(error)) }
        post(.deviceChanged)
    }

    /// The account is read again afterwards, and shows what has changed.
    private func perform(
        _ operation: ContentOperation, on product: ProductID, _ package: String?
    ) async {
        do throws(StoreError) {
            let removed = try await device.perform(operation, on: product, package: package)
            switch operation {
            case .resumeDownloads, .consentToDownload: post(.library(.resumed(product)))
            case .makeRoom:
                post(
                    .library(
                        .roomMade(
                            product, packages: removed.count,
                            bytes: removed.reduce(0) { $0 + $1.bytesReceived })))
            default: break
            }
        } catch { post(.attemptFailed(error)) }
        post(.deviceChanged)
    }

    /// A failure to read the result is no failure of the action, which was carried out.
    private func perform(_ action: OperatorAction) async {
        do throws(StoreError) {
            var (waiting, holder) = (0, String?.none)
            var outcome = OperatorOutcome(action: action, events: [])
            if case .clock(let move) = action, let server {
                (outcome.events, waiting, holder) = try await server.move(move) { [post] wait in
                    post(.server(.clockWaits(wait)))
                }
            } else {
                outcome.events = try await storeOperator.perform(action)
            }
            if case .changeAccount(let change) = action {
                outcome.settings = try? await storeOperator.settings(of: change.account)
            }
            if case .clock = action { outcome.clock = try? await storeOperator.clock() }
            post(.operatorPerformed(outcome))
            if waiting > 0 { post(.server(.notTried(waiting, holder: holder))) }
        } catch { post(.operatorRefused(action, error)) }
        post(.deviceChanged)
    }

    private func findRefusals(_ actions: [OperatorAction]) async {
        var refusals: [OperatorAction: StoreError] = [:]
        do throws(StoreError) {
            for action in actions {
                refusals[action] = try await storeOperator.refusal(of: action)
            }
            post(.refusalsFound(refusals, asked: actions))
        } catch { post(.refusalsFailed(error, asked: actions)) }
    }
}

extension ContentFile {
    fileprivate func contains(_ place: ReadingPlace) -> Bool {
        contentID == place.contentID && path == place.path
    }
}

extension [ContentFile] {
    /// The files ordered by package as in `packages`; within a package the order is kept.
    func arranged(byPackages packages: [String]) -> [ContentFile] {
        packages.flatMap { package in filter { $0.contentID == package } }
            + filter { !packages.contains($0.contentID) }
    }
}
