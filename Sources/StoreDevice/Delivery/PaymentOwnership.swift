import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// The payments that a living process is sending now: one locked byte of a shared file for each
/// (open file description locks, fcntl(2)). The kernel releases the lock when its process ends in
/// any way, so a queued payment without a lock has lost its sender.
final class PaymentOwnership: Sendable {
    // F_OFD_GETLK and F_OFD_SETLK, which Swift's Glibc module hides.
    private static let query: Int32 = 36
    private static let set: Int32 = 37

    private let descriptor: Int32
    /// How many calls of this process hold each payment: the same payment may be sent twice at
    /// once.
    private let held = Mutex<[PaymentID: Int]>([:])

    init(path: String) throws(StoreError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
    }

    deinit { close(descriptor) }

    /// Marks a payment as being sent by this process. Call it before the payment is queued. It does
    /// not fail if another process holds the payment too: both then send it, and the store sells it
    /// once.
    func hold(_ id: PaymentID) {
        held.withLock { held in
            held[id, default: 0] += 1
            if held[id] == 1 { _ = lock(Self.set, F_WRLCK, id) }
        }
    }

    /// Holds a payment that nobody else holds: false where a living process is sending it, and
    /// nothing is held then. Atomic, also between processes.
    func holdAlone(_ id: PaymentID) -> Bool {
        held.withLock { held in
            guard held[id] == nil, lock(Self.set, F_WRLCK, id) != nil else { return false }
            held[id] = 1
            return true
        }
    }

    /// Ends one `hold`.
    func release(_ id: PaymentID) {
        held.withLock { held in
            guard let count = held[id] else { return }
            held[id] = count > 1 ? count - 1 : nil
            if count == 1 { _ = lock(Self.set, F_UNLCK, id) }
        }
    }

    /// Whether any living process, this one included, is sending a payment.
    func isHeld(_ id: PaymentID) -> Bool {
        held.withLock { held in
            // Where the kernel cannot be asked, nobody holds it: sending one again is harmless. Its
            // answer leaves out the locks of this open file itself.
            held[id] != nil || (lock(Self.query, F_WRLCK, id) ?? Int16(F_UNLCK)) != Int16(F_UNLCK)
        }
    }

    /// Runs a lock command on a payment's byte and returns the lock type that the kernel reports; nil
    /// if the command fails, as a lock does that another open file holds.
    private func lock(_ command: Int32, _ type: Int32, _ id: PaymentID) -> Int16? {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = Self.byteOffset(of: id)
        lock.l_len = 1
        guard fcntl(descriptor, command, &lock) == 0 else { return nil }
        return lock.l_type
    }

    /// The byte for a payment, by the last 62 bits of its UUID, which are random. If two payments
    /// shared a byte, one would only be sent again later.
    private static func byteOffset(of id: PaymentID) -> off_t {
        let bytes = id.uuid.uuid
        let half = [
            bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        return off_t(half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0x3FFF_FFFF_FFFF_FFFF)
    }
}
