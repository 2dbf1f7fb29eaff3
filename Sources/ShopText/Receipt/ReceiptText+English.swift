import StoreModel

extension English {
    static func text(_ text: ReceiptText) -> String {
        switch text {
        case .receiptTitle: "The receipt of this device"
        case .noReceipt(let key):
            "This device has no receipt yet. \(press(key)) to get one from the store."
        case .receiptPurchases: "PURCHASES"
        case .receiptEmpty: "None yet. Consumables stay in a receipt until they are finished."
        case .appTransactionTitle: "The app transaction"
        case .receiptTypeFact: "Type"
        case .receiptKind(let type):
            switch type {
            case "ProductionSandbox": "Sandbox receipt"
            case "Production": "Receipt"
            default: type
            }
        case .appFact: "App"
        case .madeFact: "Made"
        case .revokedFact: "Revoked"
        case .fileFact: "File"
        case .versionFact: "Version"
        case .firstVersionFact: "First got"
        case .numberFact: "Number"
        }
    }
}
