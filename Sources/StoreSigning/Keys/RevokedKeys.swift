import StoreModel
import Synchronization

/// The keys of a store's revoked leaf. A store that an earlier version made without such keys gets
/// them at their first use. Safe from any task.
final class RevokedKeys: Sendable {
    /// The folder with the keys of an older store.
    private struct Source {
        var folder: KeyFolder
        var root: [UInt8]
    }
    private let known: Mutex<SigningChain?>
    private let source: Source?

    /// Made together with the store's keys.
    init(_ chain: SigningChain) {
        known = Mutex(chain)
        source = nil
    }

    /// A separate set in `folder`, which `made()` creates if it is missing. `root` is the store's
    /// root certificate, DER.
    init(madeIn folder: KeyFolder, root: [UInt8]) {
        known = Mutex(nil)
        source = Source(folder: folder, root: root)
    }

    /// Nil if `made()` has not created them yet. Throws `keysUnreadable`.
    func existing() throws(StoreError) -> SigningChain? { try chain(isMade: false) }

    /// Creates the keys if there are none. Throws as `StoreKeys.open(folder:)`.
    func made() throws(StoreError) -> SigningChain {
        guard let chain = try chain(isMade: true) else {
            throw StoreError(.keysUnreadable, subject: source?.folder.path)
        }
        return chain
    }

    private func chain(isMade: Bool) throws(StoreError) -> SigningChain? {
        if let chain = known.withLock({ $0 }) { return chain }
        guard let source else { return nil }
        // If several processes make the keys at once, the folder's lock lets only one of them.
        let chain = try SigningChain.revoked(
            in: source.folder, root: source.root, isMade: isMade)
        known.withLock { $0 = chain ?? $0 }
        return chain
    }
}
