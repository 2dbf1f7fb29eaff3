import Basics
import Shop
import ShopText
import StoreDevice
import StoreModel

/// Owns the shop's state: passes actions to the reducer and effects to the worker. For one thread.
final class ShopRunner {
    private(set) var state: ShopState
    private(set) var shop: OpenShop?
    private(set) var failure: (any Error)?
    private(set) var hasQuit = false
    /// Made after each payment instead of for each action: every key would wait for it.
    private var nextPayment: PaymentID
    private var workUnderWay = 0
    private var queriesUnderWay = 0
    /// Those of `queriesUnderWay` that a person asked for: the shop does not repeat them.
    private var lookupsUnderWay = 0
    /// Queries that have ended since the last effect that was no query.
    private var queriesSinceWork = 0
    /// While a demo opens: the product of the last payment that filled its store. Until the event
    /// of that payment has come, messages are dropped, because they would report the filling.
    private var quietUntil: ProductID?
    private let setPointer: (Bool) -> Void
    private let copy: (Copied) -> Bool
    private let viewport: (ShopState) -> Viewport
    /// Of the present state if just drawn, so that a key does not lay out the same screen again.
    var drawnViewport: Viewport?
    /// Leaves this store, which was replaced, answers again or is to be emptied first, and opens the
    /// one that is there then.
    var reopen: (OpenShop, _ empties: Bool) -> Void = { _, _ in }
    /// In a person's settings; told once, when the first products are in sight.
    private var settingsMistakes: Int
    /// Called after each action.
    var didTake: () -> Void = {}

    /// - Parameters:
    ///   - system: the system's clock, used until the store is open.
    ///   - elapsed: elapsed time, for messages that fade and balances that count up.
    ///   - copy: false if the terminal cannot be asked to fill the clipboard.
    init(
        _ state: ShopState, system: any StoreClock, elapsed: any Clock<Duration>,
        settingsMistakes: Int = 0,
        viewport: @escaping (ShopState) -> Viewport,
        setPointer: @escaping (Bool) -> Void = { _ in },
        copy: @escaping (Copied) -> Bool = { _ in true }
    ) {
        self.state = state
        self.system = system
        began = Stopwatch(elapsed)
        nextPayment = PaymentID.made(at: system.now().date)
        self.settingsMistakes = settingsMistakes
        self.viewport = viewport
        self.setPointer = setPointer
        self.copy = copy
    }

    /// The store's time as the device knows it; the system's time until the store is open.
    var now: Timestamp { (shop?.clock ?? system).now() }
    private let system: any StoreClock

    private let began: Stopwatch
    /// Elapsed time since the program began, as `ShopMoment.elapsed`.
    var elapsed: Duration { began.elapsed }

    /// Whether every effect has ended and its results are in the state. While a download runs, the
    /// shop queries the account again and again, so a few answered queries after the last work are
    /// enough.
    var isIdle: Bool {
        shop != nil && state.opening == .open && workUnderWay == 0
            && state.purchasing.underWay.isEmpty
            && quietUntil == nil
            && lookupsUnderWay == 0
            && (queriesUnderWay == 0
                || queriesSinceWork > Self.queriesEnough && state.isReady)
    }

    private static let queriesEnough = 4

    /// Makes `isIdle` wait for answers that were asked for from now on.
    func expectNewAnswers() {
        queriesSinceWork = 0
        take(.deviceChanged)
    }

    func take(_ message: ShopMessage) {
        switch message {
        case .action(let action):
            // Answers that were under way may be older than the update.
            if case .updateArrived = action { queriesSinceWork = 0 }
            take(action)
        case .effectEnded(let effect):
            if effect.isLookup { lookupsUnderWay -= 1 }
            if effect.isQuery {
                queriesUnderWay -= 1
                queriesSinceWork += 1
            } else {
                workUnderWay -= 1
                queriesSinceWork = 0
            }
        case .couldNotOpen(let error): failure = error
        case .opensQuietly(let product): quietUntil = product
        case .ready(let shop):
            self.shop = shop
            if hasPerson { shop.device.openShop() }
            state.shop = shop.identity
            drawnViewport = nil
        }
    }

