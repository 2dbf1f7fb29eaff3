@testable import Shop
import ShopText
@testable import StoreModel
import TestBasics

/// A shop under a random person and a random store. The store answers every effect, in any order,
/// and its queue and deliveries agree with its answers.
struct ShopSimulation {
    package private(set) var state: ShopState
    /// The viewport; the person's resizes change it at random.
    var viewport = Viewport()
    package private(set) var outstanding: [ShopEffect] = []
    var chances: SplitMix64

    /// The payments that the store has not answered.
    package private(set) var unseen: [PaymentID: ProductID] = [:]
    private var queue: [PaymentID: QueuedPayment] = [:]
    /// The latest of each product, as a device returns it, so that a snapshot does not grow.
    private var delivered: [ProductID: TransactionID] = [:]
    private var faults: [Fault] = []
    private var settings: AccountSettings
    private var deviceSettings = DeviceSettings()
    private var isOffline = false
    private var isSignedIn = true
    private let names: [String]
    private var catalog: [Product]
    private var revision: Int64 = 1
    private var clock = SampleShop.now
    private var paymentCount: UInt64 = 0
    private var nextTransaction: Int64 = 2_000_000
    private let newestEvent: Int64 = 900
    private let newestEntry: Int64 = 300

    /// - Parameter names: of products, sections, app, account and device; empty for usual ones.
    init(seed: UInt64, names: [String] = []) {
        chances = SplitMix64(seed: seed)
        self.names = names
        catalog = SampleShop.products()
        var shop = SampleShop.identity()
        if !names.isEmpty {
            shop.appName = chances.pick(names)
            shop.account = AccountName(chances.pick(names))
            shop.device = DeviceName(chances.pick(names))
            shop.environment = chances.pick(StoreEnvironment.known)
            shop.locale = chances.pick(["en_US", "ja_JP", "de_DE", "ar_SA"])
            shop.language = shop.locale
        }
        settings = AccountSettings(name: shop.account, territory: "USA")
        state = ShopState(shop: shop)
        rename()
    }

    /// One action, with the state before it and the effects after it.
    struct Step {
        var before: ShopState
        var action: ShopAction
        var effects: [ShopEffect]
    }

    /// An action of the person, an event of the store, or an answer (which may be two actions).
    mutating func step() -> [Step] {
        if state.opening == .opening, chances.chance(5) {
            return take(.opened(settings, holdsLease: chances.chance(80)))
        }
        let isOpen = state.opening == .open
        if isOpen, !outstanding.isEmpty, chances.chance(45) {
            let index = Int.random(in: outstanding.indices, using: &chances)
            return answer(outstanding.remove(at: index))
        }
        if isOpen, chances.chance(10) { return take(storeAction()) }
        return take(personAction())
    }

    /// Opens the store, answers an effect, or sends an event.
    mutating func storeStep() -> [Step] {
        if state.opening != .open {
            return take(.opened(settings, holdsLease: chances.chance(80)))
        }
        guard !outstanding.isEmpty, chances.chance(80) else { return take(storeAction()) }
        return answer(outstanding.remove(at: Int.random(in: outstanding.indices, using: &chances)))
    }

    /// Answers effects until none is left, at most 1000.
    mutating func runUntilIdle() -> [Step] {
        var steps: [Step] = []
        for _ in 0..<1000 where !outstanding.isEmpty {
            let effect = outstanding.removeFirst()
            steps += answer(effect)
        }
        return steps
    }

    /// Sends an action to the shop, a random time after the last one.
    @discardableResult
    mutating func take(_ action: ShopAction) -> [Step] {
        let before = state
        clock = clock.advanced(byMilliseconds: Int64.random(in: 1...2000, using: &chances))
        paymentCount += 1
        let id = PaymentID(chances.uuid())
        var viewport = viewport
        // No screen draws this shop, so the visible lines that it would report are made up.
        if viewport.entries.isEmpty { viewport.entries = entries() }
        let effects = state.reduce(
            action, ShopMoment(now: clock, paymentID: id, viewport: viewport))
        for effect in effects {
            switch effect {
            case .quit, .setPointer, .copy, .log: break
            case .purchase(let payment):
                unseen[payment.id] = payment.productID
                queue[payment.id] = QueuedPayment(
                    payment: payment, state: .purchasing, queuedAt: clock)
                outstanding.append(effect)
            default: outstanding.append(effect)
            }
        }
        return [Step(before: before, action: action, effects: effects)]
    }

