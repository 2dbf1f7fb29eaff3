/// The names and values of the facts in a receipt and an app transaction.
package enum ReceiptText: Hashable, Sendable {
    case receiptTitle, noReceipt(key: String), receiptPurchases, receiptEmpty, appTransactionTitle
    case receiptTypeFact, receiptKind(String), appFact, madeFact, revokedFact, fileFact, versionFact
    case firstVersionFact, numberFact
}
