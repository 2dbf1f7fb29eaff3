package import StoreModel

extension Device {
    package func receipt() async throws(StoreError) -> KeptReceipt? {
        try await receipts.stored()
    }

    /// As `receipt`, of everything that has happened in the store: the receipt is written some time
    /// after a change. Where no new one can be had it is the kept one.
    package func presentReceipt() async throws(StoreError) -> KeptReceipt? {
        if (try? await refuseSignedOut()) != nil { try? await receipts.refreshIfChanged() }
        return try await receipt()
    }

    package func refreshReceipt(_ options: ReceiptOptions) async throws(StoreError) -> KeptReceipt {
        try await refuseSignedOut()
        return try await receipts.refresh(options)
    }

    package func appTransaction() async throws(StoreError) -> KeptAppTransaction {
        try await receipts.appTransaction()
    }

    package func refreshAppTransaction() async throws(StoreError) -> KeptAppTransaction {
        try await refuseSignedOut()
        return try await receipts.refreshAppTransaction()
    }

    /// For a command that is about to end. If writing fails, the next launch writes the receipt.
    package func writeReceipt() async {
        receipts.purchasesChanged()
        await receipts.writeNow()
    }
}