    // MARK: - The person

    private mutating func personAction() -> ShopAction {
        let movements: [Movement] = [
            .up, .down, .down, .pageUp, .pageDown, .first, .last, .rows(3), .rows(-3),
        ]
        if state.focus == .palette || state.focus == .help, chances.chance(30) {
            return entryAction()
        }
        return switch Int.random(in: 0..<43, using: &chances) {
        case 0..<8: .selectionMoved(chances.pick(movements))
        case 8..<17: .confirmed
        case 17..<20: .wentBack
        case 20..<23: .choiceMoved(chances.pick([1, 1, -1]))
        case 23: .paymentSheet(.quantityChanged(chances.pick([1, -1, 1])))
        case 24, 25: .buyChosen
        case 26: .restoreChosen
        case 27: .downloadToggled
        case 28:
            chances.chance(50) ? .contentChosen(.cancelDownloads) : .contentChosen(.deleteContent)
        case 29: .searchOpened
        case 30: .list(.searchTyped(chances.pick(names + ["l", "the", "灯", "\u{1B}[2J", "é", ""])))
        case 31: .list(.searchErased)
        case 32: .consoleToggled
        case 33: .helpToggled
        case 34: chances.pick([.console(.requestApproved), .console(.requestDeclined)])
        case 35:
            chances.pick([
                .console(.toggled(.account(.askToBuy))),
                .console(.toggled(.account(.canMakePayments))), .console(.failuresCleared),
                .console(.failureRemoved), .console(.clockMovedToNext), .console(.toggled(.clock)),
                .console(
                    .pointed(
                        chances.pick(ConsolePart.Section.allCases),
                        row: Int.random(in: -1...5, using: &chances))),
                .subscription(.opened), .subscription(.opened),
                .subscription(.pointed(chances.pick([.cancel, .payNow, .plan("plus.year")]))),
                .receipt(.opened), .receipt(.refreshed), .receipt(.copied), .signIn(.toggled),
                .questionSheet(.reasonChanged(1)),
                .eventLog(.groupCycled), .eventLog(.identifierCopied), .eventLog(.signedTextCopied),
                .eventLog(.pointed(row: Int.random(in: -1...50, using: &chances))), .searchOpened,
                .eventLog(.filterTyped(chances.pick(["l", "since:2026-01-01", "zzz"]))),
                .eventLog(.filterErased),
            ])
        case 36: .console(.toggled(.failures))
        case 37: .list(.pointed(row: pointed()))
        case 38: pressed(Int.random(in: -1...4, using: &chances))
        case 39: .palette(.opened)
        case 40:
            chances.pick([
                .failureSheet(.countChosen(.random(in: -1...12, using: &chances))),
                .failureSheet(
                    .pointed(entries().randomElement(using: &chances)?.id ?? .everywhere(0))),
                .failureSheet(.typed(chances.pick(["l", "the", "é"]))), .failureSheet(.erased),
                .failureSheet(.callChanged(.random(in: -1...1, using: &chances))),
            ])
        case 41:
            chances.pick([
                .viewChosen(.library), .viewChosen(.library), .library(.counted),
                .library(.pointed(row: Int.random(in: -1...30, using: &chances))),
            ])
        default:
            chances.pick([
                .pointerToggled, .shown, .quitChosen, resized(),
                .viewChosen(chances.pick(ShopView.allCases)),
            ])
        }
    }

    private mutating func entryAction() -> ShopAction {
        let text = chances.pick(names + ["l", "the", "灯", "\u{1B}[2J", "é", ""])
        let id = entries().map(\.id).randomElement(using: &chances) ?? .everywhere(0)
        let isHelp = state.focus == .help
        return switch Int.random(in: 0..<3, using: &chances) {
        case 0: isHelp ? .help(.typed(text)) : .palette(.typed(text))
        case 1: isHelp ? .help(.erased) : .palette(.erased)
        default: isHelp ? .help(.pointed(id)) : .palette(.pointed(id))
        }
    }

