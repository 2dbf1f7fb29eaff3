extension Japanese {
    static func text(_ text: LibraryText) -> String {
        switch text {
        case .onThisDevice: "このデバイス内"
        case .notOnThisDevice: "このデバイスにありません"
        case .subscriptionsAndPasses: "サブスクリプションとパス"
        case .appearance: "外観"
        case .downloadsHeading: "ダウンロード"
        case .downloadsRunning(let running, let count): "\(count)件中\(running)件を実行中"
        case .ownedDownloadCancelled: "購入済み、ダウンロードは中止"
        case .downloadsWaitForRoom(let number): "空き容量待ち\(number)件"
        case .updateLine(let installed, let offered, let size):
            "バージョン\(offered)（\(size)）を入手できます。届くまではバージョン\(installed)を読めます。"
        case .standardTheme: "標準のテーマ"
        case .inUse: "使用中"
        case .chosenForLater: "次回から使用"
        case .nothingOwned(let shop, let restore):
            "購入済みのものはまだありません。\(shop)でショップを開き、\(restore)で過去の購入を復元します。"
        case .endedOn(let day): "\(day)に終了"
        case .since(let day): "\(day)から"
        case .balanceOf(let amount, let unit): "\(unit) \(amount)"
        case .unlocksFact: "利用可能"
        case .unlocksNames(let names): "\(names)を利用できます"
        case .themeNamed(let name): "テーマ「\(name)」"
        case .appFeature: "アプリの機能"
        case .contentsOf(let name): "\(name)の目次"
        case .originalLanguage: "原文"
        case .openingFile: "開いています"
        case .emptyFile: "このファイルは空です。"
        case .textIsCut: "ファイルが長いため、最初の16 MiBだけを表示しています。"
        case .contentIsDeleted: "このデバイスから削除されました。閉じるまでは読めます。"
        case .fileOf(let number, let count, let path): "\(number)/\(count) \(path)"
        case .picture(let format, let pixels, let size):
            ["\(format)画像", pixels.map { "\($0)ピクセル" }, size].compactMap(\.self)
                .joined(separator: "、")
        case .closed: "利用期間終了"
        case .closedOpensWith(let name): "利用期間終了、\(name)で読めます"
        case .otherFile(let size): "テキストではないファイル、\(size)"
        case .nextTitle(let name): "次の作品：\(name)"
        case .nextTitleFor(let name, let state): "次の作品：\(name)、\(state)"
        }
    }
}
