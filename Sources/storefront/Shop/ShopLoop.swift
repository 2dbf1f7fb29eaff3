import CursesTerminal
import Foundation
import Shop
import ShopText
import StoreDevice
import StoreEngine
import StoreModel
import Terminal

/// The shop on a terminal: one loop on the main thread that waits for input and messages, passes
/// both to the reducer, and draws. It sleeps while there is no input, message or deadline.
final class ShopLoop {
    /// The shortest time between two drawings of changes in the store; keys are drawn at once.
    private static let paintInterval = Duration.milliseconds(16)

    private let terminal: CursesTerminal
    private let formatters: LocalizedFormatters
    private let runner: ShopRunner
    private let mailbox: Mailbox
    private var drawing: ShopDrawing
    private var shown: (sheet: Sheet?, choices: [PageButton], help: HelpPart?) = (nil, [], nil)
    /// The elapsed time of the last frame.
    private var lastPaint = Duration.zero
    private var isStale = false
    private var typed = TypedEvents()
    private var ending: TerminalEvent.Ending?
    /// Told once, when the first products are in sight.
    private var settingsMistakes = PersonSettings.current.problems.count
    private var tour: Tour? { runner.state.tour }
    /// The device suspended before SIGTSTP stops this program, and the task that suspends it.
    private var suspended: (device: Device, task: Task<Void, Never>)?

    /// Draws the opening frame, before the store is open.
    init(_ terminal: CursesTerminal, _ options: GlobalOptions, tour: Tour? = nil) {
        let formatters = LocalizedFormatters()
        let waker = terminal.waker
        self.terminal = terminal
        self.formatters = formatters
        var state = ShopState(shop: .unopened(options))
        state.tour = tour
        state.own = options.own
        let mailbox = Mailbox(onFirst: { waker.wake() })
        self.mailbox = mailbox
        runner = ShopRunner(
            state, system: SystemClock(), elapsed: ContinuousClock(),
            viewport: {
                ShopDrawing.viewport(
                    $0, size: Self.shopSize(terminal, $0.tour), capabilities: terminal.capabilities,
                    formatters: formatters)
            }, setPointer: { terminal.setPointer($0) },
            copy: { what in
                guard TmuxBuffer.isAround(ProcessInfo.processInfo.environment) else {
                    return terminal.copy(what.text)
                }
                TmuxBuffer.load(CursesTerminal.printable(what.text)) {
                    mailbox.put(.action(.copyFailed(what, to: .tmux)))
                }
                return true
            })
        runner.take(.resized)
        drawing = ShopDrawing(
            runner.state, tour: tour, size: terminal.size, capabilities: terminal.capabilities,
            formatters: formatters)
        terminal.show(drawing.frame)
    }

    var state: ShopState { runner.state }

    /// Opens the store, then runs until the person quits or the terminal is gone.
    ///
    /// - Throws: the error for which the store cannot be opened.
    func run(
        _ options: GlobalOptions, demo: DemoStore? = nil, page: ProductID? = nil
    ) throws -> TerminalEvent.Ending? {
        if let page { take(.page(.asked(page))) }
        runner.open(options, mailbox, demo: demo)
        let formatters = formatters
        Task.detached { formatters.prepare(for: Output.strings.locale) }
        terminal.beforeStop = { [unowned self] in suspend() }
        defer { terminal.beforeStop = {} }
        while !runner.hasQuit, ending == nil {
            step()
            if let failure = runner.failure, runner.state.opening == .opening { throw failure }
        }
        return ending
    }

    /// Gives up the lease, so that another process can deliver. Returns within a moment.
    func close() {
        guard let device = runner.shop?.device else { return }
        // A purchase may be under way. Its payment is in the queue, so leaving does not lose it.
        let place = runner.state.unsavedPlace
        _ = Self.waitAMoment {
            if let place { try? await device.remember(place) }
            await device.close()
        }
    }

    /// Suspends the device before the program stops, so that another process can deliver.
    private func suspend() {
        guard let device = runner.shop?.device else { return }
        suspended = (device, Self.waitAMoment { await device.suspend() })
    }

    private func resume() {
        guard let (device, suspending) = suspended else { return }
        suspended = nil
        let mailbox = mailbox
        Task.detached {
            // Suspending may have taken longer than `waitAMoment` waits: let it end first.
            await suspending.value
            do throws(StoreError) {
                try await device.launch()
                mailbox.put(.action(.relaunched(holdsLease: await device.holdsLease)))
            } catch { mailbox.put(.action(.attemptFailed(error))) }
        }
    }

