package import StoreModel

extension Device {
    /// The receipt in the device's folder; see `ShopDevice.receipt`.
    package func receipt() async throws(StoreError) -> KeptReceipt? {
        try await receipts.stored()
    }

    /// Replaces the receipt by a new one of the store; see `ShopDevice.refreshReceipt`.
    package func refreshReceipt(_ options: ReceiptOptions) async throws(StoreError) -> KeptReceipt {
        try await refuseSignedOut()
        return try await receipts.refresh(options)
    }

    /// The account's app transaction; see `ShopDevice.appTransaction`.
    package func appTransaction() async throws(StoreError) -> KeptAppTransaction {
        try await receipts.appTransaction()
    }

    /// Replaces the app transaction by a new one of the store; see `ShopDevice.refreshAppTransaction`.
    package func refreshAppTransaction() async throws(StoreError) -> KeptAppTransaction {
        try await refuseSignedOut()
        return try await receipts.refreshAppTransaction()
    }

    /// Writes the receipt as of now, for a command that is about to end. A receipt that cannot be
    /// written is written after the next launch.
    package func writeReceipt() async {
        receipts.purchasesChanged()
        await receipts.writeNow()
    }
}
