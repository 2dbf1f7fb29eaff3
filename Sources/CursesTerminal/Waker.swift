import CTerminal
import Glibc
import Synchronization

/// Ends a `CursesTerminal`'s wait from any thread: ring it after putting something where the
/// terminal's thread looks when it is woken. Many rings before it looks are one.
package final class Waker: Sendable {
    let descriptor: Int32
    private let isRung = Atomic(false)

    init() { descriptor = ct_wake_descriptor() }

    deinit { Glibc.close(descriptor) }

    package func wake() {
        if !isRung.exchange(true, ordering: .acquiringAndReleasing) { ct_wake(descriptor) }
    }

    /// Whoever rings from now on is heard again; what they put down before this is there to see.
    func answer() {
        ct_wake_clear(descriptor)
        _ = isRung.exchange(false, ordering: .acquiringAndReleasing)
    }
}
