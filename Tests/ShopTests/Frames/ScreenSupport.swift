import CTerminal
import Glibc
@testable import Shop
import ShopText
@testable import StoreModel
import Terminal

/// Sizes, capabilities and formatters for drawing, independent of the machine.
enum Screens {
    static let formatters = LocalizedFormatters(timeZone: SampleShop.timeZone)
    static let smallest = Size(columns: 40, rows: 12)
    static let usual = Size(columns: 80, rows: 24)
    static let large = Size(columns: 120, rows: 40)
    /// Sizes with one, two and three panes, and with narrow and wide panes.
    static let all = [
        smallest, usual, large, Size(columns: 170, rows: 40), Size(columns: 200, rows: 50),
    ]

    private static let isReady: Bool = setlocale(LC_CTYPE, "C.UTF-8") != nil

    static func capabilities(isASCII: Bool = false, colors: ColorLevel = .rich) -> Capabilities {
        precondition(isReady, "C.UTF-8 is missing")
        return Capabilities(
            colors: colors,
            measure: TextMeasure(isASCII: isASCII) { Int(ct_columns($0.value)) })
    }

    static func draw(
        _ state: ShopState, _ size: Size, isASCII: Bool = false, colors: ColorLevel = .rich,
        tour: Tour? = nil
    ) -> Frame {
        ShopDrawing(
            state, tour: tour, size: size,
            capabilities: capabilities(isASCII: isASCII, colors: colors), formatters: formatters
        ).frame
    }

    static func viewport(_ size: Size, in state: ShopState) -> Viewport {
        ShopDrawing.viewport(
            state, size: size, capabilities: capabilities(), formatters: formatters)
    }
}

/// The screens that have golden files.
enum SampleScreen: String, CaseIterable, Sendable {
    case list, page, payment, question, fault, console, history, historyDetails, historyFilter
    case help, helpFilter, palette, paletteAsking, search, nothing, opening, forbidden, library
    case reader, chapters, offline, signIn, refund, receipt
    case downloads, fullDisk, trials, server, serverDetails
    case subscription, billing, planChange, planUpgrade, offer, redeem

    func state(locale: String, size: Size) -> ShopState {
        var state: ShopState
        switch self {
        case .nothing:
            state = SampleShop.empty(
                locale: locale,
                response: ProductsResponse(
                    products: [], invalidProductIDs: [], catalogRevision: 1))
        case .opening: state = ShopState(shop: SampleShop.identity(locale: locale))
        default: state = SampleShop.full(locale: locale)
        }
        state.shop.hasServer = self == .server || self == .serverDetails
        state.take([.resized] + actions(state), on: size)
        return state
    }

    /// The snapshot on a device whose network was cut an hour ago.
    private func offline(_ state: ShopState) -> AccountSnapshot {
        var snapshot = state.snapshot
        snapshot.whyOffline = .networkIsOff
        snapshot.asOf = SampleShop.now.advanced(byMilliseconds: -3_600_000)
        return snapshot
    }

    /// The snapshot with downloads in more states: a newer version, consent, a full disk.
    private func downloading(_ state: ShopState) -> AccountSnapshot {
        var snapshot = state.snapshot
        snapshot.downloads["book.one"]?.installed = ["text": "1.0"]
        snapshot.downloads["book.four"]?.state = .waiting
        snapshot.downloads["book.four"]?.needsConsent = true
        snapshot.downloads["book.five"]?.error = StoreError(.deviceFull)
        return snapshot
    }

    private func subscribed(
        _ subscription: VerifiedSubscription, _ state: ShopState
    ) -> AccountSnapshot { SampleShop.snapshot(with: subscription, of: state) }

    private func signedOut(_ state: ShopState) -> AccountSnapshot {
        var snapshot = state.snapshot
        snapshot.isSignedIn = false
        return snapshot
    }

