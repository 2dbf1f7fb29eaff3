import StoreModel
import Synchronization

/// The keys of a store's revoked leaf. A store that was made before there were any gets them when
/// they are first needed. Safe from any task.
final class RevokedKeys: Sendable {
    /// Where the keys of an older store are kept.
    private struct Source {
        var folder: KeyFolder
        var root: [UInt8]
    }
    private let known: Mutex<SigningChain?>
    private let source: Source?

    /// Keys that were made with the store's own.
    init(_ chain: SigningChain) {
        known = Mutex(chain)
        source = nil
    }

    /// Keys that are kept, or are still to be made, in a set of their own. `root` is the store's
    /// root certificate, DER.
    init(madeIn folder: KeyFolder, root: [UInt8]) {
        known = Mutex(nil)
        source = Source(folder: folder, root: root)
    }

    /// The keys; nil if they have not been needed yet. Throws `keysUnreadable`.
    func existing() throws(StoreError) -> SigningChain? { try chain(isMade: false) }

    /// The keys, made if there are none. Throws as `StoreKeys.open(folder:)`.
    func made() throws(StoreError) -> SigningChain {
        guard let chain = try chain(isMade: true) else {
            throw StoreError(.keysUnreadable, subject: source?.folder.path)
        }
        return chain
    }

    private func chain(isMade: Bool) throws(StoreError) -> SigningChain? {
        if let chain = known.withLock({ $0 }) { return chain }
        guard let source else { return nil }
        // Of several makers at once the folder's lock lets one make them.
        let chain = try SigningChain.revoked(
            in: source.folder, root: source.root, isMade: isMade)
        known.withLock { $0 = chain ?? $0 }
        return chain
    }
}
