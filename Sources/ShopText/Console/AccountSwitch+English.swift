import StoreModel

/// The words of the switches of an account.
extension English {
    /// In the console.
    static func name(of setting: AccountSwitch) -> String {
        switch setting {
        case .askToBuy: "Ask to Buy"
        case .canMakePayments: "Payments"
        case .asksBank: "Ask the bank"
        case .interruptsPurchases: "Interrupt"
        case .disablesDialogs: "No payment sheet"
        }
    }

    /// In an event.
    static func state(of setting: AccountSwitch, isOn: Bool) -> String {
        switch setting {
        case .askToBuy: "Ask to Buy \(isOn ? "on" : "off")"
        case .canMakePayments: "payments \(isOn ? "allowed" : "off")"
        case .asksBank: "bank \(isOn ? "asked" : "not asked")"
        case .interruptsPurchases:
            "purchases \(isOn ? "" : "not ")interrupted"
        case .disablesDialogs:
            isOn ? "payment without a sheet" : "payment sheets"
        }
    }

    /// In the palette.
    static func offer(_ setting: AccountSwitch, isOn: Bool) -> String {
        switch setting {
        case .askToBuy: "Turn Ask to Buy \(isOn ? "on" : "off")"
        case .canMakePayments: "Turn payments \(isOn ? "on" : "off")"
        case .asksBank: "\(isOn ? "Ask" : "Stop asking") the bank before purchases"
        case .interruptsPurchases:
            "\(isOn ? "Interrupt" : "Stop interrupting") purchases"
        case .disablesDialogs: "Turn payment sheets \(isOn ? "off" : "on")"
        }
    }

    /// Once it is turned on or off.
    static func done(_ setting: AccountSwitch, isOn: Bool, of account: AccountName) -> String {
        switch (setting, isOn) {
        case (.askToBuy, true):
            "Ask to Buy is on for account \"\(account)\": purchases wait for approval."
        case (.askToBuy, false): "Ask to Buy is off for account \"\(account)\"."
        case (.canMakePayments, _):
            "Payments are \(isOn ? "on" : "off") for account \"\(account)\"."
        case (.asksBank, true):
            "Purchases of account \"\(account)\" now wait for the bank's confirmation."
        case (.asksBank, false): "Purchases of account \"\(account)\" no longer wait for the bank."
        case (.interruptsPurchases, true):
            "Purchases of account \"\(account)\" are interrupted until they are resolved."
        case (.interruptsPurchases, false):
            "Purchases of account \"\(account)\" are no longer interrupted."
        case (.disablesDialogs, false):
            "Account \"\(account)\" is asked by a payment sheet before it pays."
        case (.disablesDialogs, true):
            "Account \"\(account)\" pays without a payment sheet: the key that buys confirms."
        }
    }
}
