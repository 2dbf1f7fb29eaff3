import CTerminal
import Glibc
package import Terminal

extension CursesTerminal {
    /// After the first event of one `wait`, so that it returns even during a continuous stream of
    /// input.
    private static let pollsMax = 16

    /// Waits for events and returns all that have arrived, in order. Several wakes give one
    /// `woken`.
    ///
    /// Sleeps in ppoll(2) and sets no timer, except while an input sequence is unfinished.
    ///
    /// - Parameter deadline: when to return without an event; nil for never.
    /// - Returns: empty only if the deadline has passed. `ended` once the terminal is closed.
    package func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
        guard isOpen else { return [.ended(.hungUp)] }
        input.expectsReply = expectsReply
        var events: [TerminalEvent] = []
        var polls = 0
        while true {
            let ready = poll(until: events.isEmpty ? deadline : .now)
            polls += 1
            // Gives up an unfinished sequence only if no input is available, because that input may
            // complete the sequence.
            if ready & Int32(CT_INPUT) == 0 { take(input.giveUp(at: .now), into: &events) }
            if ready & Int32(CT_OUTPUT) != 0 { showNextFrame() }
            if ready & Int32(CT_SIGNAL) != 0 { takeSignals(into: &events) }
            if ready & Int32(CT_WAKE) != 0 {
                waker.clear()
                if !events.contains(.woken) { events.append(.woken) }
            }
            if ready & Int32(CT_INPUT | CT_GONE) != 0 {
                guard ready & Int32(CT_INPUT) != 0, let inputs = input.read() else {
                    events.append(.ended(.hungUp))
                    return events
                }
                take(inputs, into: &events)
            }
            // While a sequence is unfinished, polls again at once for its rest, so that a burst of
            // input is returned together.
            if ready == 0 || polls >= Self.pollsMax || input.deadline == nil {
                if !events.isEmpty { return events }
                if let deadline, deadline <= .now { return [] }
            }
        }
    }

    /// Nil for no limit. Zero or a negative limit returns at once.
    package func wait(atMost limit: Duration?) -> [TerminalEvent] {
        wait(until: limit.map { .now + max(.zero, $0) })
    }

    /// The events of signals that have arrived. Reads no keys.
    package func arrivedSignals() -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        takeSignals(into: &events)
        return events
    }

    /// Waits until an input is ready, the deadline has passed, or an unfinished sequence is given
    /// up. Returns the ready inputs (`CT_INPUT` and so on); 0 if none is ready.
    private func poll(until deadline: ContinuousClock.Instant?) -> Int32 {
        let next: ContinuousClock.Instant? =
            if let deadline, let other = input.deadline { min(deadline, other) } else {
                deadline ?? input.deadline
            }
        guard let next else { return ct_wait(signals, waker.descriptor, -1) }
        let (seconds, fraction) = max(.zero, next - .now).components
        // Rounded up, so that the deadline has passed when the wait is over. At most a day, so that
        // the product cannot overflow.
        let nanoseconds = min(seconds, 86_400) * 1_000_000_000 + fraction / 1_000_000_000 + 1
        return ct_wait(signals, waker.descriptor, next <= .now ? 0 : nanoseconds)
    }

    private func take(_ inputs: [KeyDecoder.Input], into events: inout [TerminalEvent]) {
        for input in inputs {
            switch input {
            case .mode(Self.synchronizedMode, let state):
                if case .asked = synchronizing {
                    synchronizing = (1...3).contains(state) ? .yes : .no
                }
            case .mode: break
            case .background(let color): events += takeBackground(color)
            // In raw mode the kernel sends no signals for these keys (termios(3): ISIG).
            case .event(.key(.control("z"))): events += suspend()
            case .event(.key(.control("\\"))): events.append(.ended(.signal(SIGQUIT)))
            case .event(.pointer) where !hasPointer: break
            case .event(let event): events.append(event)
            }
        }
    }

    private func takeSignals(into events: inout [TerminalEvent]) {
        while true {
            switch ct_next_signal(signals) {
            case 0: return
            case SIGHUP: events.append(.ended(.hungUp))
            case SIGTSTP: events += suspend()
            // SIGSTOP, which cannot be caught, has stopped the process: the content of the screen
            // is unknown.
            case SIGCONT: events += reenter()
            case SIGWINCH: events += resize()
            case let signal: events.append(.ended(.signal(signal)))
            }
        }
    }

    private func resize() -> [TerminalEvent] {
        guard updateSize() else { return [] }
        // Terminals rewrap or cut their lines in different ways when resized, so every cell is
        // painted.
        painter.forget()
        ct_repaint()
        return [.resized(size)]
    }

    // MARK: - Reports

    /// The time after a query during which `close` waits for the terminal's answer.
    private static let reportLimit = Duration.milliseconds(250)
    /// The time after a query during which its answer is distinguished from keys, even if the
    /// answer arrives in pieces with pauses between them.
    private static let lateReportLimit = Duration.seconds(10)

    private var expectsReply: Bool {
        guard case .asked(let asked) = backgroundQuery else { return false }
        return .now < asked + Self.lateReportLimit
    }

    /// Takes over the background that the terminal reports, at any time. Returns an event if it
    /// differs from the assumed one.
    private func takeBackground(_ color: RGB) -> [TerminalEvent] {
        guard case .asked = backgroundQuery else { return [] }
        backgroundQuery = .answered
        input.expectsReply = false
        let background = Background(color)
        guard background != capabilities.background else { return [] }
        capabilities.background = background
        return [.background(background)]
    }

    /// Waits for the answers to the queries of the first frame, which the shell would otherwise
    /// receive as typed text. Other input that arrives meanwhile is dropped.
    func awaitReports() {
        while let limit = nextReportLimit, .now < limit {
            let ready = poll(until: limit)
            if ready & Int32(CT_GONE | CT_SIGNAL) != 0 { break }
            if ready & Int32(CT_OUTPUT) != 0 { _ = ct_flush() }
            if ready & Int32(CT_WAKE) != 0 { waker.clear() }
            guard ready & Int32(CT_INPUT) != 0 else {
                _ = input.giveUp(at: .now)
                continue
            }
            guard let inputs = input.read() else { break }
            for input in inputs {
                switch input {
                case .mode(Self.synchronizedMode, _): synchronizing = .no
                case .background(let color): _ = takeBackground(color)
                case .mode, .event: break
                }
            }
        }
    }

    /// The end of the wait for outstanding answers; nil if none is outstanding.
    private var nextReportLimit: ContinuousClock.Instant? {
        var asked: [ContinuousClock.Instant] = []
        if case .asked(let at) = synchronizing { asked.append(at) }
        if case .asked(let at) = backgroundQuery { asked.append(at) }
        return asked.max().map { $0 + Self.reportLimit }
    }
}