    /// The lines of an open palette or help without a filter.
    private func entries() -> [Entry] {
        let shopActions: [ShopAction] = [
            .buyChosen, .confirmed, .contentChosen(.deleteContent), .restoreChosen,
            .downloadToggled,
            .contentChosen(.cancelDownloads), .wentBack, .consoleToggled, .helpToggled,
            .searchOpened,
            .console(.requestApproved), .console(.toggled(.failures)), .pointerToggled,
            .choiceMoved(1), .paymentSheet(.pressed(button: 1)),
        ]
        var ids: [(Entry.ID, ShopAction?)] = shopActions.enumerated().map {
            (.key(state.screen.component, $0.offset), $0.element)
        }
        if state.focus != .help, case .palette(let palette) = state.sheet {
            ids += palette.actions.map { (.perform($0), nil) }
            ids += PaletteGroup.allCases.map { (.group($0), nil) }
            // Another account or device would answer from another store.
            ids += palette.choices.filter { ![.account, .device].contains($0.group) }
                .map { (.choice($0), nil) }
        } else if state.focus != .help, case .failure(let sheet) = state.sheet {
            ids = sheet.choices.map { (.failure($0), nil) }
        } else if state.focus != .help {
            return []
        }
        return ids.enumerated().map {
            Entry(id: $0.element.0, action: $0.element.1, row: $0.offset)
        }
    }

    private mutating func resized() -> ShopAction {
        viewport = Viewport(
            listRows: .random(in: 1...40, using: &chances),
            rows: .random(in: 1...40, using: &chances),
            scrollMax: .random(in: 0...40, using: &chances), isCompact: chances.chance(50))
        return .resized
    }

    private func pressed(_ button: Int) -> ShopAction {
        state.sheet == nil
            ? .page(.pressed(button: button)) : .paymentSheet(.pressed(button: button))
    }

    /// A row that is on the screen, because only those can be clicked.
    private mutating func pointed() -> Int {
        state.list.firstRow + Int.random(in: 0..<viewport.listRows, using: &chances)
    }

    // MARK: - The store

    private mutating func storeAction() -> ShopAction {
        switch Int.random(in: 0..<12, using: &chances) {
        case 0: return .deviceChanged
        case 1:
            revise()
            return .updateArrived(.event(.catalogRevised(revision: revision)))
        case 2: return .updateArrived(.trouble(error(), ended: false))
        case 3:
            return chances.chance(50)
                ? .updateArrived(.leaseTaken) : .relaunched(holdsLease: chances.chance(50))
        case 4: return .updateArrived(.unverified)
        case 5:
            let fault = Fault(
                id: Int64(faults.count), call: .purchase, error: error().code, remaining: 1)
            faults.append(fault)
            return .updateArrived(.event(.faultSet(fault)))
        case 6:
            guard var fault = faults.popLast() else { return .deviceChanged }
            fault.remaining = 0
            return .updateArrived(.event(.faultCleared(fault)))
        case 7:
            settings.askToBuy.toggle()
            return .updateArrived(
                .event(
                    chances.chance(50)
                        ? .familyChanged(familyChange()) : .accountChanged(settings)))
        case 8: return .eventsArrived(events())
        case 9: return .catalogRefused(problem: "line 3: " + (names.first ?? "no price"))
        case 10: return .attemptFailed(error())
        default:
            let waiting = queue.values.filter { $0.state == .deferred }
                .sorted { $0.payment.id.description < $1.payment.id.description }
            guard !waiting.isEmpty else { return .deviceChanged }
            let payment = chances.pick(waiting).payment
            queue[payment.id] = nil
            if chances.chance(50) { return arrival(of: payment, number()) }
            return .updateArrived(
                .event(.failed(payment, StoreError(.approvalDeclined), request: nil)))
        }
    }

    private mutating func product() -> ProductID {
        catalog.isEmpty ? "gone" : chances.pick(catalog).id
    }

    private mutating func number() -> TransactionID {
        nextTransaction += 1
        return TransactionID(nextTransaction)
    }

