extension Japanese {
    static func text(_ text: DownloadErrorText) -> String {
        switch text {
        case .stoppedNoConnection: "ストアに接続できず、ダウンロードが止まりました。"
        case .waitsDiskFull(let needed?, let free?):
            "ディスクがいっぱいで、ダウンロードを待っています。必要な容量は\(Measures.bytes(needed))、"
                + "空きは\(Measures.bytes(free))です。"
        case .waitsDiskFull: "ディスクがいっぱいで、ダウンロードを待っています。"
        case .hereDiskFull: "内容はダウンロード済みですが、ディスクがいっぱいで、購入をまだ完了できません。"
        case .hereStoreBusy: "内容はダウンロード済みですが、ストアが使用中のため、購入をまだ完了できません。"
        case .hereOffline: "内容はダウンロード済みですが、このデバイスがオフラインのため、購入をまだ完了できません。"
        case .hereNotRecorded(let detail): "内容はダウンロード済みですが、購入をまだ完了できません\(detail)。"
        case .makeRoomThenRun(let command?): "空き容量を増やしてから、次のコマンドで完了できます: \(command)"
        case .makeRoomThenRun(nil): "空き容量を増やすと自動的に完了します。"
        case .waitsNetworkOff: "このデバイスはオフラインのため、ダウンロードを待っています。"
        case .goesOnOnline: "ネットワークが戻ると自動的に再開します。"
        case .waitsStoreBusy: "ストアが使用中のため、ダウンロードを待っています。"
        case .mismatch(let place): "ダウンロードした内容が一致しません\(place)。"
        case .stoppedContent(let detail): "ストアの内容を読めず、ダウンロードが止まりました\(detail)。"
        case .server(let failure, let address, let cause): server(failure, address, cause)
        case .serverRefuses(let refusal, let address): server(address, refuses: refusal)
        case .startServerThen(let resume):
            "次のコマンドでサーバーを起動してください: storefront content serve。\(self.text(resume))"
        case .serverFails: "販売元のサーバーが正しく応答せず、ダウンロードが止まりました。"
        case .serverRefusesPurchase: "販売元のサーバーが購入を確認できず、ダウンロードが止まりました。"
        case .chooseOtherPort: "--portで別のポートを指定してください。0なら空いているポートを使います。"
        case .stoppedNotEntitled:
            "購入が有効でなくなったため、ダウンロードが止まりました。"
        case .stoppedStoreGone(let detail):
            "ストアのファイルが移動、削除、または置き換えられ、ダウンロードが止まりました\(detail)。"
        case .stoppedFile(let detail): "ファイルを使えず、ダウンロードが止まりました\(detail)。"
        case .startedByNewer: "新しいバージョンで始めたダウンロードです。"
        case .stopped(let code, let detail): "ダウンロードが止まりました: \(code)\(detail)。"
        case .resumeDownload: "ダウンロードを再開してください。"
        case .goOnWith(let command): "再開: \(command)"
        case .makeRoomThen(let commands?):
            (commands.makeRoom.map { "ほかの内容を削除して再開: \($0) 、または空き容量を増やしてから: " }
                ?? "ほかに削除できる内容はありません。空き容量を増やしてから: ")
                + "\(commands.resume) 、中止: \(commands.cancel)"
        case .makeRoomThen(nil): "空き容量を増やすと自動的に続きます。"
        case .whenEndedThen(let command):
            command.map { "終了後に: \($0)" } ?? "終了すると自動的に続きます。"
        case .checkCatalogThen(let resume):
            "カタログを確認してください: storefront catalog check FILE。\(self.text(resume))"
        case .startWithThatStore: "現在のストアでやり直してください。"
        case .useThatVersion: "そのバージョンを使ってください。"
        }
    }
}
