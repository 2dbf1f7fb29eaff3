import Basics
import ShopText
import StoreModel

/// Downloads in lines.
enum DownloadText {
    static let columns: [TextTable.Column] = [
        .init(.columnProduct), .init(.columnPackage), .init(.columnVersion), .init(.columnState),
        .init(.columnSize), .init(.columnPath),
    ]

    static func cells(_ download: Download, path: String?) -> [String] {
        let size: CommandText =
            switch download.state {
            // None of it is on this device, however much was received before.
            case .cancelled, .deleted: .bytesToDownload(download.bytesExpected)
            case .waiting, .active, .paused, .failed, .finished:
                .bytesOf(download.bytesReceived, download.bytesExpected)
            }
        return [
            download.productID.rawValue, download.contentID, download.version,
            Output.strings[state(of: download)], Output.strings[size],
            path.map { UntrustedText.clean($0) } ?? "",
        ]
    }

    /// The state, and of a waiting download whether any process is there to go on with it.
    private static func state(of download: Download) -> CommandText {
        download.needsConsent
            ? .downloadNeedsConsent
            : download.state == .waiting && !download.isWorkedOn
                ? .downloadNotWorkedOn : .downloadState(download.state)
    }

    /// A newer version of a package.
    static func update(_ update: ContentUpdate) -> CommandText {
        .updateLine(
            product: update.productID.rawValue, package: update.contentID,
            from: update.installedVersion, to: update.offeredVersion, bytes: update.length)
    }

    /// Why a download that somebody waited for does not go on, and how it does.
    static func stopped(_ download: Download, _ error: StoreError) -> String {
        Output.strings.downloadMessage(
            for: error, command: "storefront downloads resume \(download.productID)"
        ).line
    }
}

/// A download in JSON: its fields, the seconds that are left, and where it lies once it is complete.
struct DownloadLine: Encodable {
    var download: Download
    var path: String?

    private enum Key: CodingKey { case path, timeRemaining }

    func encode(to encoder: any Encoder) throws {
        try download.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(path, forKey: .path)
        // StoreKit: `SKDownload.timeRemaining`, and -1 for `SKDownloadTimeRemainingUnknown`.
        try container.encode(download.secondsRemaining ?? -1, forKey: .timeRemaining)
    }
}