    private mutating func arrival(of payment: Payment, _ id: TransactionID) -> ShopAction {
        delivered[payment.productID] = id
        let payload = SampleShop.payload(
            payment.productID, id.number, quantity: payment.quantity,
            price: payment.shownPrice.milliunits)
        return .updateArrived(
            .transaction(.verified(payload), signed: "a.b.c", isNew: chances.chance(90)))
    }

    private mutating func error() -> StoreError {
        let codes = Fault.Call.purchase.errors + [.priceChanged, .storeFull, "brandNew"]
        return StoreError(
            chances.pick(codes), productID: ProductID(names.first ?? "x"),
            subject: names.first)
    }

    private mutating func events() -> [StoreEvent] {
        let count = chances.chance(3) ? 700 : Int.random(in: 0...3, using: &chances)
        return (0..<count).map { position in
            let payment = Payment(
                id: PaymentID(chances.uuid()), productID: product(),
                shownPrice: Money(milliunits: 990, currency: "USD"))
            let changes: [StoreEvent.Change] = [
                .sold(
                    PastSale(
                        id: number(), productID: payment.productID, type: .nonConsumable,
                        price: payment.shownPrice, payment: payment.id, purchasedAt: clock,
                        storefront: "USA")),
                .revised(
                    PastRevision(
                        id: number(), kind: chances.pick(RevisionKind.allCases),
                        productID: payment.productID)),
                .deleted(number(), productID: payment.productID, revision: 2),
                .autoRenewChanged(
                    chain: number(), productID: payment.productID, isOn: chances.chance(50)),
                .subscriptionChanged(
                    SubscriptionEvent(
                        kind: .planChangePlanned, chain: number(), productID: payment.productID,
                        until: clock, nextProductID: product())),
                .clockSet(.stopped(at: clock)), .renewalsSet(.standard), .unknown(kind: 99),
                .deferred(payment, request: number(), reason: .askToBuy),
                .failed(payment, error(), request: nil), .finished(number()),
                .claimed(number(), by: state.shop.device), .catalogRevised(revision: revision),
                .accountChanged(settings),
                .faultSet(Fault(id: 1, call: .purchase, error: error().code, remaining: 2)),
            ]
            return StoreEvent(
                cursor: FeedCursor(epoch: 1, position: Int64(position)), at: clock,
                account: state.shop.account, device: nil, change: chances.pick(changes))
        }
    }

    /// The next older page of an event log, down to the position 0.
    private mutating func page(_ query: LogQuery) -> LogPage {
        switch query.part {
        case .events(let before, let limit):
            let last = (before?.position ?? newestEvent) - 1
            let first = max(0, last - Int64(limit) + 1)
            let events = stride(from: last, through: first, by: -1).map { position in
                StoreEvent(
                    cursor: FeedCursor(epoch: 1, position: position),
                    at: SampleShop.now.advanced(
                        byMilliseconds: (position - newestEvent) * 60_000),
                    account: state.shop.account, device: state.shop.device,
                    change: change(position),
                    namedSale: chances.chance(50) ? sale(position) : nil)
            }
            return LogPage(
                events: events, next: first > 0 ? FeedCursor(epoch: 1, position: first) : nil)
        case .entries(let before, let limit):
            let last = (before ?? newestEntry) - 1
            let first = max(1, last - Int64(limit) + 1)
            return LogPage(
                entries: stride(from: last, through: first, by: -1).map { number in
                    DeviceLogEntry(
                        number: number,
                        at: SampleShop.now.advanced(
                            byMilliseconds: (number - newestEntry) * 90_000),
                        what: entry(number))
                })
        }
    }

    private mutating func sale(_ position: Int64) -> PastSale {
        PastSale(
            id: TransactionID(position), productID: product(), type: .nonConsumable,
            price: Money(milliunits: 990, currency: "USD"), device: state.shop.device,
            purchasedAt: clock, storefront: "USA")
    }

