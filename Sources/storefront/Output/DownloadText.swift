import Basics
import ShopText
import StoreModel

/// Downloads in lines.
enum DownloadText {
    static let columns: [TextTable.Column] = [
        .init(.columnProduct), .init(.columnPackage), .init(.columnVersion), .init(.columnState),
        .init(.columnSize), .init(.columnPath),
    ]

    /// A download in cells. Of an update the version on this device is named too.
    ///
    /// - Parameter isOwned: whether its sale stands. What was taken back cannot be downloaded again.
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

    /// The content of a package on this device in cells, and beside it how far an update of it is.
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
            // None of it is on this device, however much was received before.
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

    /// The state, and of a waiting download what it waits for: a person, or a process that goes on
    /// with it.
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

    /// Why a download that somebody waited for does not go on, and how it does.
    ///
    /// - Parameter hasMadeRoom: whether other content was removed already, so that this is no advice.
    static func stopped(
        _ download: Download, _ error: StoreError, hasMadeRoom: Bool = false
    ) -> String {
        Output.strings.downloadMessage(
            for: error, isHere: download.state == .finished,
            commands: DownloadCommands(of: download.productID, hasMadeRoom: hasMadeRoom)
        ).line
    }
}

/// A download in JSON: its fields, the seconds that are left, and where it lies once it is complete.
struct DownloadLine: Encodable {
    var download: Download
    /// Where the version on this device lies.
    var installedPath: String?

    private enum Key: CodingKey { case path, installedPath, timeRemaining }

    func encode(to encoder: any Encoder) throws {
        try download.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        // An update has no place of its own before it is complete.
        try container.encodeIfPresent(download.isUpdate ? nil : installedPath, forKey: .path)
        try container.encodeIfPresent(installedPath, forKey: .installedPath)
        // StoreKit: `SKDownload.timeRemaining`, and -1 for `SKDownloadTimeRemainingUnknown`.
        try container.encode(download.secondsRemaining ?? -1, forKey: .timeRemaining)
    }
}

/// The content of a package on this device in JSON: a line of its download as it was before an
/// update of it began, and how far that is.
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
