package import Foundation
package import StoreModel
import Synchronization

/// Answers requests for packages, and requests of backends to verify receipts. It does not use
/// sockets.
package final class ContentResponder: Responder {
    private let store: any ContentServerStore
    private let check: PurchaseCheck
    private let gate: RequestGate
    private let grants = Mutex<[Grant.Key: Grant]>([:])

    /// A successful check, kept for further requests of the same device for the same package.
    private struct Grant {
        struct Key: Hashable {
            var signed: String
            var device: UUID?
            var product: ProductID
            var contentID: String
        }
        var files: [String: ContentManifest.File]
        /// Nil if the purchase does not expire.
        var end: Timestamp?
        /// Before the check, which is valid until the store records an entry.
        var position: Int64
    }

    /// If there would be more, all are dropped.
    static let grantsMax = 256

    /// - Throws: `keysUnreadable`.
    package init(store: any ContentServerStore, host: String) throws(StoreError) {
        self.store = store
        check = try PurchaseCheck(store: store)
        gate = RequestGate(host: host)
    }

    /// The caller reads the bytes of a package's file with `bytes(of:at:count:)`.
    package func answer(_ sent: ContentRequest) async -> ContentAnswer {
        switch gate.pass(sent) {
        case .passed(let request, let steps): await answer(request, at: steps)
        case .refused(let answer): answer
        }
    }

    /// - Parameter request: one that a `RequestGate` let pass.
    package func answer(_ request: ContentRequest, at steps: [String]) async -> ContentAnswer {
        if steps == ["verifyReceipt"] { return await verifyReceipt(request) }
        do throws(StoreError) { return try await content(request, steps) } catch {
            return Self.answer(to: error)
        }
    }

    /// At most `count`, and at most 1 MiB.
    package func bytes(
        of file: ServedFile, at offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try await store.contentBytes(
            product: file.product, contentID: file.contentID, path: file.path, offset: offset,
            count: count)
    }

    // MARK: - Packages

    private func content(
        _ request: ContentRequest, _ steps: [String]
    ) async throws(StoreError) -> ContentAnswer {
        guard let (product, rest) = try await product(at: steps), rest.count >= 2,
            product.packages.contains(rest[0]), rest[1] == "manifest" || rest[1] == "files"
        else { return Self.notServed }
        guard request.method == "GET" || request.method == "HEAD" else {
            return ContentAnswer(
                405, code: "methodNotAllowed", "Use GET or HEAD.", [("Allow", "GET, HEAD")])
        }
        guard let signed = request.bearer?.filter({ !$0.isWhitespace }), !signed.isEmpty else {
            return Self.answer(to: .authorizationMissing)
        }
        let key = Grant.Key(
            signed: signed,
            device: request.fields["device-identifier"].flatMap(UUID.init(uuidString:)),
            product: product.id, contentID: rest[0])
        do throws(CheckFailure) {
            if rest[1] == "manifest" {
                guard rest.count == 2 else { return Self.notServed }
                return Self.manifest(try await grant(key).manifest, request)
            }
            let path = rest.dropFirst(2).joined(separator: "/")
            var known = try await known(key)
            if known == nil { known = try await grant(key).files }
            guard let file = known?[path] else { return Self.notServed }
            return Self.file(
                ServedFile(
                    product: key.product, contentID: key.contentID, path: path,
                    length: file.length, sha256: file.sha256), request)
        } catch {
            switch error {
            case .refused(let refusal): return Self.answer(to: refusal)
            case .store(let error): throw error
            }
        }
    }

    /// With the steps after the product's address, which is `/content/PRODUCT` or the one in the
    /// catalog. If several match, the longest counts.
    private func product(
        at steps: [String]
    ) async throws(StoreError) -> (ServedProduct, [String])? {
        var found: (product: ServedProduct, count: Int)?
        for product in try await store.servedProducts() {
            var addresses = [["content", product.id.rawValue]]
            if let url = product.url, let own = ContentRequest.steps(ofAddress: url) {
                addresses.append(own)
            }
            for address in addresses
            where steps.starts(with: address) && address.count > found?.count ?? -1 {
                found = (product, address.count)
            }
        }
        return found.map { ($0.product, Array(steps.dropFirst($0.count))) }
    }

    private func grant(
        _ key: Grant.Key
    ) async throws(CheckFailure) -> (
        files: [String: ContentManifest.File], manifest: ContentManifest
    ) {
        let end: Timestamp?
        let manifest: ContentManifest
        let position = try await position()
        do throws(CheckFailure) {
            end = try await check.check(key.signed, device: key.device, for: key.product)
        } catch {
            grants.withLock { $0[key] = nil }
            throw error
        }
        do throws(StoreError) {
            manifest = try await store.contentManifest(
                product: key.product, contentID: key.contentID)
        } catch { throw .store(error) }
        let files = Dictionary(
            manifest.fetched.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        grants.withLock { grants in
            if grants.count >= Self.grantsMax { grants = [:] }
            grants[key] = Grant(
                files: files, end: end, position: position)
        }
        return (files, manifest)
    }

    /// The files of a package that may be sent without a new check: the store has recorded nothing
    /// since the last check, so no refund either. Nil if a check is needed.
    private func known(
        _ key: Grant.Key
    ) async throws(CheckFailure) -> [String: ContentManifest.File]? {
        guard let grant = grants.withLock({ $0[key] }), try await position() == grant.position,
            grant.end.map({ store.now < $0 }) ?? true
        else { return nil }
        return grant.files
    }

    private func position() async throws(CheckFailure) -> Int64 {
        do throws(StoreError) { return try await store.position() } catch { throw .store(error) }
    }

    // MARK: - Answers

    private static let privateFields: [(name: String, value: String)] = [
        ("Cache-Control", "private, no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    private static func manifest(
        _ manifest: ContentManifest, _ request: ContentRequest
    ) -> ContentAnswer {
        // The manifest's signature differs each time, so the tag is the SHA-256 of the zip file. A
        // package of separate files has no tag.
        let digest = manifest.archive?.sha256
        var fields = privateFields
        if let digest { fields.append(("ETag", "\"\(digest)\"")) }
        return ContentAnswer(200, json: manifest, fields)
    }

    /// By the request's conditions in the order of RFC 9110, 13.2.2.
    private static func file(_ file: ServedFile, _ request: ContentRequest) -> ContentAnswer {
        let tag = "\"\(file.sha256)\""
        let fields = privateFields + [("Accept-Ranges", "bytes"), ("ETag", tag)]
        if let wanted = EntityTags(request.fields["if-match"]), !wanted.contain(tag) {
            return ContentAnswer(
                412, code: "changed", "The package is another one now. Fetch its manifest again.",
                fields)
        }
        if let known = EntityTags(request.fields["if-none-match"]), known.containWeakly(tag) {
            return ContentAnswer(304, fields)
        }
        var range = ByteRange(request.fields["range"], of: file.length)
        if let known = request.fields["if-range"], known != tag { range = .whole }
        let type = [
            (
                name: "Content-Type",
                value: file.path == ContentManifest.Archive.path
                    ? "application/zip" : "application/octet-stream"
            )
        ]
        switch range {
        case .whole:
            return ContentAnswer(200, fields + type, body: .part(file, 0..<file.length))
        case .part(let bytes):
            let words = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(file.length)"
            return ContentAnswer(
                206, fields + type + [("Content-Range", words)], body: .part(file, bytes))
        case .unsatisfiable:
            return ContentAnswer(
                416, code: "rangeNotSatisfiable", "The file has \(file.length) bytes.",
                fields + [("Content-Range", "bytes */\(file.length)")])
        }
    }

    private static let notServed = ContentAnswer(
        404, code: "notServed", "There is no such package or file.")

    private static func answer(to refusal: ContentRefusal) -> ContentAnswer {
        ContentAnswer(
            refusal.status, code: refusal.rawValue, refusal.message,
            refusal.status == 401 ? [("WWW-Authenticate", "Bearer realm=\"content\"")] : [])
    }

    private static func answer(to error: StoreError) -> ContentAnswer {
        error.code == .contentUnavailable ? notServed : .unanswered(error)
    }

    // MARK: - Receipts

    /// The request of a backend to verify a receipt (App Store: `verifyReceipt`).
    private struct ReceiptRequest: Decodable {
        var receiptData: String
        var excludesOld: Bool?

        enum CodingKeys: String, CodingKey {
            case receiptData = "receipt-data"
            case excludesOld = "exclude-old-transactions"
        }
    }

    /// The answer to a backend's request.
    fileprivate struct ReceiptAnswer: Encodable {
        var status: Int
        var environment: String
        var code: String?
        var message: String?
        var receipt: ReceiptPayload?
        var transaction: TransactionPayload?
        /// The receipt's transactions in their present state, without deleted ones (App Store:
        /// `latest_receipt_info`).
        var latest: [TransactionPayload]?
        /// What a receipt of the customer would have now, the newest purchase first.
        var latestReceiptInfo: [[String: String]]?
        /// The next step of each subscription of the customer.
        var pendingRenewalInfo: [[String: String]]?

        enum CodingKeys: String, CodingKey {
            case status, environment, code, message, receipt, transaction, latest
            case latestReceiptInfo = "latest_receipt_info"
            case pendingRenewalInfo = "pending_renewal_info"
        }
    }

    private func verifyReceipt(_ request: ContentRequest) async -> ContentAnswer {
        let environment = store.identity.environment
        func refuse(_ status: Int, _ code: String, _ message: String) -> ContentAnswer {
            ContentAnswer(
                200,
                json: ReceiptAnswer(
                    status: status, environment: environment.rawValue, code: code, message: message),
                Self.privateFields)
        }
        guard request.method == "POST" else {
            return refuse(21000, "methodNotAllowed", "Use POST.")
        }
        guard let body = request.body else {
            return ContentAnswer(
                413, code: "bodyTooLarge",
                "At most \(HTTPServer.bodyBytesMax) bytes are read.")
        }
        guard let sent = try? JSONDecoder().decode(ReceiptRequest.self, from: body) else {
            return refuse(21002, "notSigned", "Send JSON with receipt-data, the signed receipt.")
        }
        do throws(ContentRefusal) {
            let shown = try await check.verify(sent.receiptData)
            var answer = ReceiptAnswer(status: 0, environment: environment.rawValue)
            do throws(StoreError) {
                try await complete(&answer, with: shown)
                try await addPurchases(
                    to: &answer, with: shown, excludingOld: sent.excludesOld == true)
            } catch { return Self.answer(to: error) }
            return ContentAnswer(200, json: answer, Self.privateFields)
        } catch {
            // Status 21007: a sandbox receipt was sent to production; 21008: the reverse.
            let status =
                error == .wrongEnvironment && environment != .production
                ? 21008 : error.receiptStatus
            return refuse(status, error.rawValue, error.message)
        }
    }

    /// Adds a verified text to an answer, and whether its purchase is still valid by the text and
    /// by the store, which may have refunded it since.
    private func complete(
        _ answer: inout ReceiptAnswer, with shown: PurchaseCheck.Shown
    ) async throws(StoreError) {
        switch shown {
        case .receipt(let receipt):
            answer.receipt = receipt
            var latest: [TransactionPayload] = []
            for payload in receipt.inApp {
                if let current = try await store.transaction(payload.transactionId) {
                    latest.append(current)
                }
            }
            answer.latest = latest
            if receipt.revocationDate != nil { answer.refuse(.revoked) }
            if receipt.isExpired(at: store.now) { answer.refuse(.expired) }
        case .transaction(let payload):
            answer.transaction = payload
            let current = try await store.transaction(payload.transactionId)
            if let refusal = check.refusal(of: payload, current) { answer.refuse(refusal) }
        }
    }
}

extension ContentResponder {
    /// Adds what the customer has by now, in the form of `verifyReceipt`. A receipt without a
    /// transaction names no customer.
    private func addPurchases(
        to answer: inout ReceiptAnswer, with shown: PurchaseCheck.Shown, excludingOld: Bool
    ) async throws(StoreError) {
        let id: TransactionID? =
            switch shown {
            case .receipt(let receipt): receipt.inApp.first?.transactionId
            case .transaction(let payload): payload.transactionId
            }
        guard let id else { return }
        let owned = try await store.purchases(ofBuyer: id)
        var newest = owned.transactions.sorted {
            ($0.purchaseDate, $0.transactionId) > ($1.purchaseDate, $1.transactionId)
        }
        if excludingOld {
            var chains: Set<TransactionID> = []
            newest = newest.filter { chains.insert($0.originalTransactionId).inserted }
        }
        answer.latestReceiptInfo = newest.map { LegacyReceipt.transaction($0) }
        answer.pendingRenewalInfo = owned.renewals.map { LegacyReceipt.renewal($0) }
    }
}

fileprivate extension ContentResponder.ReceiptAnswer {
    mutating func refuse(_ refusal: ContentRefusal) {
        (status, code, message) = (refusal.receiptStatus, refusal.rawValue, refusal.message)
    }
}