    private mutating func change(_ position: Int64) -> StoreEvent.Change {
        let sale = sale(position)
        let payment = Payment(
            id: PaymentID(chances.uuid()), productID: product(),
            shownPrice: Money(milliunits: 990, currency: "USD"))
        return chances.pick([
            .sold(sale), .finished(sale.id),
            .revised(PastRevision(id: sale.id, kind: .refunded, productID: sale.productID)),
            .deleted(sale.id, productID: sale.productID, revision: 2),
            .autoRenewChanged(chain: sale.id, productID: sale.productID, isOn: false),
            .deferred(payment, request: sale.id, reason: .askToBuy),
            .failed(payment, error(), request: nil),
            .claimed(sale.id, by: state.shop.device), .accountChanged(settings),
            .catalogRevised(
                revision: revision, release: chances.chance(50) ? release() : nil),
            .clockSet(.stopped(at: clock)),
            .renewalsSet(.standard), .unknown(kind: 99), .familyChanged(familyChange()),
            .valueChanged(AccountValue(key: "theme", value: "sepia")),
            .faultSet(Fault(id: 1, call: .purchase, error: error().code, remaining: 2)),
            .faultCleared(Fault(id: 1, call: .purchase, error: error().code, remaining: 0)),
        ])
    }

    private mutating func entry(_ number: Int64) -> DeviceLogEntry.What {
        let id = product()
        return chances.pick([
            .restored(count: 2, alreadyHere: 1, unverified: 1), .restoreFailed(error()),
            .downloaded(id, contentID: "text", version: "1.2", bytes: 3_200_000),
            .downloadFailed(id, contentID: "text", error()), .downloadPaused(id),
            .downloadResumed(id), .downloadCancelled(id), .contentDeleted(id),
            .purchaseCancelled(id), .paymentHeld(PaymentID(chances.uuid()), id),
            .paymentResent(PaymentID(chances.uuid()), id), .leaseTaken, .trouble(error()),
            .catalogRefused(problem: names.first ?? "no price"),
            .network(isOn: true), .network(isOn: false), .signedIn(as: "aoi"), .signedIn(as: nil),
            .catalogNoted("Warning, " + (names.first ?? "no price")), .unknown,
        ])
    }

    private mutating func upcoming() -> [UpcomingItem] {
        guard chances.chance(50) else { return [] }
        return (1...3).map { number in
            UpcomingItem(
                at: clock.advanced(byMilliseconds: number * 60_000), account: state.shop.account,
                productID: product(), chain: TransactionID(number), kind: .renewal)
        }
    }

    /// A family with the account as its organizer or a member; sometimes none.
    private mutating func family() -> Family? {
        guard chances.chance(70) else { return nil }
        var family = Family(organizer: chances.chance(50) ? state.shop.account : "mum")
        for name in [state.shop.account, "nia"] where family.member(name) == nil {
            family.members.append(.init(account: name, role: chances.pick(FamilyRole.allCases)))
        }
        if chances.chance(30) { family.members[1].keptBack = [product()] }
        return family
    }

    private mutating func release() -> PackageRelease? {
        SampleShop.release(of: product(), chances.pick(PackageState.allCases))
    }

    private mutating func familyChange() -> FamilyChange {
        let what = chances.pick([
            FamilyChange.What.created, .joined("nia", .child), .left("nia"), .disbanded,
            .roleChanged("nia", .adult), .sharingChanged("mum", product(), isOn: false),
            .sharingChanged("mum", nil, isOn: true), .consentRescinded("nia"),
        ])
        return FamilyChange(what: what, organizer: "mum", family: family())
    }

    private mutating func notices() -> [AccountNotice] {
        guard chances.chance(40) else { return [] }
        return AccountNotice.Kind.allCases.map {
            AccountNotice(
                kind: $0, subject: names.first ?? "terminal", accounts: ["aoi", "kai", "nia"])
        }
    }

    // MARK: - Answers