    /// Starts some work and waits for its end, but only for a moment, because the person waits.
    private static func waitAMoment(
        for work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        let isDone = DispatchSemaphore(value: 0)
        let task = Task.detached {
            await work()
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .milliseconds(150))
        return task
    }

    private func step() {
        var mustPaint = false
        let wasReady = runner.state.isReady
        readEvents()
        let frameEnd = runner.elapsed + Self.paintInterval
        if let end = runner.state.deadlines.nextEnd, end <= runner.now { take(.timePassed) }
        if let message = runner.state.statusMessage, message.fadesAt <= runner.elapsed {
            take(.messageFaded)
        }
        if let count = runner.state.deadlines.nextCountOrSilence, count <= runner.elapsed {
            take(.library(.counted))
        }
        while let event = typed.take(in: runner.state, on: layout) {
            if event != .woken {
                mustPaint = true
                carryOut(event)
            }
            if runner.hasQuit || ending != nil { return }
            // Show a frame, and look for signals, before the next of many keys.
            if runner.elapsed >= frameEnd { break }
        }
        takeMail()
        // Draw the first product list at once, because the person waits for it.
        if runner.state.isReady, !wasReady {
            mustPaint = true
            if settingsMistakes > 0 { take(.settingsRead(mistakes: settingsMistakes)) }
            settingsMistakes = 0
        }
        if mustPaint || (isStale && runner.elapsed >= lastPaint + Self.paintInterval) { paint() }
    }

    private func carryOut(_ event: TerminalEvent) {
        switch event {
        case .woken, .background: break
        case .ended(let ending): self.ending = ending
        case .resized, .resumed:
            runner.drawnViewport = nil
            take(.resized)
            if event == .resumed {
                resume()
                take(.shown)
            }
        case .key(let key):
            // Handle the messages that came before the key was pressed.
            takeMail()
            if let action = KeyMap.action(for: key, in: runner.state, on: layout) { take(action) }
        case .pasted(let text):
            takeMail()
            if !layout.isTooSmall, let action = KeyMap.action(forPasted: text, in: runner.state) {
                take(action)
            }
        case .pointer(let pointer):
            // Ignore the pointer if what it points at has changed since it was drawn.
            if let action = KeyMap.action(for: pointer, on: drawing), isAsShown { take(action) }
        }
    }

    /// Waits for events only if none are left from before.
    private func readEvents() {
        guard !typed.isEmpty else { return typed.add(waitForEvents()) }
        typed.add(typed.isFull ? terminal.arrivedSignals() : terminal.wait(atMost: .zero))
        typed.skipToEnding()
    }

    /// Sleeps until there is input or a message, or a frame or a deadline of the state is due.
    private func waitForEvents() -> [TerminalEvent] {
        let elapsed = runner.elapsed
        let paint = isStale ? lastPaint + Self.paintInterval - elapsed : nil
        let fade = runner.state.statusMessage.map { $0.fadesAt - elapsed }
        let count = runner.state.deadlines.nextCountOrSilence.map { $0 - elapsed }
        return terminal.wait(
            atMost: [paint, runner.untilNextEnd, fade, count].compactMap(\.self).min())
    }

    private var layout: Layout { Layout(Self.shopSize(terminal, tour)) }

    private static func shopSize(_ terminal: CursesTerminal, _ tour: Tour?) -> Size {
        ShopDrawing.shopSize(on: terminal.size, besideTour: tour != nil)
    }

    /// Whether the screen shows the present sheet and buttons, so that a click presses the button
    /// that the person sees. While the help covers them, only the help counts.
    private var isAsShown: Bool {
        guard !layout.isTooSmall, runner.state.help == shown.help else { return false }
        return runner.state.help != nil
            || runner.state.sheet == shown.sheet && runner.state.choices == shown.choices
    }

    private func takeMail() {
        for message in mailbox.takeAll() {
            runner.take(message)
            isStale = true
        }
    }

    private func take(_ action: ShopAction) {
        runner.take(action)
        isStale = true
    }

    private func paint() {
        drawing = ShopDrawing(
            state, tour: tour, size: terminal.size, capabilities: terminal.capabilities,
            formatters: formatters)
        terminal.show(drawing.frame)
        runner.drawnViewport = drawing.viewport
        shown = (runner.state.sheet, runner.state.choices, runner.state.help)
        isStale = false
        lastPaint = runner.elapsed
    }
}
