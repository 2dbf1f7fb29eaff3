import StoreModel

extension Japanese {
    static func text(_ text: QuestionText) -> String {
        switch text {
        case .signInQuestion: "App Storeにサインインしますか?"
        case .signInToBuyQuestion(let name): "\(name)を購入するには、App Storeにサインインしますか?"
        case .signInNote(let account, let environment):
            "アカウント: \(account)   環境: \(environment)"
        case .refundReasonLine(let reason):
            switch reason {
            case .unintended: "理由: 買うつもりはありませんでした。"
            case .broken: "理由: 使えない、または届きませんでした。"
            case .unsatisfied: "理由: 期待していたものと違いました。"
            case .other: "理由: その他"
            }
        case .meteredQuestion(let name, let size):
            "従量制接続で\(name)（\(size)）をダウンロードしますか？"
        case .meteredNote: "通信料がかかることがあります。Mで従量制でない接続に切り替えます。"
        case .fetchQuestion(let name, let size):
            "\(name)はこのデバイスから削除されています。\(size)を再ダウンロードしますか？"
        case .fetchNote: "ダウンロードが終わると開きます。料金はかかりません。"
        case .makeRoomQuestion(let name, let needed?, let free?):
            "空き容量がありません。\(name)には\(needed)必要ですが、空きは\(free)です。"
        case .makeRoomQuestion(let name, _, _): "空き容量がありません。\(name)のために空けますか？"
        case .makeRoomNote(let removable?):
            "ほかのダウンロード\(removable)を、最も前に開いたものから削除できます。再ダウンロードできます。cで中止します。"
        case .makeRoomNote(nil):
            "ほかに削除できるものはありません。ディスクを空けてからやり直してください。cで中止します。"
        case .sendHeldQuestion(let item): "支払いを送信しますか: \(item)"
        case .sendHeldNote(let time): "\(time)の支払いです。答えの前にプログラムが終了しました。請求は一度だけです。"
        case .withdrawQuestion(let name): "\(name)のリクエストを取り下げますか?"
        case .withdrawNote: "請求されていません。今後も請求されません。"
        case .refundQuestion(let name): "\(name)の返金を依頼しますか?"
        case .refundNote: "ストアが判断します。返金されると使えなくなります。"
        case .stopRenewingQuestion(let name): "\(name)の自動更新をオフにしますか？"
        case .stopRenewingNote(let day):
            (day.map { "\($0)までは利用できます。" } ?? "") + "それまでは自動更新を再びオンにできます。"
        case .declinePriceQuestion(let name): "\(name)の新価格を断りますか？"
        case .declinePriceNote(let day):
            day.map { "\($0)まで利用でき、その後終了します。" } ?? "期間の終わりに終了します。"
        case .payNowQuestion(let name, let price):
            price.map { "\(name)の\($0)を今すぐ支払いますか？" } ?? "\(name)を今すぐ支払いますか？"
        case .payNowNote: "支払うと継続します。"
        case .operateQuestion(let action): action + "しますか？"
        case .operateNote(.expire): "期間はすぐに終わります。請求済みの次の期間だけが返金されます。"
        case .operateNote(.renew): "現在の期間が終了し、次の期間の料金が請求されます。"
        case .operateNote(.delete): "付与したものとともにストアから消え、元に戻せません。"
        case .operateNote: "支払いが返金され、利用できたものは使えなくなります。"
        case .salesOf(let number, areSubscriptions: true): "サブスクリプション\(number)件"
        case .salesOf(let number, areSubscriptions: false): "購入\(number)件"
        case .cancelDownloadQuestion(let name): "\(name)のダウンロードを中止しますか?"
        case .cancelDownloadNote: "受信した分は削除されます。いつでも再ダウンロードできます。"
        case .deleteQuestion(let name): "\(name)をこのデバイスから削除しますか?"
        case .deleteNote: "購入は残ります。いつでも再ダウンロードできます。"
        case .moveClockQuestion(let instant): "ストアの時計を\(instant)に進めますか？"
        case .moveClockNote: "それまでの予定が実行され、更新の料金が請求されます。時計は戻せません。"
        case .cutNetworkQuestion: "このデバイスをオフラインにしますか？"
        case .cutNetworkNote(let key): "\(key)でネットワークをオンにするまで、ストアに接続できません。"
        case .openPackageQuestion(let title, let price, let balance):
            "「\(title)」を\(price)で開きますか？ 残高: \(balance)"
        case .deleteIncludedNote: "プランの利用中は、いつでも再ダウンロードできます。"
        case .openPackageNote(let left): "残りは\(left)です。このデバイスではいつでも読めます。"
        case .openPackageNeeds(let more): "あと\(more)必要です。何も使っていません。"
        case .resetQuestion(let isDemo): isDemo ? "デモをリセットしますか？" : "ストアを空にしますか？"
        case .resetNote(isDemo: true): "最初の状態に戻ります。デモで行った操作は消去されます。"
        case .resetNote(isDemo: false): "すべての販売とアカウント、デバイスとそのダウンロードを消去します。カタログと鍵は残ります。"
        case .signOutQuestion: "App Storeからサインアウトしますか？"
        case .signOutNote: "このデバイスの内容は残ります。購入と復元にはアカウントが必要です。"
        }
    }
}
