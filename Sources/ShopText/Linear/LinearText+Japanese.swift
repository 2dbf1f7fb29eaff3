extension Japanese {
    static func text(_ text: LinearText) -> String {
        switch text {
        case .linearBegins: "行形式のショップです。? で入力できるものを表示します。"
        case .linearPrompt(let count, let takesText):
            (count > 1 ? "1〜\(count)、" : count == 1 ? "1、" : "")
                + (takesText ? "文字、<、または ?" : "言葉、または ?")
        case .linearNumbers(1): "1 でその番号の行を選びます。"
        case .linearNumbers(let count): "1〜\(count) でその番号の行を選びます。"
        case .linearTyping: "ほかの文字は入力欄に入ります。"
        case .linearWords(let words): "言葉、またはその文字: \(words)。"
        case .linearOnLine(let word): "言葉と番号で、その行に対して行います: \(word) 2。"
        case .linearSigns(let finds):
            "< で戻る、> で続き" + (finds ? "、/ と文字で検索、: ですべての操作、: と文字で一致する操作。" : "。")
                + "空の行でもう一度読みます。「待つ」でダウンロードが終わるか止まるまで待ちます。quit で終了します。"
        case .linearWaitWord: "待つ"
        case .linearPreviousCall: "前の呼び出し"
        case .linearNextCall: "次の呼び出し"
        case .linearQuantity: "1〜10。+ か -、または「数量 3」"
        case .linearTerms: "+ か - でほかの条件"
        case .linearProgress(let name, let percent): "ダウンロード中: \(name) \(percent)"
        case .linearNoNumber(let number):
            "\(number) の行はありません。? で入力できるものを表示します。"
        case .linearUnknown(let word):
            "「\(word)」はここにありません。行の番号か、? を入力してください。"
        case .linearSeveral(let names):
            "いくつかあります: \(names.joined(separator: "、"))。続きか番号を入力してください。"
        case .linearChanged: "その行は変わりました。何も行いませんでした。選び直してください。"
        case .linearAsBefore: "変わったところはありません。"
        case .linearEndedBuying: "購入を確定する前に入力が終わりました。何も購入していません。"
        case .linearInterrupted: "購入を確定する前に中断しました。何も購入していません。"
        case .linearNotAnswered(let name):
            "\(name)について、ストアはまだ答えていません。支払いは保存されており、次の起動で"
                + "再送されます。請求は一度だけです。"
        }
    }
}
