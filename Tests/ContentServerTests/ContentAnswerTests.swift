@testable import ContentServer
import Foundation
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Every answer of the app's own server, without a socket.
@Suite struct ContentAnswerTests {
    private static let one = "/charts/atlas/files/one.txt"
    private let shop: ServedShop
    private let responder: ContentResponder

    init() async throws {
        shop = try await ServedShop()
        responder = try shop.responder()
    }

    private func ask(
        _ target: String, _ signed: String?, method: String = "GET", device: UUID? = nil,
        _ more: [String: String] = [:]
    ) async -> ContentAnswer {
        var fields = ["host": "127.0.0.1:8090"]
        if let signed { fields["authorization"] = "Bearer \(signed)" }
        fields["device-identifier"] = (device ?? shop.identifier()).uuidString
        fields.merge(more) { $1 }
        return await responder.answer(
            ContentRequest(method: method, target: target, fields: fields))
    }

    private struct Problem: Decodable {
        var code: String
        var message: String
    }

    private func code(_ answer: ContentAnswer) throws -> String {
        guard case .bytes(let bytes) = answer.body else { return "no body" }
        let problem = try JSONDecoder().decode(Problem.self, from: bytes)
        #expect(!problem.message.isEmpty)
        return problem.code
    }

    private func expect(
        _ refusal: ContentRefusal, _ status: Int, _ answer: ContentAnswer,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, sourceLocation: location)
        #expect(try code(answer) == refusal.rawValue, sourceLocation: location)
    }

    /// The bytes of an answer, read as the server reads them.
    private func bytes(_ answer: ContentAnswer) async throws -> Data {
        switch answer.body {
        case .none: return Data()
        case .bytes(let bytes): return bytes
        case .part(let file, let range):
            var found = Data()
            while found.count < range.count {
                let piece = try await responder.bytes(
                    of: file, at: range.lowerBound + Int64(found.count),
                    count: range.count - found.count)
                #expect(!piece.isEmpty)
                found += piece
            }
            return found
        }
    }

    // MARK: - Recipients

    @Test("the signed transaction or receipt of the purchase opens the package [A8, G5]")
    func valid() async throws {
        let signed = try await shop.buy()
        let answer = await ask(signed.rawValue)
        #expect(answer.status == 200)
        #expect(try await bytes(answer) == Data(ServedShop.text.utf8))
        let receipt = try await shop.store.session().receipt(ReceiptOptions())
        #expect(await ask(receipt.rawValue).status == 200)
        // The file also has an address below /content, as every product's files have.
        #expect(
            await ask("/content/test.charts/atlas/files/part/two.txt", signed.rawValue).status
                == 200)
    }

    @Test("the manifest is signed for the product, and names every file")
    func manifest() async throws {
        let answer = await ask("/charts/atlas/manifest", try await shop.buy().rawValue)
        let manifest = try JSONDecoder().decode(
            ContentManifest.self, from: try await bytes(answer))
        #expect(Set(manifest.files.map(\.path)) == Set(ServedShop.files.keys))
        #expect(try await TestStore.verifier().failure(of: manifest, of: ServedShop.charts) == nil)
    }

    @Test("without a proof, or with what is none, nothing is handed out")
    func missing() async throws {
        try expect(.authorizationMissing, 401, await ask(nil))
        #expect(await ask(nil)["www-authenticate"] == "Bearer realm=\"content\"")
        try expect(.notSigned, 401, await ask("abc"))
        try expect(.notSigned, 401, await ask("a.b.c"))
        let manifest = try await shop.content.contentManifest(
            product: ServedShop.charts, contentID: "atlas")
        try expect(.notSigned, 401, await ask(try #require(manifest.signed).rawValue))
    }

    @Test(
        "a text that was broken in any way gets the answer of the first check that fails",
        arguments: [
            (BrokenText.flippedSignature, ContentRefusal.tampered, 401),
            (.otherKey, .tampered, 401), (.otherRoot, .untrusted, 401),
            (.borrowedRoot, .untrusted, 401), (.revokedLeaf, .certificateRevoked, 401),
            (.otherApp, .wrongApp, 403), (.otherEnvironment, .wrongEnvironment, 403),
            (.otherDevice, .wrongAccount, 403), (.noDevice, .wrongAccount, 403),
            (.twoParts, .notSigned, 401), (.otherAlphabet, .notSigned, 401),
            (.noProduct, .notSigned, 401),
        ])
    func broken(text: BrokenText, refusal: ContentRefusal, status: Int) async throws {
        let good = try await shop.buy()
        let payload = try #require(TransactionVerifier.unverifiedPayload(of: good))
        let broken = try TestStore.signer().sign(payload, broken: text)
        try expect(refusal, status, await ask(broken.rawValue))
        // The remembered check of one text must not accept another.
        #expect(await ask(good.rawValue).status == 200)
        try expect(refusal, status, await ask(broken.rawValue))
    }

    @Test("a text of another store says whether app or environment is the other one")
    func otherStores() async throws {
        let good = try await shop.buy()
        var payload = try #require(TransactionVerifier.unverifiedPayload(of: good))
        let other = TransactionSigner(keys: try StoreKeys.generate())
        try expect(.untrusted, 401, await ask(try other.sign(payload).rawValue))
        payload.environment = .production
        try expect(.wrongEnvironment, 403, await ask(try other.sign(payload).rawValue))
        payload.bundleId = "com.example.other"
        try expect(.wrongApp, 403, await ask(try other.sign(payload).rawValue))
    }

    @Test("a purchase of another account, device or product opens nothing")
    func others() async throws {
        let good = try await shop.buy()
        let kai = try await shop.buy(account: "kai")
        try expect(.wrongAccount, 403, await ask(kai.rawValue))
        try expect(
            .wrongAccount, 403, await ask(good.rawValue, device: shop.identifier(account: "kai")))
        try expect(
            .wrongAccount, 403,
            await ask(good.rawValue, device: shop.identifier(device: "tablet")))
        let theme = try await shop.buy(SampleCatalog.theme)
        try expect(.wrongProduct, 403, await ask(theme.rawValue))
        let receipt = try await shop.store.session(account: "nia").receipt(ReceiptOptions())
        try expect(
            .wrongProduct, 403,
            await ask(receipt.rawValue, device: shop.identifier(account: "nia")))
    }

    @Test("a purchase that was refunded since, or deleted, opens nothing any more [A8]")
    func revoked() async throws {
        let good = try await shop.buy()
        #expect(await ask(good.rawValue).status == 200)
        #expect(await ask(Self.one, good.rawValue).status == 200)
        let id = try #require(TransactionVerifier.unverifiedPayload(of: good)?.transactionId)
        _ = try await shop.store.console.perform(.refund(id, .rest, reason: .other))
        // The same holds for files whose request was accepted before the refund.
        for path in ["/charts/atlas/manifest", Self.one] {
            try expect(.revoked, 403, await ask(path, good.rawValue))
        }
        try expect(.revoked, 403, await ask(good.rawValue))
        _ = try await shop.store.console.perform(.delete(id, wholeChain: false))
        try expect(.unknownTransaction, 403, await ask(good.rawValue))
    }

    @Test("a subscription or receipt that has expired opens nothing")
    func expired() async throws {
        let signed = try await shop.buy(SampleCatalog.monthly)
        #expect(await ask("/club/x/manifest", signed.rawValue).status == 404)
        let receipt = try await shop.store.session().receipt(ReceiptOptions(isExpired: true))
        _ = try await shop.buy()
        try expect(.expired, 403, await ask(receipt.rawValue))
        let revoked = try await shop.store.session().receipt(ReceiptOptions(isRevoked: true))
        try expect(.revoked, 403, await ask(revoked.rawValue))
    }

    @Test("the period of a subscription that is over opens nothing; its renewal does")
    func expiredPeriod() async throws {
        let first = try await shop.buy(SampleCatalog.monthly)
        #expect(await ask("/club/letters/manifest", first.rawValue).status == 200)
        let end = try #require(TransactionVerifier.unverifiedPayload(of: first)?.expiresDate)
        shop.store.clock.advance(
            byMilliseconds: end.milliseconds - shop.store.clock.now().milliseconds)
        try expect(.expired, 403, await ask("/club/letters/manifest", first.rawValue))
        try expect(.expired, 403, await ask("/club/letters/files/one.txt", first.rawValue))
        let session = shop.store.session()
        // Reading the account's entitlements records the renewal that is due.
        _ = try await session.entitlements()
        let renewal = try #require(try await session.history(before: nil, limit: 1).first)
        let payload = TransactionVerifier.unverifiedPayload(of: renewal)
        #expect(payload?.transactionReason == .renewal)
        #expect(await ask("/club/letters/manifest", renewal.rawValue).status == 200)
    }

    // MARK: - Paths and methods

    @Test(
        "what is not there is not served, whatever its path",
        arguments: [
            "/", "/charts", "/charts/atlas", "/charts/atlas/files", "/charts/other/manifest",
            "/charts/atlas/files/none.txt", "/charts/atlas/manifest/x", "/nothing/atlas/manifest",
            "/content/test.theme/atlas/manifest",
        ])
    func absent(target: String) async throws {
        let answer = await ask(target, try await shop.buy().rawValue)
        #expect(answer.status == (target == "/" ? 400 : 404))
    }

    @Test(
        "a path that leaves the package is refused",
        arguments: [
            "/charts/atlas/files/../../../secret", "/charts/atlas/files/%2e%2e/secret",
            "/charts/atlas/files//one.txt", "/charts/atlas/files/one.txt%00",
            "charts/atlas/manifest", "/charts/atlas/files/%ff",
        ])
    func traversal(target: String) async throws {
        #expect(await ask(target, try await shop.buy().rawValue).status == 400)
    }

    @Test("only GET and HEAD fetch; only this machine is asked")
    func methods() async throws {
        let signed = try await shop.buy().rawValue
        #expect(await ask(signed, method: "POST").status == 405)
        #expect(await ask(signed, method: "DELETE")["allow"] == "GET, HEAD")
        let head = await ask(signed, method: "HEAD")
        #expect(head.status == 200 && head.length == Int64(ServedShop.text.utf8.count))
        #expect(await ask(signed, ["host": "shop.example.com"]).status == 421)
        #expect(await ask(signed, ["host": "localhost:1"]).status == 200)
    }

    // MARK: - Ranges and conditions

    @Test(
        "a range is served as RFC 9110 says",
        arguments: [
            ("bytes=0-9", 206, 0, 10), ("bytes=5-", 206, 5, 440_000),
            ("bytes=-3", 206, 439_997, 440_000),
            ("bytes=439999-999999", 206, 439_999, 440_000), ("bytes=440000-", 416, 0, 0),
            ("bytes=-0", 416, 0, 0), ("bytes=9-5", 200, 0, 440_000),
            ("bytes=0-1,5-6", 200, 0, 440_000), ("lines=1-2", 200, 0, 440_000),
            ("bytes=a-b", 200, 0, 440_000), ("bytes=99999999999999999999-", 200, 0, 440_000),
            ("bytes=-999999", 206, 0, 440_000), ("bytes=", 200, 0, 440_000),
        ])
    func ranges(range: String, status: Int, from: Int, to: Int) async throws {
        let answer = await ask(try await shop.buy().rawValue, ["range": range])
        #expect(answer.status == status)
        if status == 416 {
            #expect(answer["content-range"] == "bytes */440000")
            return
        }
        let wanted = Data(ServedShop.text.utf8)[from..<to]
        #expect(try await bytes(answer) == wanted)
        #expect(
            answer["content-range"] == (status == 206 ? "bytes \(from)-\(to - 1)/440000" : nil))
        #expect(answer["accept-ranges"] == "bytes")
    }

    @Test("the tag is the file's SHA-256, and decides what the conditions ask")
    func conditions() async throws {
        let signed = try await shop.buy().rawValue
        let tag = try #require(await ask(signed)["etag"])
        #expect(tag.count == 66)
        let part = ["range": "bytes=0-0"]
        #expect(await ask(signed, ["if-match": tag]).status == 200)
        #expect(await ask(signed, ["if-match": "*"]).status == 200)
        #expect(await ask(signed, ["if-match": "\"x\", \(tag)"]).status == 200)
        #expect(await ask(signed, ["if-match": "W/\(tag)"]).status == 412)
        #expect(await ask(signed, ["if-match": "\"x\""]).status == 412)
        #expect(await ask(signed, ["if-none-match": tag]).status == 304)
        #expect(await ask(signed, ["if-none-match": "W/\(tag)"]).status == 304)
        #expect(await ask(signed, ["if-none-match": "\"x\""]).status == 200)
        #expect(await ask(signed, part.merging(["if-range": tag]) { $1 }).status == 206)
        #expect(await ask(signed, part.merging(["if-range": "\"x\""]) { $1 }).status == 200)
    }

    private func ask(
        _ signed: String?, method: String = "GET", device: UUID? = nil,
        _ more: [String: String] = [:]
    ) async -> ContentAnswer {
        await ask(Self.one, signed, method: method, device: device, more)
    }

    // MARK: - Receipts of backends

    private struct ReceiptAnswer: Decodable {
        var status: Int
        var environment: String
        var code: String?
        var receipt: ReceiptPayload?
        var transaction: TransactionPayload?
        var latest: [TransactionPayload]?
    }

    private func verifyReceipt(_ text: String) async throws -> ReceiptAnswer {
        let body = try JSONEncoder().encode(["receipt-data": text])
        return try await post(body)
    }

    private func post(_ body: Data) async throws -> ReceiptAnswer {
        let answer = await responder.answer(
            ContentRequest(
                method: "POST", target: "/verifyReceipt", fields: ["host": "localhost"], body: body)
        )
        #expect(answer.status == 200)
        return try JSONDecoder().decode(ReceiptAnswer.self, from: try await bytes(answer))
    }

    @Test(
        "verifyReceipt answers with the decoded receipt, or with the status Apple has for it [G5]")
    func receipts() async throws {
        let signed = try await shop.buy()
        let session = shop.store.session()
        let good = try await verifyReceipt(try await session.receipt(ReceiptOptions()).rawValue)
        #expect(good.status == 0 && good.receipt?.inApp.map(\.productId) == [ServedShop.charts])
        #expect(
            try await verifyReceipt(signed.rawValue).transaction?.productId == ServedShop.charts)
        let expired = try await session.receipt(ReceiptOptions(isExpired: true))
        #expect(try await verifyReceipt(expired.rawValue).status == 21006)
        let revoked = try await session.receipt(ReceiptOptions(isRevoked: true))
        #expect(try await verifyReceipt(revoked.rawValue).status == 21010)
        #expect(try await verifyReceipt("nothing").status == 21002)
        #expect(try await post(Data("[]".utf8)).status == 21002)
        let payload = try #require(TransactionVerifier.unverifiedPayload(of: signed))
        for (text, status) in [
            (BrokenText.flippedSignature, 21003), (.otherRoot, 21003), (.otherApp, 21003),
            (.otherEnvironment, 21008),
        ] {
            let broken = try TestStore.signer().sign(payload, broken: text)
            #expect(try await verifyReceipt(broken.rawValue).status == status, "\(text)")
        }
    }

    @Test(
        "a text of a sandbox store is known as such in production, and the reverse [G5]",
        arguments: [
            (StoreEnvironment.sandbox, StoreEnvironment.production, 21007),
            (.production, .sandbox, 21008),
        ])
    func otherEnvironments(
        from: StoreEnvironment, to: StoreEnvironment, status: Int
    ) async throws {
        func store(_ environment: StoreEnvironment, _ keys: StoreKeys?) async throws -> TestStore {
            var identity = TestStore.identity
            identity.environment = environment
            return try await TestStore(identity: identity, keys: keys)
        }
        // Each store has a root certificate of its own.
        let seller = try await store(from, try StoreKeys.generate())
        let session = seller.session()
        let sale = try #require(try await session.purchase(.of(SampleCatalog.coins)).number)
        let asked = try ContentResponder(
            store: try await store(to, nil).engine.contentServerStore, host: "127.0.0.1")
        for text in [
            try await session.transaction(sale).rawValue,
            try await session.receipt(ReceiptOptions()).rawValue,
        ] {
            let body = try JSONEncoder().encode(["receipt-data": text])
            let answer = await asked.answer(
                ContentRequest(
                    method: "POST", target: "/verifyReceipt", fields: ["host": "localhost"],
                    body: body))
            let decoded = try JSONDecoder().decode(
                ReceiptAnswer.self, from: try await bytes(answer))
            #expect(decoded.status == status && decoded.code == "wrongEnvironment")
        }
    }

    @Test("of an absolute target the host counts, and two Host fields are refused")
    func targets() async throws {
        let signed = try await shop.buy().rawValue
        let here = "HTTP://localhost:8090" + Self.one
        #expect(await ask(here, signed, ["host": "evil.example"]).status == 200)
        #expect(await ask("http://evil.example" + Self.one, signed).status == 421)
        #expect(await ask("http://localhost", signed).status == 400)
        let twice = ContentRequest(
            method: "GET", target: Self.one, fields: ["host": "localhost"], hasSeveralHosts: true)
        #expect(await responder.answer(twice).status == 400)
    }

    @Test("verifyReceipt says what was refunded or deleted after the text was signed [G5]")
    func refundedSince() async throws {
        let signed = try await shop.buy()
        let receipt = try await shop.store.session().receipt(ReceiptOptions()).rawValue
        let id = try #require(TransactionVerifier.unverifiedPayload(of: signed)?.transactionId)
        #expect(try await verifyReceipt(signed.rawValue).status == 0)
        _ = try await shop.store.console.perform(.refund(id, .rest, reason: .other))
        let refunded = try await verifyReceipt(signed.rawValue)
        #expect(refunded.status == 21010 && refunded.code == "revoked")
        // The receipt stays valid, and the answer contains its transactions in their present state.
        let answer = try await verifyReceipt(receipt)
        #expect(answer.status == 0 && answer.receipt?.inApp.map(\.revocationDate) == [nil])
        #expect(answer.latest?.map(\.transactionId) == [id])
        #expect(answer.latest?.first?.revocationDate != nil)
        _ = try await shop.store.console.perform(.delete(id, wholeChain: false))
        #expect(try await verifyReceipt(signed.rawValue).code == "unknownTransaction")
        #expect(try await verifyReceipt(receipt).latest == [])
    }

    @Test("verifyReceipt wants POST, and a body that is not too long")
    func receiptRequests() async throws {
        let fields = ["host": "localhost"]
        let get = await responder.answer(
            ContentRequest(method: "GET", target: "/verifyReceipt", fields: fields))
        let decoded = try JSONDecoder().decode(ReceiptAnswer.self, from: try await bytes(get))
        #expect(decoded.status == 21000)
        let long = await responder.answer(
            ContentRequest(method: "POST", target: "/verifyReceipt", fields: fields, body: nil))
        #expect(long.status == 413)
    }
}
