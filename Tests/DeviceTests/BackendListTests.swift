import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// The list of products that the app's own backend has for an account.
@Suite("the list of products of the app's own backend", .timeLimit(.minutes(10)))
struct BackendListTests {
    private static let listed = """
        {"list": "A", "version": 7, "products": [
          {"id": "test.theme", "badge": "new", "order": [1, null]},
          {"productId": "test.coins", "id": 4}, "test.pass", {"id": "test.none"}]}
        """
    private let home: Home
    private let backend = FakeBackend()

    init() async throws { home = try await Home() }

    private func open(
        of account: AccountName = "aoi", elapsed: any Clock<Duration> = ContinuousClock()
    ) async throws -> Device {
        let device = try await home.open(of: account, elapsed: elapsed, servers: backend)
        try await device.setBackend(AppBackend.sample)
        return device
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func ids(_ device: Device) async throws -> [ProductID] {
        try await device.products(nil).value.products.map(\.id)
    }

    @Test(
        "it decides which products are shown, in its order; those that are not sold are told [G4]")
    func followed() async throws {
        backend.list(Self.listed)
        let device = try await open()
        let answer = try await device.products(nil)
        #expect(answer.isFresh && answer.value.invalidProductIDs == ["test.none"])
        #expect(answer.value.products.map(\.id) == ["test.theme", "test.coins", "test.pass"])
        // Products that are asked for by their identifiers are the store's.
        let asked = try await device.products([SampleCatalog.book]).value
        #expect(asked.products.map(\.id) == [SampleCatalog.book])
        let list = try #require(await device.appList()?.list)
        #expect(list.isFresh && list.value.name == "A")
        #expect(try json(list.value.fields["test.theme"]) == #"{"badge":"new","order":[1,null]}"#)
        #expect(try json(list.value.fields["test.coins"]) == #"{"id":4}"#)
        #expect(try json(list.value.fields["test.pass"]) == "{}")
        let request = try #require(backend.asked(isReport: false).first)
        #expect(request.url == "http://127.0.0.1:3000/products?account=aoi")
        try await device.setBackend(nil)
        #expect(try await ids(device).count == 9)
        let isLeft = await device.appList() != nil
        #expect(!isLeft)
        await device.close()
    }

    @Test("each account has its own list, as the backend decides [G4]")
    func byAccount() async throws {
        backend.set { (request: BackendRequest) async throws(StoreError) in
            let isAoi = request.url.hasSuffix("account=aoi")
            let products = isAoi ? "\"test.coins\"" : "\"test.pass\", \"test.coins\""
            return Data("{\"list\": \"\(isAoi ? "A" : "B")\", \"products\": [\(products)]}".utf8)
        }
        let aoi = try await open()
        let kai = try await open(of: "kai")
        #expect(try await ids(aoi) == ["test.coins"])
        #expect(try await ids(kai) == ["test.pass", "test.coins"])
        #expect(await kai.appList()?.list?.value.name == "B")
        await aoi.close()
        await kai.close()
    }

    @Test("while the backend is away, or the device has no network, the last list is used [G4]")
    func remembered() async throws {
        backend.list(Self.listed)
        let device = try await open()
        #expect(try await ids(device).count == 3)
        await device.close()
        backend.set { (_: BackendRequest) async throws(StoreError) in
            throw FakeBackend.failure(.unreachable)
        }
        let clock = HandClock()
        let next = try await open(elapsed: clock)
        let updates = next.updates()
        #expect(try await ids(next) == ["test.theme", "test.coins", "test.pass"])
        let told = await updates.first(\.trouble)
        #expect(told?.code == .backendFailed && told?.serverFailure == .unreachable)
        let known = try #require(await next.appList())
        #expect(known.list?.isFresh == false)
        #expect(try json(known.list?.value.fields["test.theme"]).contains("new"))
        // It is left alone for a while, and then asked again.
        #expect(backend.asked(isReport: false).count == 2)
        clock.pass(.seconds(30))
        _ = try await ids(next)
        #expect(backend.asked(isReport: false).count == 3)
        try await next.setNetwork(.off(milliseconds: nil))
        clock.pass(.seconds(30))
        #expect(try await next.products(nil).isFresh == false)
        #expect(backend.asked(isReport: false).count == 3)
        try await next.setNetwork(.on)
        clock.pass(.seconds(30))
        backend.list("[\"test.book\"]")
        #expect(try await ids(next) == ["test.book"])
        #expect(try await next.reports().failures == [])
        await next.close()
    }

    @Test(
        "what is no list is refused, and the store's own products are shown [G4]",
        arguments: [
            "", "{", "7", "null", "{}", "{\"products\": {}}", "{\"products\": [7]}",
            "{\"products\": [{\"name\": \"x\"}]}", "[null]", "[[\"test.coins\"]]",
            String(repeating: "[", count: 100_000), "[\"test.coins\"",
            "[" + (0...10_000).map { "\"p\($0)\"" }.joined(separator: ",") + "]",
        ])
    func noList(json: String) async throws {
        backend.list(json)
        let device = try await open()
        #expect(try await ids(device).count == 9)
        let hasList = await device.appList()?.list != nil
        #expect(!hasList)
        #expect(try await device.reports().failures.map(\.serverFailure) == [.wrongAnswer])
        await device.close()
    }

    @Test(
        "a backend without a list leaves the store's own, and is no failure",
        arguments: ["404", "501"])
    func without(status: String) async throws {
        let device = try await open()
        backend.list(Self.listed)
        #expect(try await ids(device).count == 3)
        backend.set { (_: BackendRequest) async throws(StoreError) in
            throw FakeBackend.failure(.wrongAnswer, status)
        }
        #expect(try await ids(device).count == 9)
        // Its list is gone: it is not used either while the backend is away.
        backend.set { (_: BackendRequest) async throws(StoreError) in
            throw FakeBackend.failure(.unreachable)
        }
        #expect(try await ids(device).count == 9)
        #expect(try await device.reports().failures.map(\.serverFailure) == [.unreachable])
        await device.close()
    }

    @Test(
        "an empty list sells nothing, a repeated product counts once, and texts are kept as they are"
    )
    func odd() async throws {
        let device = try await open()
        backend.list("{\"products\": []}")
        #expect(try await ids(device) == [])
        backend.list("[\"test.coins\", {\"id\": \"test.coins\", \"a\": \"\u{202E}x\"}, \"\"]")
        let answer = try await device.products(nil).value
        #expect(answer.products.map(\.id) == ["test.coins"] && answer.invalidProductIDs == [""])
        let fields = await device.appList()?.list?.value.fields["test.coins"]
        #expect(try json(fields) == "{\"a\":\"\u{202E}x\"}")
        await device.close()
    }
}
