/// Measures the time since its creation, by a given clock.
package struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Starts at the clock's present instant.
    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    /// The time since the stopwatch was created.
    package var elapsed: Duration { read() }
}
