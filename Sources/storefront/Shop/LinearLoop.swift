import ArgumentParser
import Basics
import Foundation
import Shop
import ShopText
import StoreDevice
import StoreEngine
import StoreModel
import Synchronization
import Terminal

/// The shop in lines: prints what `LinearPresenter` tells, reads a line, and passes the actions that
/// it means to the reducer. Messages and the progress of downloads are printed as they come. Beside
/// `ShopLoop` it is the other owner of a `ShopRunner`.
final class LinearLoop {
    /// How long a line's effects are waited for before the next line is asked for; what they say
    /// later is printed then. `wait` waits as long for the next bytes of downloads.
    private static let patience = Duration.seconds(10)
    private static let columnsMin = 20
    /// In front of what is typed.
    private static let mark = "> "

    private enum Event: Sendable { case woken, continued, typed(String), ended }

    /// What the thread of signals needs.
    private final class ForSignals: Sendable {
        /// Printed before a signal ends the program.
        let farewell = Mutex<String?>(nil)
        /// Suspended while the program is stopped (Ctrl-Z).
        let device = Mutex<Device?>(nil)
    }

    private let runner: ShopRunner
    private let mailbox: Mailbox
    private let input: InputLines
    private let events: AsyncStream<Event>
    private let waking: AsyncStream<Event>.Continuation
    private let measure: TextMeasure
    private let forSignals = ForSignals()
    private var presenter: LinearPresenter
    /// The elapsed time at which the effects of the last line are not waited for any more; nil
    /// before the first one: the store is being opened.
    private var deadline: Duration?
    /// While downloads are waited for: the bytes on their way, and when they are not waited for any
    /// more unless others come. Nil otherwise.
    private var awaited: (bytes: Int64?, until: Duration)?
    private var isPrompted = false
    private var hasEnded = false
    /// Whether anything was printed since the last line.
    private var hasSaid = false
    private var tellsAll = false

    init(_ capabilities: Capabilities, _ options: GlobalOptions) {
        let (events, waking) = AsyncStream.makeStream(of: Event.self)
        let presenter = LinearPresenter(
            capabilities: capabilities, formatters: LocalizedFormatters())
        self.events = events
        self.waking = waking
        self.presenter = presenter
        measure = capabilities.measure
        mailbox = Mailbox(onFirst: { waking.yield(.woken) })
        input = InputLines { line in waking.yield(line.map { Event.typed($0) } ?? .ended) }
        var state = ShopState(shop: .unopened(options))
        state.own = options.own
        runner = ShopRunner(
            state, system: SystemClock(),
            elapsed: ContinuousClock(), settingsMistakes: PersonSettings.current.problems.count,
            viewport: { presenter.viewport($0) },
            copy: { what in
                // There is no clipboard: the text itself is printed.
                Output.line(UntrustedText.clean(what.text, keepingLines: true))
                return true
            })
        runner.didTake = { [unowned self] in tellNews() }
        runner.take(.resized)
    }

    var state: ShopState { runner.state }

    /// Opens the store, then answers lines until the person leaves or the input ends.
    ///
    /// - Returns: the exit code if the input ended in the middle of a purchase.
    /// - Throws: the error for which the store cannot be opened.
    func run(
        _ options: GlobalOptions, demo: DemoStore? = nil, page: ProductID? = nil
    ) async throws -> ExitCode? {
        say([presenter.strings(state)[.linearBegins]])
        if let page { runner.take(.page(.asked(page))) }
        runner.open(options, mailbox, demo: demo)
        listenToSignals()
        var events = events.makeAsyncIterator()
        var typed: String?
        while !runner.hasQuit, !Output.isLost {
            for message in mailbox.takeAll() { runner.take(message) }
            if let failure = runner.failure, state.opening == .opening { throw failure }
            passTime()
            prepareForSignals()
            if !isBusy {
                if let line = typed {
                    typed = nil
                    answer(line)
                    continue
                }
                if hasEnded { return end() }
                prompt()
            }
            let timer = timer
            let event = await events.next()
            timer?.cancel()
            switch event {
            case .typed(let line):
                typed = line
                isPrompted = false
                deadline = runner.elapsed + Self.patience
            case .continued: showMark()
            case .ended:
                hasEnded = true
                isPrompted = false
                if Output.isTerminal { Output.line("") }
            case .woken, nil: break
            }
        }
        return nil
    }

    /// Gives up the lease, so that another process can deliver.
    func close() async {
        guard let device = runner.shop?.device else { return }
        if let place = state.unsavedPlace { try? await device.remember(place) }
        await device.close()
    }