    private func actions(_ state: ShopState) -> [ShopAction] {
        switch self {
        case .list, .nothing, .opening: []
        case .page:
            [
                .selectionMoved(.first), .selectionMoved(.down), .confirmed,
                .page(.saleArrived(sale(of: "book.two", 1_000_002))),
            ]
        case .offline:
            [
                .accountArrived(offline(state)), .messageFaded, .selectionMoved(.first),
                .selectionMoved(.down), .confirmed,
            ]
        case .payment:
            [
                .selectionMoved(.last), .selectionMoved(.up), .selectionMoved(.up),
                .selectionMoved(.up), .selectionMoved(.up),
                .updateArrived(.event(.accountChanged(asking(state)))),
                .buyChosen, .paymentSheet(.quantityChanged(1)), .choiceMoved(1),
            ]
        case .question: [.selectionMoved(.first), .contentChosen(.deleteContent)]
        case .signIn:
            [
                .accountArrived(signedOut(state)), .messageFaded, .selectionMoved(.last),
                .selectionMoved(.up), .buyChosen, .choiceMoved(1),
            ]
        case .receipt:
            [
                .viewChosen(.library), .receipt(.opened),
                .receipt(.arrived(SampleShop.receipt, SampleShop.appTransaction)),
            ]
        case .subscription:
            [
                .viewChosen(.library), .selectionMoved(.last), .subscription(.opened),
                .subscription(
                    .timelineArrived(
                        TransactionID(1_000_020),
                        SampleShop.timeline(locale: state.shop.locale))),
                .selectionMoved(.down),
            ]
        case .billing:
            [
                .accountArrived(
                    subscribed(
                        SampleShop.subscription(
                            .inGracePeriod, problem: .billingFailed,
                            locale: state.shop.locale), state)),
                .messageFaded, .viewChosen(.library), .selectionMoved(.first),
            ]
        case .planChange:
            [.selectionMoved(.last), .selectionMoved(.up), .selectionMoved(.up), .buyChosen]
        case .planUpgrade:
            [
                .accountArrived(
                    subscribed(
                        SampleShop.subscription(
                            plans: [SampleShop.upgrade(locale: state.shop.locale)],
                            locale: state.shop.locale), state)),
                .selectionMoved(.last), .selectionMoved(.up), .selectionMoved(.up), .buyChosen,
                .choiceMoved(1),
            ]
        case .offer:
            [
                .accountArrived(SampleShop.snapshot(withOnly: nil, of: state)),
                .productsArrived(SampleShop.withOffers(state)),
                .messageFaded, .selectionMoved(.last), .selectionMoved(.up), .selectionMoved(.up),
                .buyChosen, .paymentSheet(.quantityChanged(-1)),
            ]
        case .redeem:
            [
                .redeemSheet(.opened), .redeemSheet(.typed("SPRING27")), .confirmed,
                .redeemSheet(
                    .failed(
                        code: "SPRING27",
                        StoreError(.invalidOfferIdentifier, found: "SPRING27"))),
            ]
        case .refund:
            [
                .selectionMoved(.first), .confirmed, .choiceMoved(1), .choiceMoved(1),
                .choiceMoved(1), .confirmed, .questionSheet(.reasonChanged(1)),
            ]
        case .fault:
            [
                .consoleToggled, .console(.toggled(.failures)), .failureSheet(.countChosen(3)),
                .selectionMoved(.down),
            ]
        case .console:
            [
                .consoleToggled, .storeLog(events(state)),
                .scheduleArrived(upcoming, .system),
                .console(
                    .renewalsArrived(
                        RenewalSettings(rate: .monthlyRenewalEveryThirtySeconds))),
                .consoleArrived(
                    requests: [
                        SampleShop.request(1_000_008, of: "theme.sepia", in: state),
                        SampleShop.request(1_000_009, of: "coins.100", in: state),
                    ], faults: faults, settings: asking(state)),
                .operatorPerformed(
                    OperatorOutcome(
                        action: .failNext(.purchase, error: .purchaseNotAllowed, count: 1),
                        events: [])),
            ]
        case .library: [.viewChosen(.library), .selectionMoved(.down)]
        case .trials:
            [
                .trials(.opened),
                .trials(
                    .arrived(
                        SampleShop.trials,
                        TrialTicks(
                            SampleShop.trials,
                            in: events(state).reversed().map(LogLine.event)
                                + entries.reversed().map(LogLine.entry),
                            of: state.shop.account))),
                .messageFaded, .selectionMoved(.down),
            ]
        case .server: serverActions
        case .serverDetails:
            serverActions + [.confirmed, .server(.inspected(SampleServer.details))]
        case .downloads:
            [
                .accountArrived(downloading(state)), .messageFaded, .viewChosen(.library),
                .selectionMoved(.down),
            ]
        case .fullDisk:
            [
                .accountArrived(downloading(state)), .messageFaded, .viewChosen(.library),
                .selectionMoved(.down), .selectionMoved(.down), .selectionMoved(.down),
                .selectionMoved(.down), .downloadToggled, .choiceMoved(1),
            ]
        case .reader:
            [
                .selectionMoved(.first), .confirmed, .confirmed,
                .reader(
                    .opened(
                        SampleShop.opened("book.one", text: SampleShop.story(paragraphs: 40)))),
                .selectionMoved(.pageDown),
            ]
        case .chapters:
            [
                .selectionMoved(.first), .confirmed, .confirmed,
                .reader(
                    .opened(
                        SampleShop.opened(
                            "book.one", text: SampleShop.story(paragraphs: 40), isTranslated: true))
                ),
                .confirmed, .selectionMoved(.down),
            ]
        case .history: historyActions(state) + [.selectionMoved(.down)]
        case .historyFilter:
            historyActions(state) + [
                .searchOpened,
                .eventLog(.filterTyped(state.shop.locale == "ja_JP" ? "第二" : "two")),
            ]
        case .historyDetails:
            historyActions(state) + [
                .selectionMoved(.last), .confirmed,
                .transactionArrived(
                    SignedDetails(
                        id: TransactionID(1_000_003), signed: "a.b.c", problem: nil,
                        payload: [
                            "{", "  \"productId\" : \"book.two\",", "  \"quantity\" : 1", "}",
                        ]),
                    .account),
            ]
        case .help: [.helpToggled]
        case .helpFilter:
            [.helpToggled, .help(.typed(state.shop.locale == "ja_JP" ? "次の" : "next"))]
        case .palette:
            // The palette's actions for the present product, refused and allowed ones.
            [.palette(.opened), refusals(state), .selectionMoved(.down)]
        case .paletteAsking:
            [
                .palette(.opened), refusals(state),
                .palette(.typed(state.shop.locale == "ja_JP" ? "返金" : "refund")),
                .confirmed,
            ]
        case .search:
            [
                .searchOpened,
                .searchIndexMade(SearchIndex(state.productList.products, revision: 1)),
                .list(.searchTyped(state.shop.locale == "ja_JP" ? "ランタン" : "a")),
            ]
        case .forbidden:
            [
                .updateArrived(.event(.accountChanged(forbidden(state)))), .selectionMoved(.down),
                .buyChosen,
            ]
        }
    }

