import StoreModel

extension StoreError {
    /// The words for what keeps a download from going on. Whatever it is, the purchase stands: these
    /// never speak of charges.
    ///
    /// - Parameter command: what resumes the download, where a person reads this at a shell.
    package func downloadMessage(
        inJapanese isJapanese: Bool = false, command: String? = nil
    ) -> ErrorMessage {
        isJapanese ? DownloadMessages.japanese(self) : DownloadMessages.english(self, command)
    }
}

private enum DownloadMessages {
    static func english(_ error: StoreError, _ command: String?) -> ErrorMessage {
        let kept = "What you bought is yours; what was downloaded so far is kept."
        let place = error.subject.map { ": \($0)" } ?? ""
        let because = [error.found, error.cause].compactMap { $0 }.joined(separator: ", ")
        let detail = place + (because.isEmpty ? "" : " (\(because))")
        let resume = command.map { "Go on with: \($0)" } ?? "Resume the download."
        let byItself = command.map { "go on with: \($0)" } ?? "it goes on by itself."
        return switch error.code {
        case .networkError:
            ErrorMessage(
                "The download stopped: the store could not be reached.", kept: kept, next: resume)
        case .deviceFull, .storeFull:
            ErrorMessage(
                "The download waits: the disk is full.", kept: kept,
                next: "Make room, then \(byItself)")
        case .storeBusy:
            ErrorMessage(
                "The download waits: another process keeps the store busy.", kept: kept,
                next: "When that has ended, \(byItself)")
        case .contentMismatch:
            ErrorMessage(
                "What was downloaded is not what the store announced\(place).",
                kept: "It was thrown away; what you bought is yours.",
                next: resume)
        case .contentUnavailable:
            ErrorMessage(
                "The download stopped: the store's content cannot be read\(detail).", kept: kept,
                next: "Check the catalog with: storefront catalog check FILE. \(resume)")
        case .notEntitled:
            ErrorMessage(
                "The download stopped: this account does not own it any more.",
                kept: "What was downloaded so far is kept.")
        case .storeReplaced:
            ErrorMessage(
                "The download stopped: the store's files were moved, deleted or replaced\(detail).",
                kept: "Nothing more was written.", next: "Start again with the store that is there."
            )
        case .deviceUnreadable, .storeUnreadable, .storeReadOnly:
            ErrorMessage(
                "The download stopped: a file cannot be used\(detail).", kept: kept, next: resume)
        case .storeNewer:
            ErrorMessage(
                "A newer version of this program began this download.", kept: kept,
                next: "Use that version.")
        default:
            ErrorMessage(
                "The download stopped: \(error.code)\(detail).", kept: kept, next: resume)
        }
    }

    static func japanese(_ error: StoreError) -> ErrorMessage {
        let kept = "購入は有効です。ダウンロードした分は保存されています。"
        let place = error.subject.map { ": \($0)" } ?? ""
        let resume = "ダウンロードを再開してください。"
        return switch error.code {
        case .networkError:
            ErrorMessage("ストアに接続できず、ダウンロードが止まりました。", kept: kept, next: resume)
        case .deviceFull, .storeFull:
            ErrorMessage(
                "ディスクがいっぱいで、ダウンロードを待っています。", kept: kept,
                next: "空きを作ると自動的に続きます。")
        case .storeBusy:
            ErrorMessage(
                "ストアが使用中で、ダウンロードを待っています。", kept: kept, next: "自動的に続きます。")
        case .contentMismatch:
            ErrorMessage(
                "ダウンロードした内容が一致しません\(place)。",
                kept: "内容は破棄しました。購入は有効です。", next: resume)
        case .contentUnavailable:
            ErrorMessage("ストアの内容を読めません\(place)。", kept: kept, next: resume)
        case .notEntitled:
            ErrorMessage(
                "このアカウントでは利用できなくなり、ダウンロードが止まりました。",
                kept: "ダウンロードした分は保存されています。")
        case .storeReplaced:
            ErrorMessage("ストアのファイルが置き換えられ、ダウンロードが止まりました。")
        case .deviceUnreadable, .storeUnreadable, .storeReadOnly:
            ErrorMessage("ファイルを使えません\(place)。", kept: kept, next: resume)
        case .storeNewer:
            ErrorMessage("新しいバージョンで始めたダウンロードです。", kept: kept)
        default:
            ErrorMessage("ダウンロードが止まりました (\(error.code))。", kept: kept, next: resume)
        }
    }
}
