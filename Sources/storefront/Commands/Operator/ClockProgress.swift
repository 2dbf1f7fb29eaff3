import ShopText
import StoreModel

/// Reports each second, while the operator moves the clock, up to which time the store has recorded
/// the events that are due. Interrupting the command loses nothing: the store records each page as
/// a whole, and the next read or command continues after the last page.
struct ClockProgress {
    private let telling: Task<Void, Never>?

    /// - Parameter elapsed: measures the second between two reports.
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