    private var serverActions: [ShopAction] {
        [
            .server(.opened), .server(.arrived(SampleServer.snapshot, waiting: 2)),
            .messageFaded,
            .selectionMoved(.down),
        ]
    }

    /// The store would refuse to refund a part, to reverse a refund, to decline a refund that
    /// nobody requested, and to move the clock to the next due item: none is due.
    private func refusals(_ state: ShopState) -> ShopAction {
        var state = state
        state.take([.palette(.opened)])
        var (asked, refusals): ([OperatorAction], [OperatorAction: StoreError]) = ([], [:])
        if case .palette(let palette) = state.sheet {
            asked = palette.actions.filter { action in
                switch action {
                case .setRenewals, .failNext, .clearFaults, .changeAccount: false
                default: true
                }
            }
        }
        for action in asked {
            switch action {
            case .refund(let id, .percent, _):
                refusals[action] = StoreError(.alreadyRefunded, transactionID: id)
            case .reverseRefund(let id):
                refusals[action] = StoreError(.notRevoked, transactionID: id)
            case .clock(.next): refusals[action] = StoreError(.nothingDue)
            case .declineRefund(let id):
                refusals[action] = StoreError(.refundNotRequested, transactionID: id)
            default: break
            }
        }
        return .refusalsFound(refusals, asked: asked)
    }

