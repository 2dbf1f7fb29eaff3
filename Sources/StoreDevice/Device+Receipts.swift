package import StoreModel

extension Device {
    /// The receipt in the device's folder; see `ShopDevice.receipt`.
    package func receipt() async throws(StoreError) -> KeptReceipt? {
        try await receipts.stored()
    }

    /// Fetches a new receipt from the store and replaces the old one; see
    /// `ShopDevice.refreshReceipt`.
    package func refreshReceipt(_ options: ReceiptOptions) async throws(StoreError) -> KeptReceipt {
        try await refuseSignedOut()
        return try await receipts.refresh(options)
    }

    /// The account's app transaction; see `ShopDevice.appTransaction`.
    package func appTransaction() async throws(StoreError) -> KeptAppTransaction {
        try await receipts.appTransaction()
    }

    /// Fetches a new app transaction and replaces the old one; see
    /// `ShopDevice.refreshAppTransaction`.
    package func refreshAppTransaction() async throws(StoreError) -> KeptAppTransaction {
        try await refuseSignedOut()
        return try await receipts.refreshAppTransaction()
    }

    /// Writes the receipt now, for a command that is about to end. If that fails, the next launch
    /// writes it.
    package func writeReceipt() async {
        receipts.purchasesChanged()
        await receipts.writeNow()
    }
}
