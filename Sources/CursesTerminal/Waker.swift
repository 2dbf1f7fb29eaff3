import CTerminal
import Glibc
import Synchronization

/// Ends the wait of a `CursesTerminal`, from any thread. Several wakes before the terminal's thread
/// has handled one are combined into one.
package final class Waker: Sendable {
    let descriptor: Int32
    private let isPending = Atomic(false)

    init() { descriptor = ct_wake_descriptor() }

    deinit { Glibc.close(descriptor) }

    /// Makes `CursesTerminal.wait` return with `woken`. Call it after writing the data that the
    /// terminal's thread is to read: the data is visible to that thread when it is woken.
    package func wake() {
        if !isPending.exchange(true, ordering: .acquiringAndReleasing) { ct_wake(descriptor) }
    }

    /// Clears the wake, so that a later wake is noticed. Data written before an earlier `wake` is
    /// visible to this thread after the call.
    func clear() {
        ct_wake_clear(descriptor)
        _ = isPending.exchange(false, ordering: .acquiringAndReleasing)
    }
}
