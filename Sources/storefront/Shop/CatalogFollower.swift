import DurableFiles
import Foundation
import ShopCore
import StoreEngine
import StoreModel

/// Follows the catalog file while a shop is open: a good change becomes the store's next revision,
/// visible to every process; a bad one is told, and the last good catalog stays.
final class CatalogFollower: Sendable {
    private let store: OpenStore
    private let mailbox: Mailbox

    init(_ store: OpenStore, _ mailbox: Mailbox) {
        self.store = store
        self.mailbox = mailbox
    }

    /// Follows until the program ends; where files cannot be watched, the catalog is read again with
    /// the next start.
    func start() {
        FolderWatcher.watch(file: store.catalog.path) { Task { await self.look() } }
    }

    private func look() async {
        let reading = CatalogReader.read(path: store.catalog.path)
        guard let catalog = reading.catalog else {
            let problem = reading.errors.first.map { ProblemText.line($0) } ?? ""
            return mailbox.put(.action(.catalogRefused(problem: problem)))
        }
        do {
            // Another app's catalog opens its own store.
            guard catalog.bundleID == store.catalog.catalog?.bundleID else {
                throw StoreError(
                    .storeOfAnotherApp, subject: "bundle id",
                    found: store.engine.identity.bundleID, expected: catalog.bundleID)
            }
            try await store.engine.sell(catalog, digest: reading.sourceDigest)
        } catch {
            mailbox.put(
                .action(
                    .attemptFailed(error as? StoreError ?? StoreError(.unknown, cause: "\(error)")))
            )
        }
    }
}
