import DurableFiles
import Foundation
package import SQLLedger
import StoreCatalog
import StoreEngine
package import StoreModel

extension StoreHost {
    /// Copies a store, with its keys and packages; devices stay where they are. Continues a copy that
    /// was interrupted.
    ///
    /// - Parameters:
    ///   - epoch: of a copy that sells beside its store; nil to close the store, which goes on in the
    ///     copy.
    ///   - onStep: called after each step; what it throws ends the work there.
    /// - Returns: the number of entries of the copy.
    /// - Throws: errors of `LedgerCopy.run`; `storeExists` for a target with keys of its own;
    ///   `contentUnavailable` for a package that the source has lost.
    package static func copy(
        _ source: StoreEnd, to target: StoreEnd, epoch: Int64?,
        onStep: @escaping @Sendable (LedgerCopy.Step) throws(StoreError) -> Void
    ) async throws(StoreError) -> Int64 {
        guard source.place != target.place else {
            throw StoreError(.storeExists, subject: target.address)
        }
        let beside = CopyBeside(of: source, to: target)
        return try await LedgerCopy(
            of: .init(source.ledger, at: source.address),
            to: .init(target.ledger, at: target.address),
            epoch.map { .copy(epoch: $0) } ?? .move,
            copyBeside: { () async throws(StoreError) in try await beside.run() }, onStep: onStep
        ).run()
    }

    /// Removes a store in a folder, with its keys, packages and devices.
    ///
    /// - Throws: `fileUnreadable` if there is none; `storeBusy` while a process has it open.
    package static func drop(storeAt folder: String) throws(StoreError) {
        try refuseOtherFolder(folder)
        try refuseMissing(folder)
        try empty(storeAt: folder)
        try remove(folder + "/keys")
        try remove(folder + "/store.sqlite.lock")
        // Another file in the folder keeps it.
        rmdir(folder)
    }
}

/// Copies what a store keeps beside its ledger: its keys, and the files of hosted packages. What the
/// target has already, byte by byte, is not copied anew.
private actor CopyBeside {
    private let source: StoreEnd
    private let target: StoreEnd
    /// The files that are the same in both, by hash.
    private var compared: Set<String> = []

    init(of source: StoreEnd, to target: StoreEnd) {
        self.source = source
        self.target = target
    }

    /// Throws as `StoreHost.copy`.
    func run() async throws(StoreError) {
        try await copySigningKeys()
        try await copyOfferKeys()
        try await copyPackages()
        copyManifests()
    }

    private func copySigningKeys() async throws(StoreError) {
        guard let keys = try await source.keys.signingKeys() else { return }
        let kept = try await target.keys.signingKeys { () throws(StoreError) in keys }
        // Those of a store that was emptied stay in its folder, and something may trust them.
        guard kept == keys else { throw StoreError(.storeExists, subject: target.address) }
    }

    /// In the order in which they were written, since the last one signs.
    private func copyOfferKeys() async throws(StoreError) {
        for id in try await source.keys.ids() {
            let text = try await source.keys.read(id)
            guard let text, try await target.keys.read(id) != text else { continue }
            try await target.keys.write(text, as: id)
            guard try await target.keys.read(id) == text else { throw differs("keys") }
        }
    }

    /// Their manifests are attachments of the ledger.
    private func copyPackages() async throws(StoreError) {
        let releases = try await source.ledger.storedCatalog()?.catalog.releases ?? []
        for release in releases where !compared.contains(release.sha256) {
            if try await !target.packages.has(release) {
                try await source.packages.copy(release, to: target.packages)
                guard try await target.packages.has(release) else { throw differs(release.name) }
            }
            compared.insert(release.sha256)
        }
        guard let folder = target.folder, !releases.isEmpty else { return }
        try OpenFolder(path: folder + "/packages").sync()
        try OpenFolder(path: folder).sync()
    }

    private func differs(_ part: String) -> StoreError {
        StoreError(.copyDiffers, subject: target.address, found: part)
    }

    /// Those of packages that are folders of the catalog: any process makes again what is missing.
    private func copyManifests() {
        guard let from = source.folder, let to = target.folder else { return }
        let (old, new) = ("\(from)/packages/manifests", "\(to)/packages/manifests")
        guard access(old, F_OK) == 0, access(new, F_OK) != 0 else { return }
        guard (try? PrivateFolder.make(to + "/packages")) != nil else { return }
        try? FileManager.default.copyItem(atPath: old, toPath: new)
    }
}