    private mutating func answer(_ effect: ShopEffect) -> [Step] {
        switch effect {
        case .loadProducts:
            if chances.chance(10) { return take(.productsFailed(error())) }
            return take(
                .productsArrived(
                    ProductsResponse(
                        products: catalog, invalidProductIDs: [], catalogRevision: revision)))
        case .refreshAccount:
            return take(
                chances.chance(5) ? .accountFailed(error()) : .accountArrived(snapshot()))
        case .refreshConsole:
            if chances.chance(5) { return take(.consoleFailed(error())) }
            return take(.scheduleArrived(upcoming(), .system))
                + take(
                    .console(
                        .renewalsArrived(
                            RenewalSettings(
                                rate: chances.pick(RenewalRate.allCases),
                                failsBilling: chances.chance(30),
                                hasGracePeriod: chances.chance(30)))))
                + take(.console(.accountsArrived(family(), notices())))
                + take(.console(.packagesArrived([release()].compactMap(\.self))))
                + take(.consoleArrived(requests: requests(), faults: faults, settings: settings))
        case .readLog(let query):
            if chances.chance(5) { return take(.logFailed(query, error())) }
            return take(.logArrived(query, page(query)))
        case .readTransaction(let id, let scope):
            if chances.chance(5) { return take(.transactionFailed(id, scope, error())) }
            return take(
                .transactionArrived(
                    SignedDetails(
                        id: id, signed: "a.b.c", problem: chances.chance(50) ? .wrongApp : nil,
                        payload: ["{", "  \"productId\" : \"\(product())\"", "}"]), scope))
        case .readTimeline(let chain):
            if chances.chance(20) { return take(.subscription(.timelineFailed(chain, error()))) }
            return take(.subscription(.timelineArrived(chain, SampleShop.timeline())))
        case .findOffers(let id):
            if chances.chance(20) { return [] }
            let answers = [OfferMode.freeTrial, .payAsYouGo].map { mode in
                OfferAnswer(
                    offer: Offer(
                        kind: .promotional, id: OfferID("offer.\(mode.rawValue)"), mode: mode,
                        period: SubscriptionPeriod(unit: .month, value: 1),
                        price: Money(milliunits: mode == .freeTrial ? 0 : 990, currency: "USD")))
            }
            return take(.paymentSheet(.offersArrived(id, answers)))
        case .findRedemption(let code):
            if chances.chance(50) { return take(.redeemSheet(.failed(code: code, error()))) }
            return take(
                .redeemSheet(
                    .found(
                        code: code,
                        CodeRedemption(
                            productID: product(),
                            offer: Offer(
                                kind: .code, id: "code", mode: .freeTrial,
                                period: SubscriptionPeriod(unit: .month, value: 1),
                                price: Money(milliunits: 0, currency: "USD")), code: "CODE"))))
        case .manageSubscriptions(let chain):
            guard chances.chance(10) else { return [] }
            return take(.subscription(.managingFailed(chain, error())))
        case .readTrials:
            if chances.chance(20) { return take(.trials(.failed(error()))) }
            return take(.trials(.arrived(SampleShop.trials, TrialTicks())))
        case .readReceipt:
            if chances.chance(20) { return take(.receipt(.failed(error()))) }
            return take(.receipt(.arrived(SampleShop.receipt, SampleShop.appTransaction)))
        case .makeSearchIndex(let products, let revision):
            return take(.searchIndexMade(SearchIndex(products, revision: revision)))
        case .purchase(let payment): return decide(payment)
        case .findRefusals(let actions):
            if chances.chance(10) { return take(.refusalsFailed(error(), asked: actions)) }
            var refusals: [OperatorAction: StoreError] = [:]
            for action in actions where chances.chance(20) { refusals[action] = error() }
            return take(.refusalsFound(refusals, asked: actions))
        case .perform(let action): return perform(action)
        case .restore:
            if chances.chance(30) { return take(.restoreFailed(error())) }
            let payloads = (0..<Int.random(in: 0...3, using: &chances)).map { _ in
                SampleShop.payload(product(), number().number)
            }
            return take(
                .restoreEnded(
                    RestoreSummary(
                        restored: payloads, alreadyHere: [], unverifiedCount: payloads.count / 2)))
        case .openContent(let product, let file):
            if chances.chance(20) { return take(.reader(.failed(product, error()))) }
            return take(.reader(.opened(content(of: product, file))))
        case .remember, .closeContent: return []
        default: return operate(effect)
        }
    }

