import StoreCatalog
import StoreModel
import StoreSigning

/// The manifests of packages that are folders of the catalog. Each manifest is made once and kept,
/// with the path, length, modification time, device and inode of each file it was made from. It is
/// used while all of these are unchanged. It is made in the background, off the caller's executor;
/// devices that ask for it at the same time share one computation.
actor FolderManifests {
    /// Nil to keep manifests in memory only.
    private let folder: String?
    private var kept: [String: KeptManifest] = [:]
    private var making: [String: Task<Result<KeptManifest, StoreError>, Never>] = [:]
    /// The catalog revision whose manifests have all been made or are being made; nil for none.
    private var revision: Int64?

    init(folder: String?) { self.folder = folder }

    /// Whether the caller is to make the manifests of this revision: true unless this process has
    /// made them or is making them. `leave` undoes this.
    func begin(_ revision: Int64) -> Bool {
        guard self.revision != revision else { return false }
        self.revision = revision
        return true
    }

    /// Notes that some of a revision's manifests could not be made. The next caller of `begin`
    /// makes the missing ones.
    func leave(_ revision: Int64) {
        if self.revision == revision { self.revision = nil }
    }

    /// - Throws: `contentUnavailable`.
    func manifest(
        of location: HostedReads.Location
    ) async throws(StoreError) -> (HostedPackage, ContentManifest) {
        let content = HostedContentFolder(root: location.folder)
        let package = try content.open(location.package)
        let key = KeptManifest.name(of: location.package, in: location.folder)
        if let known = kept[key] ?? KeptManifest(in: folder, name: key),
            known.marks == package.marks
        {
            kept[key] = known
            return (package, known.manifest)
        }
        let task =
            making[key]
            ?? Task.detached(priority: .utility) { [folder] in
                do throws(StoreError) {
                    let (package, manifest) = try content.opened(location.package)
                    let made = KeptManifest(marks: package.marks, manifest: manifest)
                    made.write(
                        into: folder, name: key, digest: try? ManifestDigest.of(manifest))
                    return .success(made)
                } catch { return .failure(error) }
            }
        making[key] = task
        let made = await task.value
        making[key] = nil
        let known = try made.get()
        if kept.count >= StoreLimits.hostedReadsKept { kept = [:] }
        kept[key] = known
        return (try content.open(location.package), known.manifest)
    }
}
