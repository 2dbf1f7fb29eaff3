package import StoreModel

/// The commands that a message about a download may name.
package struct DownloadCommands: Hashable, Sendable {
    package var resume: String
    package var cancel: String
    /// Continues all remaining downloads, and finishes the purchases whose content is complete.
    package var run: String { "storefront downloads run" }
    /// Removes other content and resumes the download; nil if nothing is left to remove.
    package var makeRoom: String?

    /// - Parameter hasMadeRoom: whether other content has already been removed for it.
    package init(of product: ProductID, hasMadeRoom: Bool = false) {
        resume = "storefront downloads resume \(product)"
        cancel = "storefront downloads cancel \(product)"
        makeRoom = hasMadeRoom ? nil : resume + " --make-room"
    }
}

/// Messages about errors that stop or delay a download. The purchase is not affected by any of
/// them, so these texts do not mention charges.
enum DownloadErrorTexts {
    static func texts(for error: StoreError, commands: DownloadCommands?) -> ErrorTexts {
        let command = commands?.resume
        let place = error.subject.map { ": \($0)" } ?? ""
        let because = [error.found?.text, error.cause].compactMap { $0 }.joined(separator: ", ")
        let detail = place + (because.isEmpty ? "" : " (\(because))")
        let resume: DownloadErrorText = command.map { .goOnWith(command: $0) } ?? .resumeDownload
        return switch error.code {
        case .networkError where error.isNetworkOff:
            ErrorTexts(.waitsNetworkOff, kept: .purchaseAndPartKept, next: .goesOnOnline)
        case .networkError:
            ErrorTexts(.stoppedNoConnection, kept: .purchaseAndPartKept, next: resume)
        case .deviceFull, .storeFull:
            ErrorTexts(
                .waitsDiskFull(
                    needed: error.expected?.number, free: error.found?.number),
                kept: .purchaseAndPartKept, next: .makeRoomThen(commands))
        case .storeBusy:
            ErrorTexts(
                .waitsStoreBusy, kept: .purchaseAndPartKept, next: .whenEndedThen(command: command))
        case .contentMismatch:
            ErrorTexts(.mismatch(place: place), kept: .thrownAway, next: resume)
        case .contentUnavailable:
            ErrorTexts(
                .stoppedContent(detail: detail), kept: .purchaseAndPartKept,
                next: .checkCatalogThen(resume: resume))
        case .contentServerFailed where commands == nil:
            ErrorTexts(.serverFails, kept: .purchaseAndPartKept, next: resume)
        case .contentRefused where commands == nil:
            ErrorTexts(.serverRefusesPurchase, kept: .partialKept, next: resume)
        case .contentServerFailed:
            ErrorTexts(
                server(error), kept: .purchaseAndPartKept,
                next: error.serverFailure == .unreachable
                    ? .startServerThen(resume: resume) : resume)
        case .contentRefused: ErrorTexts(server(error), kept: .partialKept, next: resume)
        case .unsupported where error.reason == .ownServer:
            ErrorTexts(
                .errorOwnServer(product: error.productID?.rawValue ?? "?"),
                kept: .purchaseAndPartKept)
        case .notEntitled: ErrorTexts(.stoppedNotEntitled, kept: .partialKept)
        case .storeReplaced:
            ErrorTexts(
                .stoppedStoreGone(detail: detail), kept: .nothingWritten,
                next: .startWithThatStore)
        case .deviceUnreadable, .storeUnreadable, .storeReadOnly:
            ErrorTexts(.stoppedFile(detail: detail), kept: .purchaseAndPartKept, next: resume)
        case .storeNewer:
            ErrorTexts(.startedByNewer, kept: .purchaseAndPartKept, next: .useThatVersion)
        default:
            ErrorTexts(
                .stopped(code: error.code.rawValue, detail: detail), kept: .purchaseAndPartKept,
                next: resume)
        }
    }

    /// The message about content that is installed and cannot be recorded or finished yet. Nothing
    /// more is downloaded, and the record needs only a few kilobytes of disk space.
    static func texts(
        forContentHere error: StoreError, commands: DownloadCommands?
    ) -> ErrorTexts {
        switch error.code {
        case .deviceFull, .storeFull:
            ErrorTexts(
                .hereDiskFull, kept: .purchaseKept, next: .makeRoomThenRun(command: commands?.run))
        case .storeBusy:
            ErrorTexts(
                .hereStoreBusy, kept: .purchaseKept, next: .whenEndedThen(command: commands?.run))
        case .networkError where error.isNetworkOff:
            ErrorTexts(.hereOffline, kept: .purchaseKept, next: .goesOnOnline)
        default:
            ErrorTexts(
                .hereNotRecorded(
                    detail: (error.subject.map { ": \($0)" } ?? "") + " (\(error.code.rawValue))"),
                kept: .purchaseKept)
        }
    }

    /// The sentence about a failure or a refusal of the app's own server.
    static func server(_ error: StoreError) -> DownloadErrorText {
        let address = error.subject ?? "?"
        return error.code == .contentRefused
            ? .serverRefuses(error.contentRefusal, address: address)
            : .server(error.serverFailure, address: address, cause: error.cause)
    }
}