    private mutating func perform(_ action: OperatorAction) -> [Step] {
        guard chances.chance(80) else { return take(.operatorRefused(action, error())) }
        var outcome = OperatorOutcome(action: action, events: [])
        if case .changeAccount(let change) = action {
            if let askToBuy = change.askToBuy { settings.askToBuy = askToBuy }
            if let canPay = change.canMakePayments { settings.canMakePayments = canPay }
            outcome.settings = settings
        }
        if case .failNext(let call, let code, let count, _, _) = action {
            let fault = Fault(id: 77, call: call, error: code, remaining: count)
            faults.removeAll { $0.id == fault.id }
            faults.append(fault)
        }
        if action == .clearFaults { faults = [] }
        return take(.operatorPerformed(outcome)) + take(.deviceChanged)
    }

    private mutating func operate(_ effect: ShopEffect) -> [Step] {
        let fails = chances.chance(20)
        switch effect {
        case _ where fails: return take(.attemptFailed(error())) + take(.deviceChanged)
        case .saveSettings(let settings):
            deviceSettings = settings
            return take(.deviceChanged)
        case .setValue(let value):
            if value.key == AccountValue.themeKey { deviceSettings.theme = value.value }
            if value.key == AccountValue.languageKey { deviceSettings.language = value.value }
            return take(.deviceChanged)
        case .setSignedIn(let isIn):
            isSignedIn = isIn
            return take(.deviceChanged)
        case .setNetwork(let change):
            if case .off = change { isOffline = true } else { isOffline = false }
            return take(.deviceChanged)
        default: return take(.deviceChanged)
        }
    }

    private mutating func decide(_ payment: Payment) -> [Step] {
        unseen[payment.id] = nil
        let id = number()
        switch Int.random(in: 0..<6, using: &chances) {
        case 0:
            queue[payment.id] = nil
            return take(.purchaseFailed(payment, error()))
        case 1:
            queue[payment.id] = nil
            return take(.purchaseAnswered(payment, .failed(error())))
        case 2:
            queue[payment.id]?.state = .deferred
            queue[payment.id]?.request = id
            return take(.purchaseAnswered(payment, .pending(request: id, reason: .askToBuy)))
        case 3:
            queue[payment.id] = nil
            return take(
                .purchaseAnswered(payment, .purchased("a.b.c", id: id, alreadyOwned: true)))
        case 4:
            queue[payment.id] = nil
            return take(arrival(of: payment, id))
                + take(
                    .purchaseAnswered(payment, .purchased("a.b.c", id: id, alreadyOwned: false)))
        default:
            queue[payment.id] = nil
            return take(
                .purchaseAnswered(payment, .purchased("a.b.c", id: id, alreadyOwned: false)))
                + take(arrival(of: payment, id))
        }
    }

    private mutating func snapshot() -> AccountSnapshot {
        var downloads: [Download] = []
        for product in catalog where !product.hostedContent.isEmpty && chances.chance(50) {
            let expected: Int64 = chances.pick([0, 3_200_000])
            downloads.append(
                Download(
                    transactionID: TransactionID(1), productID: product.id, contentID: "text",
                    version: "1", state: chances.pick(Download.State.allCases),
                    bytesReceived: min(expected, 1_000_000), bytesExpected: expected,
                    bytesPerSecond: chances.pick([nil, 0, 0.001, 250_000, 1e18]),
                    error: chances.chance(50) ? error() : nil))
        }
        let rows = delivered.sorted { $0.value < $1.value }
        var snapshot = AccountSnapshot(
            queued: queue.values.sorted { $0.queuedAt < $1.queuedAt },
            deliveries: rows.map {
                DeliveryRecord(
                    transactionID: $0.value, productID: $0.key, type: .nonConsumable, quantity: 1,
                    deliveredAt: clock, isVoid: chances.chance(5))
            },
            balances: [Balance(unit: "coins", amount: .random(in: 0...Int64.max, using: &chances))],
            downloads: downloads,
            entitlements: rows.map {
                Entitlement(
                    transaction: "a.b.c", transactionID: $0.value, productID: $0.key,
                    type: .nonConsumable,
                    until: chances.chance(50) ? clock.advanced(byMilliseconds: 1000) : nil,
                    renews: chances.pick([nil, true, false]))
            }, at: .milliseconds(clock.milliseconds))
        snapshot.settings = deviceSettings
        snapshot.whyOffline = isOffline ? .networkIsOff : nil
        snapshot.isSignedIn = isSignedIn
        snapshot.asOf = clock
        if chances.chance(50) {
            snapshot.areSubscriptionsKnown = true
            let subscription = SampleShop.subscription(
                chances.pick(RenewalState.allCases),
                problem: chances.pick(SubscriptionProblem.allCases + [nil, nil, nil]),
                autoRenews: chances.chance(70),
                next: chances.pick(["plus.month", "plus.year"]),
                plans: chances.chance(20) ? [SampleShop.upgrade()] : nil,
                reason: chances.pick(ExpirationReason.allCases + [nil]),
                isShared: chances.chance(10), isVerified: chances.chance(90))
            snapshot.subscriptions["plus"] = AccountSubscription(subscription)
        }
        return snapshot
    }

