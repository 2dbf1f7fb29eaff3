import StoreModel

extension English {
    static func text(_ text: DownloadErrorText) -> String {
        switch text {
        case .stoppedNoConnection: "The download stopped: the store could not be reached."
        case .waitsDiskFull(let needed?, let free?):
            "The download waits: the disk is full. It needs \(Measures.bytes(needed)), and "
                + "\(Measures.bytes(free)) is free."
        case .waitsDiskFull: "The download waits: the disk is full."
        case .hereDiskFull:
            "The content is here, but its purchase cannot be finished yet: the disk is full."
        case .hereStoreBusy:
            "The content is here, but its purchase cannot be finished yet: another process keeps the store busy."
        case .hereOffline:
            "The content is here, but its purchase cannot be finished yet: this device is offline."
        case .hereNotRecorded(let detail):
            "The content is here, but its purchase cannot be finished yet\(detail)."
        case .makeRoomThenRun(let command?):
            "Make room on the disk, then finish it with: \(command)"
        case .makeRoomThenRun(nil): "Make room on the disk, then it is finished by itself."
        case .waitsNetworkOff: "The download waits: this device is offline."
        case .goesOnOnline: "It continues by itself when the network is back."
        case .waitsStoreBusy: "The download waits: another process keeps the store busy."
        case .mismatch(let place): "What was downloaded is not what the store announced\(place)."
        case .stoppedContent(let detail):
            "The download stopped: the store's content cannot be read\(detail)."
        case .server(let failure, let address, let cause): server(failure, address, cause)
        case .serverRefuses(let refusal, let address): server(address, refuses: refusal)
        case .startServerThen(let resume):
            "Start the server with: storefront content serve. \(self.text(resume))"
        case .serverFails:
            "The download stopped: the publisher's server does not answer as it should."
        case .serverRefusesPurchase:
            "The download stopped: the publisher's server does not accept your purchase."
        case .chooseOtherPort: "Choose another one with --port, or 0 for any that is free."
        case .stoppedNotEntitled: "The download stopped: you don't own it any more."
        case .stoppedStoreGone(let detail):
            "The download stopped: the store's files were moved, removed or replaced\(detail)."
        case .stoppedFile(let detail): "The download stopped: a file cannot be used\(detail)."
        case .startedByNewer: "A newer version of this program began this download."
        case .stopped(let code, let detail): "The download stopped: \(code)\(detail)."
        case .resumeDownload: "Resume the download."
        case .goOnWith(let command): "Continue with: \(command)"
        case .makeRoomThen(let commands?):
            (commands.makeRoom.map { "Remove other content with: \($0); or make room" }
                ?? "No other content is left to remove. Make room on the disk")
                + ", then resume it with: \(commands.resume); or cancel it with: \(commands.cancel)"
        case .makeRoomThen(nil): "Make room, then it continues by itself."
        case .whenEndedThen(let command):
            "When that has ended, "
                + (command.map { "continue with: \($0)" } ?? "it continues by itself.")
        case .checkCatalogThen(let resume):
            "Check the catalog with: storefront catalog check FILE. \(self.text(resume))"
        case .startWithThatStore: "Start again with the store that is there."
        case .useThatVersion: "Use that version."
        }
    }
}
