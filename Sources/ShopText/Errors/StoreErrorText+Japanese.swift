import StoreModel

extension Japanese {
    static func text(_ text: StoreErrorText) -> String {
        switch text {
        case .errorNewerEntry: "ストアに、新しいバージョンが書いた読み取れない記録があります。"
        case .errorDeviceBusy(let process):
            process.map { "このデバイスへの配信はプロセス\($0)が行っていますが、進んでいません。" }
                ?? "別のプロセスがこのデバイスを使用中です。"
        case .errorRecordAltered(let product, let transaction):
            "このデバイスにある\(product)の購入の記録"
                + (transaction.map { " (取引\($0))" } ?? "") + "が別のプログラムによって変更されました。"
        case .errorForeignRecords: "このデバイスのフォルダにある記録は、別のデバイスまたはアカウントのものです。"
        case .errorBalancesAltered: "このデバイスの残高の記録が別のプログラムによって変更されました。"
        case .errorStoreBehind(let found, let expected):
            "ストアの記録がこのデバイスより古くなっています (ストア \(found)、デバイス \(expected))。"
        case .errorStoreDiffers(let entry, nil):
            "ストアが古いコピーに戻され、その後別の取引が記録されています。このデバイスが読んだ\(entry)番の記録は、"
                + "現在のストアでは別のものです。"
        case .errorStoreDiffers(let entry, let transaction?):
            "ストアが古いコピーに戻され、その後別の取引が記録されています。このデバイスが\(entry)番の記録で受け取った"
                + "取引\(transaction)は、現在のストアでは別の取引か、存在しません。"
        case .errorVerificationFailed(let text, let reason):
            "署名されたテキストを検証できませんでした (\(text))。"
                + (reason.map { self.text(.verificationReason($0)) } ?? "")
        case .errorSaleNotVerified(let product, let transaction, let reason):
            (product.map { "\($0)の購入 (取引\(transaction))" } ?? "取引\(transaction)")
                + "を検証できませんでした。"
                + (reason.map { self.text(.verificationReason($0)) } ?? "")
        case .errorNoDevice(let name): "デバイス\"\(name)\"はありません。"
        case .errorInvalidName(let kind, let name): "\(kind) \"\(name)\" は使えません。"
        case .errorStoreBusy(let process):
            process.map { "ストアはプロセス\($0)が使用中です。" } ?? "ストアは別のプロセスが使用中です。"
        case .errorOutcomeUnknown(let product, let cause):
            "\(product)を購入できたかどうかわかりません。記録済みか、これから送信される可能性があります"
                + "\(because(cause))。"
        case .errorRecordUnknown(let place, let cause):
            "記録されたかどうかわかりません: \(place)\(because(cause))。"
        case .errorStoreNewer(let place, let found, let expected):
            "ストアは新しいバージョンで作られています (スキーマ\(found)、対応は\(expected)): \(place)。"
        case .errorStoreOlder(let place):
            "最初のリリースより前のバージョンで作られたため、このバージョンでは読み込めません: \(place)。"
        case .errorOlderReadOnly(let place):
            "以前のバージョンで作られており、更新しないと読み込めませんが、書き込めないため更新できません: \(place)。"
        case .errorDeviceRecords(let place, let detail, let cause):
            "このデバイスの記録を読めません: \(place)" + (detail.map { ": \($0)" } ?? "")
                + "\(because(cause))。"
        case .errorStoreUnreadable(let place, let detail, let cause):
            "ストアを読めません: \(place)" + (detail.map { ": \($0)" } ?? "")
                + "\(because(cause))。"
        case .errorOtherEnvironment(let found, let asked):
            "このストアは環境\(found)用で、販売記録に署名されています。\(asked)では開けません。"
        case .errorOtherAppAppleID(let found, let asked):
            "このストアはApp Apple ID \(found)用で、販売記録に署名されています。\(asked)では開けません。"
        case .errorOtherApp(let field, let found, let asked):
            "このストアは別のアプリのものです (\(field): \(found)、指定は\(asked))。"
        case .errorUnnamed(let code, let cause): "エラーが発生しました: \(code)\(because(cause))。"
        case .errorKeptAltered(let name):
            "このデバイスに保存された\(keptAnswer(name))が別のプログラムによって変更されました。"
        case .errorBackend(_, let address, let cause, let report?):
            "アプリのバックエンド \(address) が取引\(report)の報告を拒否しました\(because(cause))。"
        case .errorBackend(.wrongAnswer, let address, let cause?, nil):
            "アプリのバックエンド \(address) が送った内容を受け付けません (\(cause))。"
        case .errorBackend(let failure, let address, let cause, nil):
            "アプリのバックエンド \(address) \(does(failure))\(because(cause))。"
        }
    }
}
