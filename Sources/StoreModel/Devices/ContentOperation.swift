/// An operation on a product's downloads and content on a device, as one value for keys, commands,
/// effects and words. `ShopDevice.perform(_:on:package:)` carries it out.
package enum ContentOperation: String, Hashable, Sendable {
    /// Refused with `downloadNotFound` if this device never downloaded the product
    /// (`productUnavailable` or `contentUnavailable` if the store has nothing to download for it),
    /// and with `downloadNotActive` if no download is waiting, active or paused.
    case pauseDownloads
    /// Resumes paused and failed downloads, and fetches cancelled and deleted packages again.
    /// Refused with `notEntitled` if this device has no delivery of the product.
    case resumeDownloads
    /// Downloads the packages although the connection is metered and they are large; otherwise as
    /// `resumeDownloads`. The consent ends with the download.
    case consentToDownload
    /// Makes room for downloads that found the disk full: removes other content that can be
    /// downloaded again, least recently opened first and never content that is open; then resumes
    /// the downloads.
    case makeRoom
    /// Cancels the downloads, deletes their partial files and finishes the transactions. Refused as
    /// `pauseDownloads`.
    case cancelDownloads
    /// Deletes downloaded content; it can be downloaded again. Refused as `pauseDownloads`, with
    /// `downloadNotFound` if no download of the product is finished.
    case deleteContent
}
