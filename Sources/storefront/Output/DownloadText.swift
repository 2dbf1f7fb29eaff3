import Basics
import ShopText
import StoreModel

/// The texts of downloads: table cells, updates and errors.
enum DownloadText {
    static let columns: [TextTable.Column] = [
        .init(.columnProduct), .init(.columnPackage), .init(.columnVersion), .init(.columnState),
        .init(.columnSize), .init(.columnPath),
    ]

    /// The cells of a download. For an update they name the installed version, too.
    ///
    /// - Parameter isOwned: whether its transaction is not revoked; revoked content cannot be
    ///   downloaded again.
    static func cells(
        _ download: Download, installedPath: String?, isOwned: Bool
    ) -> [String] {
        guard isOwned || !download.state.isGivenUp else {
            var cells = cells(download, state: state(of: download), path: nil)
            cells[4] = ""
            return cells
        }
        guard download.isUpdate, let installed = download.installedVersion else {
            return cells(download, state: state(of: download), path: installedPath)
        }
        var cells = cells(download, state: state(of: download), path: nil)
        cells[2] = "\(installed) → \(download.version)"
        return cells
    }

    /// The cells of the content that is installed, with the progress of an update of it.
    static func installedCells(_ download: Download, path: String?) -> [String] {
        let installed = download.beforeUpdate
        let state: CommandText =
            download.isUpdate
            ? .besideUpdate(
                version: download.version, state: Output.strings[self.state(of: download)])
            : self.state(of: download)
        return cells(installed, state: state, path: path)
    }

    private static func cells(
        _ download: Download, state: CommandText, path: String?
    ) -> [String] {
        let size: CommandText =
            switch download.state {
            // The device has removed all received bytes, so the whole package has to be downloaded.
            case .cancelled, .deleted: .bytesToDownload(download.bytesExpected)
            case .waiting, .active, .paused, .failed, .finished:
                .bytesOf(download.bytesReceived, download.bytesExpected)
            }
        return [
            download.productID.rawValue, download.contentID, download.version,
            Output.strings[state], Output.strings[size],
            path.map { UntrustedText.clean($0) } ?? "",
        ]
    }

    /// The state. For a waiting download also what it waits for: a person, or a process that
    /// continues it.
    private static func state(of download: Download) -> CommandText {
        if download.needsConsent { return .downloadNeedsConsent }
        if download.waitsForRoom { return .downloadWaitsForRoom }
        return download.state == .waiting && !download.isWorkedOn
            ? .downloadNotWorkedOn : .downloadState(download.state)
    }

    /// A newer version of a package.
    static func update(_ update: ContentUpdate) -> CommandText {
        .updateLine(
            product: update.productID.rawValue, package: update.contentID,
            from: update.installedVersion, to: update.offeredVersion, bytes: update.length)
    }

    /// The error for which a download does not go on, and how to continue it.
    ///
    /// - Parameter hasMadeRoom: whether other content was removed already, so that the text does
    ///   not advise it.
    static func stopped(
        _ download: Download, _ error: StoreError, hasMadeRoom: Bool = false
    ) -> String {
        Output.strings.downloadMessage(
            for: error, isHere: download.state == .finished,
            commands: DownloadCommands(of: download.productID, hasMadeRoom: hasMadeRoom)
        ).line
    }
}

/// A download in JSON: its fields, the remaining seconds, and its path once it is complete.
struct DownloadLine: Encodable {
    var download: Download
    /// The path of the version that is installed on this device.
    var installedPath: String?

    private enum Key: CodingKey { case path, installedPath, timeRemaining }

    func encode(to encoder: any Encoder) throws {
        try download.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        // An update has no path before it is complete.
        try container.encodeIfPresent(download.isUpdate ? nil : installedPath, forKey: .path)
        try container.encodeIfPresent(installedPath, forKey: .installedPath)
        // StoreKit: `SKDownload.timeRemaining`, and -1 for `SKDownloadTimeRemainingUnknown`.
        try container.encode(download.secondsRemaining ?? -1, forKey: .timeRemaining)
    }
}

/// The installed content of a package in JSON: its download as it was before an update began, and
/// the progress of that update.
struct InstalledLine: Encodable {
    var download: Download
    var path: String?

    private enum Key: CodingKey { case update }

    private struct Update: Encodable {
        var version: String
        var state: Download.State
        var bytesReceived: Int64
        var bytesExpected: Int64
        var isWorkedOn: Bool
        var error: StoreError?
    }

    func encode(to encoder: any Encoder) throws {
        try DownloadLine(download: download.beforeUpdate, installedPath: path).encode(to: encoder)
        guard download.isUpdate else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(
            Update(
                version: download.version, state: download.state,
                bytesReceived: download.bytesReceived, bytesExpected: download.bytesExpected,
                isWorkedOn: download.isWorkedOn, error: download.error), forKey: .update)
    }
}
