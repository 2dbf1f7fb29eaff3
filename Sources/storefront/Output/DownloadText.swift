import ShopText
import StoreModel

/// Downloads in lines.
enum DownloadText {
    /// "lantern.book text 1.0  finished  16682 of 16682 bytes"
    static func line(_ download: Download, path: String?) -> String {
        let name = "\(download.productID) \(download.contentID) \(download.version)"
        let size: CommandText =
            switch download.state {
            // None of it is on this device, however much was received before.
            case .cancelled, .deleted: .bytesToDownload(download.bytesExpected)
            case .waiting, .active, .paused, .failed, .finished:
                .bytesOf(download.bytesReceived, download.bytesExpected)
            }
        let state = Output.strings[CommandText.downloadState(download.state)]
        var line = "\(name)  \(state)  \(Output.strings[size])"
        if let path { line += "  \(path)" }
        if let error = download.error { line += "\n  " + stopped(download, error) }
        return line
    }

    /// Why a download that somebody waited for does not go on, and how it does.
    static func stopped(_ download: Download, _ error: StoreError) -> String {
        Output.strings.downloadMessage(
            for: error, command: "storefront downloads resume \(download.productID)"
        ).line
    }
}

/// A download in JSON.
struct DownloadLine: Encodable {
    var download: Download
    /// Where it lies, once it is complete.
    var path: String?
}
