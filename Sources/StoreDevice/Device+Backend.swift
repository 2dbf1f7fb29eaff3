import DurableFiles
package import StoreModel

extension Device {
    /// Sets the app's own backend of this account on this device, or removes it with nil. Durable
    /// when it returns, and known to all processes of the device. A new one first gets the present
    /// state of everything that was delivered here.
    package func setBackend(_ backend: AppBackend?) async throws(StoreError) {
        try await database.writeTogether { try DeviceRecords($0).set(backend) }
        processor.reports.notify()
        downloadManager.wakeReaders()
    }

    /// The app's own backend, how many transactions are still to be reported to it, and what has
    /// failed and did not succeed since.
    package func reports() async throws(StoreError)
        -> (backend: AppBackend?, waiting: Int, failures: [StoreError])
    {
        try await database.read { db in
            let records = DeviceRecords(db)
            return (
                try records.backend, try records.reportsCount,
                try AppBackend.Call.allCases.compactMap { try records.failure(of: $0) }
            )
        }
    }

    /// The list of products that the app's own backend has for the account, or the last one and
    /// why it does not answer now. Nil without a backend, and where it has no list.
    package func appList() async
        -> (list: DeviceAnswer<AppProductList>?, failure: StoreError?)?
    { await reporter.list() }

    /// The products of the app's list in an answer about all products, in the list's order, where
    /// the app's backend has one.
    func listed(
        _ answer: DeviceAnswer<ProductsResponse>
    ) async throws(StoreError) -> DeviceAnswer<ProductsResponse> {
        guard let list = await reporter.list()?.list?.value else { return answer }
        var answer = answer
        // The catalog's own list (`productList`) may have left some of them out.
        let known = Set(answer.value.products.map(\.id))
        let missing = list.ids.filter { !known.contains($0) }
        let others = missing.isEmpty ? [] : try await knowledge.products(missing).value.products
        answer.value.arrange(by: list, others: others)
        return answer
    }
}
