import StoreModel

/// The words of the switches of an account.
extension Japanese {
    /// In the console.
    static func name(of setting: AccountSwitch) -> String {
        switch setting {
        case .askToBuy: "承認と購入のリクエスト"
        case .canMakePayments: "購入"
        case .asksBank: "銀行の確認"
        case .interruptsPurchases: "購入の中断"
        case .disablesDialogs: "支払い確認を省略"
        }
    }

    /// In an event.
    static func state(of setting: AccountSwitch, isOn: Bool) -> String {
        switch setting {
        case .askToBuy: "リクエスト \(isOn ? "オン" : "オフ")"
        case .canMakePayments: "購入 \(isOn ? "許可" : "オフ")"
        case .asksBank: "銀行の確認\(isOn ? "あり" : "なし")"
        case .interruptsPurchases: "購入の中断\(isOn ? "あり" : "なし")"
        case .disablesDialogs: "支払い確認\(isOn ? "なし" : "あり")"
        }
    }

    /// In the palette.
    static func offer(_ setting: AccountSwitch, isOn: Bool) -> String {
        switch setting {
        case .askToBuy: "承認と購入のリクエストを\(isOn ? "オン" : "オフ")にする"
        case .canMakePayments: "購入を\(isOn ? "許可する" : "オフにする")"
        case .asksBank: "銀行の確認を\(isOn ? "オン" : "オフ")にする"
        case .interruptsPurchases: "購入を中断\(isOn ? "する" : "しない")"
        case .disablesDialogs: "支払い確認を\(isOn ? "オフ" : "オン")にする"
        }
    }

    /// Once it is turned on or off.
    static func done(_ setting: AccountSwitch, isOn: Bool, of account: AccountName) -> String {
        let account = "アカウント\"\(account)\""
        return switch (setting, isOn) {
        case (.askToBuy, true):
            "\(account)の承認と購入のリクエストをオンにしました。購入には承認が必要です。"
        case (.askToBuy, false): "\(account)の承認と購入のリクエストをオフにしました。"
        case (.canMakePayments, _): "\(account)の購入を\(isOn ? "許可" : "禁止")しました。"
        case (.asksBank, _):
            "\(account)の購入: 銀行の確認を\(isOn ? "待ちます" : "待ちません")。"
        case (.interruptsPurchases, _):
            "\(account)の購入は\(isOn ? "解決されるまで中断されます" : "中断されません")。"
        case (.disablesDialogs, false): "\(account)の購入前に支払い確認を表示します。"
        case (.disablesDialogs, true):
            "\(account)は支払い確認なしで購入します。購入キーが確認になります。"
        }
    }
}