    // MARK: - Waiting

    /// Whether what a line has begun is still under way.
    private var isBusy: Bool {
        !runner.isIdle && deadline.map { runner.elapsed < $0 } != false
            || awaited.map { $0.bytes != nil && runner.elapsed < $0.until } == true
    }

    private func passTime() {
        if let end = state.deadlines.nextEnd, end <= runner.now { runner.take(.timePassed) }
        runner.finishCounting()
        guard let awaited else { return }
        runner.take(.library(.counted))
        let bytes = state.bytesOnTheirWay
        if bytes != awaited.bytes { self.awaited = (bytes, runner.elapsed + Self.patience) }
    }

    /// Wakes the loop when a deadline has passed; nil for none.
    private var timer: Task<Void, Never>? {
        let limits = [deadline, awaited?.until].compactMap(\.self)
        let patience =
            isBusy ? limits.map { $0 - runner.elapsed }.filter { $0 > .zero }.min() : nil
        guard let pause = [patience, runner.untilNextEnd].compactMap(\.self).min() else {
            return nil
        }
        let waking = waking
        return Task.detached {
            try? await Task.sleep(for: pause)
            if !Task.isCancelled { waking.yield(.woken) }
        }
    }

    // MARK: - Answering

    private func answer(_ line: String) {
        // A terminal shows what is typed itself.
        if !Output.isTerminal { Output.line(Self.mark + UntrustedText.clean(line)) }
        hasSaid = false
        deadline = runner.elapsed + Self.patience
        switch presenter.answer(to: line, in: state) {
        case .actions(let actions): for action in actions { runner.take(action) }
        case .again: tellsAll = true
        case .wait: awaited = (state.bytesOnTheirWay, runner.elapsed + Self.patience)
        case .texts(let texts): say(texts)
        }
    }

    /// Says what became of an open purchase: nothing was sent before it was confirmed.
    private func end() -> ExitCode? {
        let strings = presenter.strings(state)
        if state.isBeforePayment {
            runner.take(.wentBack)
            say([strings[.linearEndedBuying]])
            return Exit.cancelled
        }
        guard let name = state.unansweredPurchase else { return nil }
        say([strings[.linearNotAnswered(name: name)]])
        return Exit.pending
    }

    private func listenToSignals() {
        let known = forSignals
        let mailbox = mailbox
        let waking = waking
        SignalEnd.before(SignalEnd.requests) { _ in
            if let text = known.farewell.withLock({ $0 }) { Output.line("\n" + text) }
        }
        SignalEnd.aroundStop {
            let device = known.device.withLock { $0 }
            let suspended = device.map { SuspendedDevice($0) }
            return {
                suspended?.resume(mailbox)
                waking.yield(.continued)
            }
        }
    }

    private func prepareForSignals() {
        forSignals.device.withLock { $0 = runner.shop?.device }
        let strings = presenter.strings(state)
        let text: LinearText? =
            state.isBeforePayment
            ? .linearInterrupted : state.unansweredPurchase.map { .linearNotAnswered(name: $0) }
        forSignals.farewell.withLock { $0 = text.map { strings[$0] } }
    }

    // MARK: - Printing

    private func prompt() {
        guard !isPrompted else { return }
        if awaited != nil { say(presenter.standing(state)) }
        awaited = nil
        let lines = presenter.tell(state, whole: tellsAll)
        tellsAll = false
        if lines.isEmpty, !hasSaid { say([presenter.strings(state)[.linearAsBefore]]) }
        say(lines)
        say([presenter.prompt(state)])
        isPrompted = true
        showMark()
        input.ask()
    }

    private func showMark() {
        if isPrompted, Output.isTerminal { Output.raw(Data(Self.mark.utf8)) }
    }

    /// Prints what has come meanwhile; each message once.
    private func tellNews() {
        let lines = presenter.news(state)
        if !lines.isEmpty {
            if isPrompted, Output.isTerminal { Output.line("") }
            say(lines)
            showMark()
        }
        if state.statusMessage != nil { runner.endMessage() }
        // A notice may have waited for the message.
        if presenter.endedMessage(in: state) { tellNews() }
    }

    private func say(_ lines: [String]) {
        let columns = max(Self.columnsMin, Output.columns ?? 80)
        for line in lines {
            for part in measure.wrap(line, columns: columns) { Output.line(part.text) }
        }
        hasSaid = hasSaid || !lines.isEmpty
    }
}
