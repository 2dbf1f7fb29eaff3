import CTerminal
import Glibc
package import Terminal

extension CursesTerminal {
    /// What has happened is handed out at the latest after so many looks, however fast more comes.
    private static let looksMax = 16

    /// Waits for something to happen, and hands out all that has happened by then, in order. Empty
    /// only when the deadline has passed; without one there is no waking up in between.
    package func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
        guard isOpen else { return [.ended(.hungUp)] }
        var events: [TerminalEvent] = []
        var looks = 0
        while true {
            let ready = poll(until: events.isEmpty ? deadline : .now)
            looks += 1
            // The rest of a sequence may have come at the last moment: it is read before ESC is
            // taken for a key.
            if ready & Int32(CT_INPUT) == 0 { take(input.giveUp(at: .now), into: &events) }
            if ready & Int32(CT_OUTPUT) != 0 { showNextFrame() }
            if ready & Int32(CT_SIGNAL) != 0 { takeSignals(into: &events) }
            if ready & Int32(CT_BELL) != 0 {
                waker.answer()
                if !events.contains(.woken) { events.append(.woken) }
            }
            if ready & Int32(CT_INPUT | CT_GONE) != 0 {
                guard ready & Int32(CT_INPUT) != 0, let inputs = input.read() else {
                    events.append(.ended(.hungUp))
                    return events
                }
                take(inputs, into: &events)
            }
            // What is unfinished is waited for: all but the last of a burst is of one look.
            if ready == 0 || looks >= Self.looksMax || input.deadline == nil {
                if !events.isEmpty { return events }
                if let deadline, deadline <= .now { return [] }
            }
        }
    }

    private func poll(until deadline: ContinuousClock.Instant?) -> Int32 {
        let next: ContinuousClock.Instant? =
            if let deadline, let other = input.deadline { min(deadline, other) } else {
                deadline ?? input.deadline
            }
        guard let next else { return ct_wait(signals, waker.descriptor, -1) }
        let (seconds, fraction) = max(.zero, next - .now).components
        // Rounded up, so that the deadline has passed when the wait is over. A day is long enough.
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
            // In raw mode these are bytes, not signals.
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
            // Continued after a stop that could not be heard of: who knows what the screen shows.
            case SIGCONT: events += takeAgain()
            case SIGWINCH: events += resize()
            case let signal: events.append(.ended(.signal(signal)))
            }
        }
    }

    private func resize() -> [TerminalEvent] {
        guard takeSize() else { return [] }
        // What a terminal does with its lines when its width changes is its own affair.
        painter.forget()
        ct_repaint()
        return [.resized(size)]
    }

    /// The question may be answered after the program has ended, and would be typed into the shell.
    func awaitAnswer() {
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
