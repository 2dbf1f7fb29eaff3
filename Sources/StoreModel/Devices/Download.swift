/// One attempt to fetch one hosted package of a transaction (StoreKit: `SKDownload`). Completion is
/// told by `state`, never by the bytes.
package struct Download: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// `waiting` begins or goes on by itself, at the latest at the next launch. `deleted` was
        /// here once and can be fetched again.
        case waiting, active, paused, finished, failed, cancelled, deleted

        /// Nothing more will happen by itself.
        package var isComplete: Bool {
            switch self {
            case .finished, .failed, .cancelled, .deleted: true
            case .waiting, .active, .paused: false
            }
        }
    }

    package var transactionID: TransactionID
    package var productID: ProductID
    /// The package, unique within the product.
    package var contentID: String
    package var version: String
    package var state: State
    package var bytesReceived: Int64
    package var bytesExpected: Int64
    /// Bytes a second over the last moments; nil while unknown.
    package var bytesPerSecond: Double?
    /// Why it failed, or what keeps it from going on just now: one that is `waiting` with an error
    /// is tried again by itself, one that is `finished` with an error is here, but its transaction
    /// could not be finished yet.
    package var error: StoreError?

    package init(
        transactionID: TransactionID, productID: ProductID, contentID: String, version: String,
        state: State, bytesReceived: Int64, bytesExpected: Int64, bytesPerSecond: Double? = nil,
        error: StoreError? = nil
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.contentID = contentID
        self.version = version
        self.state = state
        self.bytesReceived = bytesReceived
        self.bytesExpected = bytesExpected
        self.bytesPerSecond = bytesPerSecond
        self.error = error
    }

    /// 0 … 1.
    package var progress: Double {
        bytesExpected == 0 ? 1 : Double(bytesReceived) / Double(bytesExpected)
    }

    /// It needs a person, or something around it to be mended: nobody should wait for its end.
    package var isStopped: Bool { state == .failed || state == .paused || error != nil }

    /// Seconds until the last byte at the present rate; nil while unknown.
    package var secondsRemaining: Double? {
        guard let rate = bytesPerSecond, rate > 0 else { return nil }
        return Double(bytesExpected - bytesReceived) / rate
    }
}

/// What the store says about one hosted package before its bytes are read.
package struct ContentManifest: Codable, Hashable, Sendable {
    package struct File: Codable, Hashable, Sendable {
        /// Relative to the package, with `/`; never leaves it.
        package var path: String
        package var length: Int64
        /// SHA-256, lower-case hexadecimal.
        package var sha256: String

        package init(path: String, length: Int64, sha256: String) {
            self.path = path
            self.length = length
            self.sha256 = sha256
        }
    }

    package var contentID: String
    package var version: String
    /// In a fixed order.
    package var files: [File]

    package init(contentID: String, version: String, files: [File]) {
        self.contentID = contentID
        self.version = version
        self.files = files
    }

    package var length: Int64 { files.reduce(0) { $0 + $1.length } }
}
