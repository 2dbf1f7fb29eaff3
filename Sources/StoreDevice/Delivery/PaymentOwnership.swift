import Basics
import Foundation
import StoreModel
import Synchronization

/// The payments that a living process is sending, as locked bytes of a shared file, one byte for
/// each payment (`OpenFileLock`). The kernel releases the lock when the process ends in any way. So
/// a queued payment whose byte is not locked has lost its sender.
final class PaymentOwnership: Sendable {
    private let descriptor: Int32
    /// How many calls of this process hold each payment. Two calls may send the same payment at
    /// once.
    private let held = Mutex<[PaymentID: Int]>([:])
    /// The payments that this process has sent since its device was opened; nil after
    /// `endLaunch`.
    private let sentHere = Mutex<Set<PaymentID>?>([])

    /// Opens the file, read-only if it cannot be written. A read-only file is enough to see other
    /// processes' locks; a process that opens it read-only sends no payment.
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

    /// Marks a payment as being sent by this process. Call it before queueing the payment. It
    /// succeeds even if another process holds the payment: both then send it, and the store sells
    /// it once.
    func hold(_ id: PaymentID) {
        sentHere.withLock { _ = $0?.insert(id) }
        held.withLock { held in
            held[id, default: 0] += 1
            if held[id] == 1 { take(id) }
        }
    }

    /// Holds a payment if no other call and no other living process holds it. Otherwise returns
    /// false and holds nothing. Atomic, also between processes.
    func holdAlone(_ id: PaymentID) -> Bool {
        held.withLock { held in
            guard held[id] == nil, take(id) else { return false }
            held[id] = 1
            return true
        }
    }

    func release(_ id: PaymentID) {
        held.withLock { held in
            guard let count = held[id] else { return }
            held[id] = count > 1 ? count - 1 : nil
            if count == 1 {
                OpenFileLock.release(on: descriptor, from: Self.byteOffset(of: id), length: 1)
            }
        }
    }

    func isHeld(_ id: PaymentID) -> Bool {
        held.withLock { held in
            // If the kernel cannot be asked, the payment counts as not held: sending it again is
            // harmless.
            held[id] != nil
                || OpenFileLock.conflicts(
                    .exclusive, on: descriptor, from: Self.byteOffset(of: id), length: 1) ?? false
        }
    }

    /// The payments that this process has sent, to tell them from those that an earlier one left;
    /// nil after the first call, which ends their counting.
    func endLaunch() -> Set<PaymentID>? {
        sentHere.withLock { sent in
            defer { sent = nil }
            return sent
        }
    }

    /// False if another open file has locked the payment's byte.
    @discardableResult
    private func take(_ id: PaymentID) -> Bool {
        OpenFileLock.take(
            .exclusive, on: descriptor, from: Self.byteOffset(of: id), length: 1)
    }

    /// The last 62 bits of the payment's UUID, which are random. Two payments with the same byte
    /// would do no harm: one of them would be sent again later.
    private static func byteOffset(of id: PaymentID) -> Int64 {
        let bytes = id.uuid.uuid
        let half = [
            bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        return Int64(half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0x3FFF_FFFF_FFFF_FFFF)
    }
}
