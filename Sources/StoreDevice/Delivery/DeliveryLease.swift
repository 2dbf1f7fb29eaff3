import Basics
import Foundation
import StoreModel

/// The right to deliver, download and finish for a device. A kernel lock: the process that holds it
/// may die in any way, and the next one has it.
enum DeliveryLease {
    /// Nil while another process holds it.
    static func takeNow(_ path: String) throws(StoreError) -> FileLock? {
        do {
            return try FileLock(path: path, mode: .tryOnce)
        } catch {
            if case .held = error { return nil }
            throw StoreError(error, path: path, busy: .deviceBusy)
        }
    }

    /// Whether any process delivers for the device.
    static func isHeld(_ path: String) -> Bool { FileLock.isHeld(path: path) }

    /// Waits until it is free, on a thread of its own that sleeps in the kernel meanwhile.
    static func wait(_ path: String) async -> Result<FileLock, StoreError> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do throws(FileLock.Failure) {
                    continuation.resume(
                        returning: .success(try FileLock(path: path, mode: .waitForever)))
                } catch {
                    continuation.resume(
                        returning: .failure(StoreError(error, path: path, busy: .deviceBusy)))
                }
            }
        }
    }
}
