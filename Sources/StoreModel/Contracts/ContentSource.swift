package import Foundation

/// Where a device gets the packages of hosted content from: the store's folders and files, or a
/// server. A download needs nothing else of it, so that each of them is fetched by the same
/// machinery: in pieces, on from the byte where it stopped, checked by SHA-256.
package protocol ContentSource: Sendable {
    /// The files of a package with their digests, or of its one file. Throws `notEntitled` unless
    /// the account may fetch it, and `contentUnavailable` if there is no such package.
    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest

    /// Bytes of one file of a package, as `ContentManifest.fetched` names it: at most `count` and
    /// at most 1 MiB, fewer or none at the end of the file. Throws as `contentManifest`.
    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data
}