    /// Arbitrary bytes, which packages may contain.
    private mutating func content(of product: ProductID, _ file: ContentFile?) -> OpenedContent {
        let bytes = (0..<Int.random(in: 0...3000, using: &chances)).map { _ in
            chances.chance(5) ? 0x0A : UInt8.random(in: 0...255, using: &chances)
        }
        let texts = names + [String(decoding: bytes, as: UTF8.self)]
        var content = SampleShop.opened(product, text: chances.pick(texts))
        if chances.chance(10) { content.files = [] }
        if let file, let number = content.files.firstIndex(where: { $0.path == file.path }) {
            content.number = number
        }
        if content.number == 2 { content.text = nil }
        return content
    }

    private func requests() -> [ApprovalRequest] {
        queue.values.filter { $0.state == .deferred }
            .sorted { $0.payment.id.description < $1.payment.id.description }
            .map {
                ApprovalRequest(
                    number: $0.request ?? TransactionID(1), account: state.shop.account,
                    device: state.shop.device, payment: $0.payment, askedAt: $0.queuedAt)
            }
    }

    // MARK: - The catalog

    private mutating func revise() {
        revision += 1
        switch Int.random(in: 0..<5, using: &chances) {
        case 0: catalog = SampleShop.products()
        case 1: catalog.shuffle(using: &chances)
        case 2: catalog.removeAll { _ in chances.chance(40) }
        case 3:
            for index in catalog.indices where chances.chance(50) {
                catalog[index].price = Money(
                    milliunits: chances.pick([0, 990, 5990, 120_000, 9_999_999_990]),
                    currency: "USD")
            }
        default: if chances.chance(10) { catalog = [] }
        }
        if catalog.isEmpty, chances.chance(70) { catalog = SampleShop.products() }
        rename()
    }

    private mutating func rename() {
        guard !names.isEmpty else { return }
        for index in catalog.indices {
            catalog[index].displayName = chances.pick(names)
            catalog[index].description = chances.pick(names)
            catalog[index].section = chances.pick(["", "Books", chances.pick(names)])
            catalog[index].priceLocale = chances.pick(["en_US", "ja_JP", "de_DE", "ar_SA", "?"])
        }
    }
}

extension DeviceUpdate {
    fileprivate static var unverified: DeviceUpdate {
        .transaction(.unverified(nil, .invalidSignature), signed: "a.b.c", isNew: true)
    }
}

extension SampleShop {
    /// Control characters, unusual scripts, extreme lengths: cleaned before a terminal gets them.
    static let nastyNames = [
        "", " ", "\u{1B}[2J\u{1B}[H", "\0", "a\u{0}b", "tab\there", "two\nlines\r\n", "\u{9B}31m",
        "👩‍👩‍👧‍👦 family", "🏳️‍🌈", "🇯🇵🇩🇪", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "\u{202E}drawkcab",
        "\u{200F}\u{2066}isolate\u{2069}", "\u{FEFF}bom", "\u{200B}\u{200D}", "المنارة، الجزء",
        "한국어", "\u{1112}\u{1161}\u{11AB}", "日本語の名前がとても長い場合はどうなりますか", "ﬁ ﷽ Ω", "\u{7F}",
        "1️⃣", "zero\u{AD}soft", "\u{E000}private", "\u{10FFFF}", "Straße GROẞ", "'\"\\;$(x)",
        String(repeating: "long name ", count: 1000), String(repeating: "長", count: 3000),
        String(repeating: "\u{301}", count: 500), "Lantern",
    ]
}
