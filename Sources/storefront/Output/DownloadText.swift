import Basics
import ShopText
import StoreModel

/// The texts of downloads: table cells, updates and errors.
enum DownloadText {
    /// A package in a list of downloads or of installed content.
    struct Item {
        var download: Download
        /// The path of the version that is installed on this device.
        var path: String?
        /// Whether its transaction is not revoked; revoked content cannot be downloaded again.
        var isOwned = true
    }

    /// The columns of a list of downloads. For an update they name the installed version, too.
    static var columns: [Column<Item>] {
        columns(
            version: { item in
                let download = item.download
                return download.isUpdate
                    ? download.installedVersion.map { "\($0) → \(download.version)" } : nil
            }, path: { $0.download.isUpdate && $0.download.installedVersion != nil ? nil : $0.path }
        )
    }

    /// The columns of a list of installed content, with the progress of an update of it.
    static var installedColumns: [Column<Item>] {
        columns(of: { $0.download.beforeUpdate }, path: { $0.path }) { download in
            let state = state(of: download)
            return download.isUpdate
                ? .besideUpdate(version: download.version, state: Output.strings[state]) : state
        }
    }

    private static func columns(
        of row: @escaping (Item) -> Download = \.download,
        version: @escaping (Item) -> String? = { _ in nil },
        path: @escaping (Item) -> String?,
        state: @escaping (Download) -> DownloadLineText = { state(of: $0) }
    ) -> [Column<Item>] {
        let isGone = { (item: Item) in !item.isOwned && item.download.state.isGivenUp }
        return [
            Column(.columnProduct) { row($0).productID.rawValue },
            Column(.columnPackage) { row($0).contentID },
            Column(.columnVersion) {
                isGone($0) ? $0.download.version : version($0) ?? row($0).version
            },
            Column(.columnState) { Output.strings[state($0.download)] },
            Column(.columnSize) { isGone($0) ? "" : Output.strings[size(of: row($0))] },
            Column(.columnPath) { item in
                (isGone(item) ? nil : path(item)).map { UntrustedText.clean($0) } ?? ""
            },
        ]
    }

    private static func size(of download: Download) -> DownloadLineText {
        switch download.state {
        // The device has removed all received bytes, so the whole package has to be downloaded.
        case .cancelled, .deleted: .bytesToDownload(download.bytesExpected)
        case .waiting, .active, .paused, .failed, .finished:
            .bytesOf(download.bytesReceived, download.bytesExpected)
        }
    }

    /// For a waiting download also what it waits for: a person, or a process that continues it.
    private static func state(of download: Download) -> DownloadLineText {
        if download.needsConsent { return .downloadNeedsConsent }
        if download.waitsForRoom { return .downloadWaitsForRoom }
        return download.state == .waiting && !download.isWorkedOn
            ? .downloadNotWorkedOn : .downloadState(download.state)
    }

    static func update(_ update: ContentUpdate) -> DownloadLineText {
        .updateLine(
            product: update.productID.rawValue, package: update.contentID,
            from: update.installedVersion, to: update.offeredVersion, bytes: update.length)
    }

    /// The errors for which downloads do not go on, and how to continue them.
    ///
    /// - Parameter hasMadeRoom: whether other content was removed: then that is not advised.
    static func stopped(_ downloads: [Download], hasMadeRoom: Bool = false) -> [String] {
        downloads.compactMap { download in
            download.error.map { stopped(download, $0, hasMadeRoom: hasMadeRoom) }
        }
    }

    static func stopped(
        _ download: Download, _ error: StoreError, hasMadeRoom: Bool = false
    ) -> String {
        Output.strings.downloadMessage(
            for: error, isHere: download.state == .finished,
            commands: DownloadCommands(of: download.productID, hasMadeRoom: hasMadeRoom)
        ).line
    }
}

extension Download {
    /// The download in JSON, with the remaining seconds, and its path once it is complete.
    func fields(installedPath: String? = nil) -> JSONFields {
        JSONFields(
            self,
            [
                // An update has no path before it is complete.
                "path": isUpdate ? nil : installedPath, "installedPath": installedPath,
                // StoreKit: `SKDownload.timeRemaining`, -1 for `SKDownloadTimeRemainingUnknown`.
                "timeRemaining": secondsRemaining ?? -1,
            ])
    }

    /// The download in JSON as it was before an update began, and that update's progress.
    func installedFields(path: String?) -> JSONFields {
        let update: JSONFields = [
            "version": version, "state": state, "bytesReceived": bytesReceived,
            "bytesExpected": bytesExpected, "isWorkedOn": isWorkedOn, "error": error,
        ]
        return JSONFields(
            beforeUpdate.fields(installedPath: path), ["update": isUpdate ? update : nil])
    }
}
