package import StoreModel

/// The causes of errors of downloads, and what to do next.
package indirect enum DownloadErrorText: Hashable, Sendable {
    case waitsNetworkOff, goesOnOnline, stoppedNoConnection, waitsStoreBusy, mismatch(place: String)
    /// In bytes; nil if they are unknown.
    case waitsDiskFull(needed: Int64?, free: Int64?)
    /// About content that is installed, while its record or the finish of its purchase waits.
    case hereDiskFull
    case hereStoreBusy, hereOffline, hereNotRecorded(detail: String)
    case makeRoomThenRun(command: String?)
    case server(ContentServerFailure?, address: String, cause: String?)
    case serverRefuses(ContentRefusal?, address: String), startServerThen(resume: DownloadErrorText)
    /// For a customer, who knows no addresses.
    case serverFails, serverRefusesPurchase
    case chooseOtherPort, stoppedContent(detail: String), stoppedNotEntitled
    case stoppedStoreGone(detail: String), stoppedFile(detail: String), startedByNewer
    case stopped(code: String, detail: String), resumeDownload, goOnWith(command: String)
    case makeRoomThen(DownloadCommands?), whenEndedThen(command: String?)
    case checkCatalogThen(resume: DownloadErrorText), startWithThatStore, useThatVersion
}
