package import Foundation

/// A source of the packages of hosted content: the store's folders and files, or a server. Every
/// source serves parts of files, so that one downloader works with all of them: it fetches in
/// pieces, resumes at the byte where it stopped, and checks by SHA-256.
package protocol ContentSource: Sendable {
    /// The manifest of a package: its files, or its one zip file, with their digests. Throws
    /// `notEntitled` unless the account may fetch the package, and `contentUnavailable` if there is
    /// no such package.
    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest

    /// Bytes of one file of a package, as `ContentManifest.fetched` names it: at most `count` and
    /// at most 1 MiB, fewer or none at the end of the file. Throws as `contentManifest`.
    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data
}