    func take(_ action: ShopAction) {
        let moment = ShopMoment(
            now: now, elapsed: elapsed, paymentID: nextPayment,
            viewport: drawnViewport ?? viewport(state))
        drawnViewport = nil
        for effect in state.reduce(action, moment) {
            if case .purchase = effect { nextPayment = PaymentID.made(at: now.date) }
            perform(effect)
        }
        keepQuiet()
        didTake()
        tellMistakes()
    }

    private func tellMistakes() {
        guard settingsMistakes > 0, state.isReady, quietUntil == nil else { return }
        let mistakes = settingsMistakes
        settingsMistakes = 0
        take(.settingsRead(mistakes: mistakes))
    }

    /// Whether a person is here, whom apps on the shop's device can ask.
    private var hasPerson = false

    /// Opens the store for a person, and later the one that replaces it; both answer with messages.
    func open(_ options: GlobalOptions, _ mailbox: Mailbox, demo: DemoStore?) {
        hasPerson = true
        let isFilled = demo != nil
        reopen = { shop, empties in
            Task.detached { await shop.reopen(options, empties: empties, fillsDemo: isFilled) }
        }
        Task.detached {
            await OpenShop.open(options, mailbox: mailbox, demo: demo, orKnown: true)
        }
    }

    /// Ends the time of the message, for a presenter that tells each message as it comes; the next
    /// notice takes its place.
    func endMessage() {
        let moment = ShopMoment(
            now: now, elapsed: elapsed + StatusMessage.lasting, paymentID: nextPayment,
            viewport: viewport(state))
        drawnViewport = nil
        for effect in state.reduce(.messageFaded, moment) { perform(effect) }
    }

    /// Ends the counting up of a balance, for a driver that draws nothing in between.
    func finishCounting() {
        guard state.deadlines.nextCount != nil else { return }
        let moment = ShopMoment(
            now: now, elapsed: elapsed + BalanceCount.lasting, paymentID: nextPayment,
            viewport: viewport(state))
        drawnViewport = nil
        _ = state.reduce(.library(.counted), moment)
    }

    /// The longest sleep: an hour, because the system's clock may be set meanwhile.
    private static let waitMillisecondsMax: Int64 = 3_600_000

    /// How long to sleep until the next date of the state has come; nil for none. A stopped clock
    /// never gets there, and a message tells when it is moved.
    var untilNextEnd: Duration? {
        guard let end = state.deadlines.nextEnd else { return nil }
        let left = max(0, end.milliseconds(since: now))
        guard left == 0 || shop?.isClockStopped != true else { return nil }
        return .milliseconds(min(left, Self.waitMillisecondsMax))
    }

    private func keepQuiet() {
        guard let product = quietUntil else { return }
        state.forgetMessages()
        // The account's first answer announces the downloads that the filling began.
        if state.purchasing.failures[product] != nil, state.isReady { quietUntil = nil }
    }

    private func perform(_ effect: ShopEffect) {
        switch effect {
        case .quit: hasQuit = true
        case .setPointer(let isOn): setPointer(isOn)
        case .copy(let what): if !copy(what) { take(.copyFailed(what, to: .terminal)) }
        case .reopen, .reset:
            if let shop { reopen(shop, effect == .reset) }
            shop = nil
        case .continueAs(let account, let device):
            if let shop { Task.detached { await shop.continue(as: account, on: device) } }
            shop = nil
        default:
            // Without a store there are only queries, repeated once the store is open.
            guard let shop else { return }
            if effect.isLookup { lookupsUnderWay += 1 }
            if effect.isQuery { queriesUnderWay += 1 } else { workUnderWay += 1 }
            shop.worker.perform(effect)
        }
    }
}

extension ShopEffect {
    /// Whether it reads data that a person asked to see; downloads and events do not repeat it.
    fileprivate var isLookup: Bool {
        switch self {
        case .readLog, .readTransaction, .readSale, .findProduct, .readTimeline, .findOffers,
            .findRedemption, .readReceipt, .findRefusals, .inspect:
            true
        default: false
        }
    }
}