    private func sale(of product: ProductID, _ number: Int64) -> PastSale {
        PastSale(
            id: TransactionID(number), productID: product, type: .nonConsumable,
            price: Money(milliunits: 2990, currency: "USD"), payment: SampleShop.payment(3),
            device: "phone", purchasedAt: SampleShop.now, storefront: "USA")
    }

    private func asking(_ state: ShopState) -> AccountSettings {
        var settings = SampleShop.settings(locale: state.shop.locale)
        settings.askToBuy = true
        return settings
    }

    private func forbidden(_ state: ShopState) -> AccountSettings {
        var settings = SampleShop.settings(locale: state.shop.locale)
        settings.canMakePayments = false
        return settings
    }

    /// One event of each kind, newest first.
    private func events(_ state: ShopState) -> [StoreEvent] {
        let payment = SampleShop.waiting.payment
        let fault = Fault(id: 1, call: .purchase, error: .purchaseNotAllowed, remaining: 1)
        let price = Money(milliunits: 3990, currency: "USD")
        let sale = PastSale(
            id: TransactionID(1_000_003), productID: "book.two", type: .nonConsumable,
            price: price, payment: SampleShop.payment(3), device: "phone",
            purchasedAt: SampleShop.now, storefront: "USA")
        let changes: [StoreEvent.Change] = [
            .sold(sale), .finished(TransactionID(1_000_002)),
            .deferred(payment, request: TransactionID(1_000_008), reason: .askToBuy),
            .failed(payment, StoreError(.paymentDeclined), request: nil),
            .claimed(TransactionID(1_000_001), by: "tablet"),
            .catalogRevised(revision: 2),
            .accountChanged(asking(state)), .faultSet(fault), .faultCleared(fault),
            .revised(
                PastRevision(
                    id: sale.id, kind: .refunded, productID: sale.productID, money: price,
                    sale: sale)),
        ]
        return changes.enumerated().reversed().map { number, change in
            StoreEvent(
                cursor: FeedCursor(epoch: 1, position: Int64(number)),
                at: SampleShop.now.advanced(
                    byMilliseconds: Int64(number) * 1000 - (number < 2 ? 86_400_000 : 60_000)),
                account: "aoi", device: "phone", change: change)
        }
    }

    private var faults: [Fault] {
        [
            Fault(id: 1, call: .purchase, error: .purchaseNotAllowed, remaining: 1),
            Fault(id: 2, call: .purchase, error: .networkError, remaining: 3),
        ]
    }

    private var upcoming: [UpcomingItem] {
        [
            UpcomingItem(
                at: SampleShop.now.advanced(byMilliseconds: 12_000), account: "aoi",
                productID: "plus.month", chain: TransactionID(1_000_020), kind: .renewal)
        ]
    }

    /// The device's entries in the history, newest first.
    private var entries: [DeviceLogEntry] {
        let whats: [DeviceLogEntry.What] = [
            .restored(count: 3, alreadyHere: 0, unverified: 0),
            .downloaded("book.two", contentID: "text", version: "1.2", bytes: 3_200_000),
            .purchaseCancelled("book.one"), .trouble(StoreError(.storeFull)),
        ]
        return whats.enumerated().reversed().map { number, what in
            DeviceLogEntry(
                number: Int64(number + 1),
                at: SampleShop.now.advanced(byMilliseconds: Int64(number) * 2000 - 50_000),
                what: what)
        }
    }

    private func historyActions(_ state: ShopState) -> [ShopAction] {
        [
            .viewChosen(.history), .accountLog(events(state)),
            .logArrived(
                LogQuery(
                    scope: .account, filter: HistoryFilter(),
                    part: .entries(before: nil, limit: 200)), LogPage(entries: entries)),
        ]
    }
}

extension ShopAction {
    static func storeLog(_ events: [StoreEvent]) -> ShopAction { log(.store, events) }

    static func accountLog(_ events: [StoreEvent]) -> ShopAction { log(.account, events) }

    private static func log(_ scope: LogQuery.Scope, _ events: [StoreEvent]) -> ShopAction {
        .logArrived(
            LogQuery(
                scope: scope, filter: HistoryFilter(), part: .events(before: nil, limit: 200)),
            LogPage(events: events))
    }
}
