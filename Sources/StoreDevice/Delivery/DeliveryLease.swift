import Basics
import Foundation
import StoreModel

/// The exclusive right to deliver, download and finish for a device: a kernel lock on a file
/// (flock(2)). The kernel releases it when its process ends in any way, so that another process can
/// take over.
enum DeliveryLease {
    /// Without waiting; nil if another process holds the lease.
    static func takeNow(_ path: String) throws(StoreError) -> FileLock? {
        do {
            return try FileLock(path: path, mode: .tryOnce)
        } catch {
            if case .held = error { return nil }
            throw StoreError(error, path: path, busy: .deviceBusy)
        }
    }

    /// For a lock that others hold only during a short piece of work. Throws `deviceBusy` if one of
    /// them holds it for seconds, as a stopped process does.
    static func takeSoon(_ path: String) async throws(StoreError) -> FileLock {
        for _ in 0..<1_000 {
            if let lock = try takeNow(path) { return lock }
            try? await Task.sleep(for: .milliseconds(5))
        }
        throw StoreError(.deviceBusy, subject: path)
    }

    static func isHeld(_ path: String) -> Bool { FileLock.isHeld(path: path) }

    /// Waits until the lease is free and takes it. A separate thread blocks in flock(2) meanwhile
    /// and cannot be interrupted. So a caller that no longer wants the lease must release it when
    /// this returns.
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
