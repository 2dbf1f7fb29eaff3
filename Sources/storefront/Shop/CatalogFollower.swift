import DurableFiles
import Foundation
import Shop
import ShopText
import StoreCatalog
import StoreEngine
import StoreHost
import StoreModel

/// Follows the catalog file while a shop is open. A valid change becomes the store's next revision,
/// which every process sees; an invalid one is reported, and the store keeps its last good catalog.
/// Where the system cannot watch files, the file is checked every two seconds.
final class CatalogFollower: Sendable {
    private let store: OpenStore
    private let cancellation: CancellationFlag
    private let post: @Sendable (ShopAction) -> Void

    init(
        _ store: OpenStore, _ cancellation: CancellationFlag,
        _ post: @escaping @Sendable (ShopAction) -> Void
    ) {
        self.store = store
        self.cancellation = cancellation
        self.post = post
    }

    /// Follows the file until the shop leaves the store. Readings do not overlap, so the store
    /// adopts the last state of the file last. The first reading finds changes since the store was
    /// opened; it waits until the shop has had time to show its products.
    func start() {
        let (changes, telling) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let cancellation = cancellation
        let isWatching = FileWatcher.shared?.watchReplacing(store.catalog.path) {
            telling.yield()
            return cancellation.isOpen
        }
        Task {
            try? await Task.sleep(for: Self.firstPause)
            telling.yield()
        }
        if isWatching != true {
            post(.watchingFailed)
            poll { telling.yield() }
        }
        Task { [self] in
            // A file that was refused is not reported again while it stays the same.
            var refusedDigest: String?
            for await _ in changes where cancellation.isOpen {
                refusedDigest = await look(knowing: refusedDigest)
            }
        }
    }

    private static let firstPause = Duration.milliseconds(100)

    private static let pollInterval = Duration.seconds(2)

    /// Calls `changed` when the file differs from the last check, until the shop leaves the store.
    private func poll(_ changed: @escaping @Sendable () -> Void) {
        let path = store.catalog.path
        let cancellation = cancellation
        Task {
            var known = FileState(path)
            while cancellation.isOpen {
                try await Task.sleep(for: Self.pollInterval)
                let found = FileState(path)
                if found != known { changed() }
                known = found
            }
        }
    }

    /// Attributes that change when a file is written or replaced; all nil where there is none.
    private struct FileState: Equatable {
        var number: Int?
        var size: Int?
        var changedAt: Date?

        init(_ path: String) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            number = attributes?[.systemFileNumber] as? Int
            size = attributes?[.size] as? Int
            changedAt = attributes?[.modificationDate] as? Date
        }
    }

    /// Reads the file. The store adopts its catalog; an invalid one is reported.
    ///
    /// - Parameter refusedDigest: the digest of the file if the last reading refused it; else nil.
    /// - Returns: the digest of the file if it was refused; else nil.
    private func look(knowing refusedDigest: String?) async -> String? {
        let reading = CatalogReader.read(path: store.catalog.path)
        guard let catalog = reading.catalog else {
            if reading.sourceDigest != refusedDigest {
                let problem = reading.errors.first.map { ProblemText.line($0) } ?? ""
                post(.catalogRefused(problem: problem))
            }
            return reading.sourceDigest
        }
        await sell(catalog, reading)
        return nil
    }

    private func sell(_ catalog: Catalog, _ reading: CatalogReading) async {
        do {
            // The catalog of another app belongs to another store.
            guard catalog.bundleID == store.catalog.catalog?.bundleID else {
                throw StoreError(
                    .storeOfAnotherApp, reason: .bundleID,
                    found: store.engine.identity.bundleID, expected: catalog.bundleID)
            }
            let isNew = try await store.engine.sell(
                catalog, digest: reading.sourceDigest, source: reading.source.map { Data($0) })
            if isNew, !store.isCustomers, !store.isPresenting,
                let notice = CatalogNotice.revised(reading)
            {
                post(notice)
            }
            if catalog.hadPrivateKey == true,
                let pair = CatalogReader.offerKey(path: reading.path)
            {
                try await store.engine.keep(pair)
            }
        } catch let error as StoreError where error.code == .soldProductChanged {
            let problems = try? await store.host.problems(of: catalog, path: reading.path)
            post(
                .catalogRefused(
                    problem: problems?.first.map { ProblemText.line($0) }
                        ?? Output.strings.message(for: error).line))
        } catch {
            post(.attemptFailed(error as? StoreError ?? StoreError(.unknown, cause: "\(error)")))
        }
    }
}
