import Basics
import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// The payments that a living process is sending now: one locked byte of a shared file for each
/// (`OpenFileLock`). The kernel releases the lock when its process ends in
/// any way, so a queued payment without a lock has lost its sender.
final class PaymentOwnership: Sendable {
    private let descriptor: Int32
    /// How many calls of this process hold each payment: the same payment may be sent twice at
    /// once.
    private let held = Mutex<[PaymentID: Int]>([:])

    /// A file that can only be read is enough to look at: nobody who opens it so sends anything.
    init(path: String) throws(StoreError) {
        var opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if opened < 0 {
            let error = StoreError(errno: errno, path: path)
            if error.code == .storeReadOnly { opened = open(path, O_RDONLY | O_CLOEXEC) }
            guard opened >= 0 else { throw error }
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Marks a payment as being sent by this process. Call it before the payment is queued. It does
    /// not fail if another process holds the payment too: both then send it, and the store sells it
    /// once.
    func hold(_ id: PaymentID) {
        held.withLock { held in
            held[id, default: 0] += 1
            if held[id] == 1 { take(id) }
        }
    }

    /// Holds a payment that nobody else holds: false where a living process is sending it, and
    /// nothing is held then. Atomic, also between processes.
    func holdAlone(_ id: PaymentID) -> Bool {
        held.withLock { held in
            guard held[id] == nil, take(id) else { return false }
            held[id] = 1
            return true
        }
    }

    /// Ends one `hold`.
    func release(_ id: PaymentID) {
        held.withLock { held in
            guard let count = held[id] else { return }
            held[id] = count > 1 ? count - 1 : nil
            if count == 1 {
                OpenFileLock.release(on: descriptor, from: Self.byteOffset(of: id), length: 1)
            }
        }
    }

    /// Whether any living process, this one included, is sending a payment.
    func isHeld(_ id: PaymentID) -> Bool {
        held.withLock { held in
            // Where the kernel cannot be asked, nobody holds it: sending one again is harmless.
            held[id] != nil
                || OpenFileLock.conflicts(
                    .exclusive, on: descriptor, from: Self.byteOffset(of: id), length: 1) ?? false
        }
    }

    /// False where another open file holds the payment's byte.
    @discardableResult
    private func take(_ id: PaymentID) -> Bool {
        OpenFileLock.take(
            .exclusive, on: descriptor, from: Self.byteOffset(of: id), length: 1)
    }

    /// The byte for a payment, by the last 62 bits of its UUID, which are random. If two payments
    /// shared a byte, one would only be sent again later.
    private static func byteOffset(of id: PaymentID) -> Int64 {
        let bytes = id.uuid.uuid
        let half = [
            bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        return Int64(half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0x3FFF_FFFF_FFFF_FFFF)
    }
}
