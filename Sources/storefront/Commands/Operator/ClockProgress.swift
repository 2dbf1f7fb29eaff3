import ShopText
import StoreModel

/// Says how far the store has come, from one second on, while a clock that was moved lets happen what
/// is due by then. Whoever interrupts the command loses nothing: each page is recorded as a whole, and
/// the next look or command goes on where this one was.
struct ClockProgress {
    private let telling: Task<Void, Never>?

    /// - Parameter elapsed: elapsed time, for the pauses between two words.
    init(
        _ action: OperatorAction, _ console: some StoreOperator,
        elapsed: any Clock<Duration> = ContinuousClock()
    ) {
        guard case .clock = action else {
            telling = nil
            return
        }
        telling = Task {
            while true {
                try? await elapsed.sleep(for: .seconds(1))
                guard !Task.isCancelled, let reading = try? await console.clock(),
                    let next = reading.next, next.at <= reading.now
                else { return }
                let strings = Output.strings
                Output.note(
                    .renewingUntil(strings.date(reading.now), at: strings.date(next.at)))
            }
        }
    }

    func end() { telling?.cancel() }
}
