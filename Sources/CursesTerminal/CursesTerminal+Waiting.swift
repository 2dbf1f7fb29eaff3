import CTerminal
import Glibc
package import Terminal

extension CursesTerminal {
    /// The most polls of one `wait` once there is an event, so that a stream of input cannot keep
    /// it from returning.
    private static let pollsMax = 16

    /// Waits for events and returns all that have arrived, in order. Several wakes are one `woken`.
    ///
    /// Sleeps in one ppoll(2) and uses no timer of its own, except while an input sequence is
    /// unfinished.
    ///
    /// - Parameter deadline: when to return without an event; nil for never.
    /// - Returns: empty only if the deadline has passed. `ended` once the terminal is closed.
    package func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
        guard isOpen else { return [.ended(.hungUp)] }
        var events: [TerminalEvent] = []
        var polls = 0
        while true {
            let ready = poll(until: events.isEmpty ? deadline : .now)
            polls += 1
            // Gives up an unfinished sequence only if no input is ready, which may be the rest of
            // it.
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

    /// Waits until something is ready, the deadline has passed or an unfinished sequence is given
    /// up. Returns what is ready (`CT_INPUT` and so on); 0 for nothing.
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

    /// Turns decoded input into events, and handles mode reports, Ctrl-Z and Ctrl-\ itself.
    private func take(_ inputs: [KeyDecoder.Input], into events: inout [TerminalEvent]) {
        for input in inputs {
            switch input {
            case .mode(Self.synchronizedMode, let state):
                if case .asked = synchronizing {
                    synchronizing = (1...3).contains(state) ? .yes : .no
                }
            case .mode: break
            // In raw mode the kernel sends no signals for these keys (termios(3): ISIG).
            case .event(.key(.control("z"))): events += suspend()
            case .event(.key(.control("\\"))): events.append(.ended(.signal(SIGQUIT)))
            case .event(.pointer) where !hasPointer: break
            case .event(let event): events.append(event)
            }
        }
    }

    /// Turns all pending signals into events.
    private func takeSignals(into events: inout [TerminalEvent]) {
        while true {
            switch ct_next_signal(signals) {
            case 0: return
            case SIGHUP: events.append(.ended(.hungUp))
            case SIGTSTP: events += suspend()
            // The process was stopped by SIGSTOP, which cannot be caught: the screen may show
            // anything.
            case SIGCONT: events += reenter()
            case SIGWINCH: events += resize()
            case let signal: events.append(.ended(.signal(signal)))
            }
        }
    }

    private func resize() -> [TerminalEvent] {
        guard updateSize() else { return [] }
        // Terminals rewrap or cut their lines in different ways when resized, so all is painted.
        painter.forget()
        ct_repaint()
        return [.resized(size)]
    }

    /// Waits up to 100 ms after the query for its report, which the shell would otherwise receive
    /// as typed text. Other input that arrives meanwhile is dropped.
    func awaitModeReport() {
        guard case .asked(let asked) = synchronizing else { return }
        let limit = asked + .milliseconds(100)
        while case .asked = synchronizing, .now < limit {
            guard poll(until: limit) & Int32(CT_INPUT) != 0, let inputs = input.read() else {
                break
            }
            for case .mode(Self.synchronizedMode, _) in inputs { synchronizing = .no }
        }
    }
}
