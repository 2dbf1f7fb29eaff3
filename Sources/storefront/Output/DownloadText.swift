import ShopCore
import StoreModel

/// Downloads in lines.
enum DownloadText {
    /// "lantern.book text 1.0  finished  16682 of 16682 bytes"
    static func line(_ download: Download, path: String?) -> String {
        let name = "\(download.productID) \(download.contentID) \(download.version)"
        let size =
            switch download.state {
            // Nothing of it is here: how much came once says nothing.
            case .cancelled, .deleted: "\(download.bytesExpected) bytes to download again"
            default: "\(download.bytesReceived) of \(download.bytesExpected) bytes"
            }
        var line = "\(name)  \(download.state.rawValue)  \(size)"
        if let path { line += "  \(path)" }
        if let error = download.error { line += "\n  " + stopped(download, error) }
        return line
    }

    /// Why a download that somebody waited for does not go on, and how it does.
    static func stopped(_ download: Download, _ error: StoreError) -> String {
        error.downloadMessage(
            command: "storefront downloads resume \(download.productID)"
        ).line
    }
}

/// A download in JSON.
struct DownloadLine: Encodable {
    var download: Download
    /// Where it lies, once it is complete.
    var path: String?
}
