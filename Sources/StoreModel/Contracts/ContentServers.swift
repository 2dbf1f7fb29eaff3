package import Foundation

/// Reaches the servers from which an app delivers content itself, and the app's own backend. The
/// program that opens a device passes it one, so that a front end that only buys links no HTTP
/// client.
package protocol ContentServers: Sendable {
    /// The packages of a product on the app's own server; the device downloads them as it downloads
    /// the packages that the store hosts. A failure of the server is thrown as an error made from
    /// `ContentServerFailure` or `ContentRefusal`. The device checks the received bytes against the
    /// signed manifest.
    ///
    /// - Parameters:
    ///   - url: the product's address, as the catalog names it.
    ///   - proof: makes the proof of purchase that the server checks before it sends anything;
    ///     called for each manifest.
    func source(
        at url: String, proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) -> any ContentSource

    /// The body of the backend's answer, if its status is 200 to 206. Tries once.
    ///
    /// - Throws: an error made from `ContentServerFailure`, with the status as `cause` if it is
    ///   another one; `addressRefused` before anything is sent.
    func answer(to request: BackendRequest) async throws(StoreError) -> Data
}

/// A request to the app's own backend.
package struct BackendRequest: Hashable, Sendable {
    /// As `ReachableAddress` takes it.
    package var url: String
    /// JSON that is sent (POST); nil asks (GET).
    package var body: Data?
    /// See `AppBackend.isElsewhere`.
    package var isElsewhere: Bool
    /// Of the answer; a longer one is refused.
    package var bytesMax: Int
    /// From the first byte to the last.
    package var time: Duration

    package init(
        url: String, body: Data? = nil, isElsewhere: Bool = false, bytesMax: Int, time: Duration
    ) {
        self.url = url
        self.body = body
        self.isElsewhere = isElsewhere
        self.bytesMax = bytesMax
        self.time = time
    }
}

/// The proof of a purchase that a device sends to an app's own server before it downloads from it.
package struct PurchaseProof: Hashable, Sendable {
    /// The signed transaction of the purchase, or a receipt: a compact JWS.
    package var signed: String
    /// As in `DeviceVerification`.
    package var device: UUID

    package init(signed: String, device: UUID) {
        self.signed = signed
        self.device = device
    }
}

/// The store as an app's own server sees it: it reads the packages themselves, without regard to
/// any account, and checks whether a device's proof of purchase still holds.
package protocol ContentServerStore: ContentSource {
    /// The app and environment.
    var identity: AppIdentity { get }
    /// The root certificate of the store's signatures, DER (X.509).
    var rootCertificate: Data { get }
    /// The store's time.
    var now: Timestamp { get }
    /// The store's list of revoked certificates as of now.
    func revokedCertificates() async throws(StoreError) -> SignedRevocationList
    /// The products of the catalog in force that have packages or a server address, in order of
    /// their identifiers.
    func servedProducts() async throws(StoreError) -> [ServedProduct]
    /// The ledger position of the newest entry; 0 before the first.
    func position() async throws(StoreError) -> Int64
    /// A transaction in its present state; nil if the store has none with this number, or it was
    /// deleted.
    func transaction(_ id: TransactionID) async throws(StoreError) -> TransactionPayload?
    /// What the customer who has this transaction owns now: the transactions that a receipt would
    /// have, by number, and the next step of each subscription. Nothing for a transaction that the
    /// store does not have.
    func purchases(
        ofBuyer id: TransactionID
    ) async throws(StoreError) -> (
        transactions: [TransactionPayload], renewals: [RenewalInfoPayload]
    )
}

/// A product as an app's own server sees it.
package struct ServedProduct: Hashable, Sendable {
    package var id: ProductID
    /// As in the catalog; nil for a product that the store hosts.
    package var url: String?
    /// Their `contentID`s.
    package var packages: [String]

    package init(id: ProductID, url: String?, packages: [String]) {
        self.id = id
        self.url = url
        self.packages = packages
    }
}
