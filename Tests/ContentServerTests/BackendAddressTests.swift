import ContentClient
@testable import ContentServer
import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// Gives each request as long as a busy machine may take: the first list of a device has two seconds.
private struct PatientServers: ContentServers {
    private let servers = ServedShop.patientServers

    func source(
        at url: String, proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) -> any ContentSource { servers.source(at: url, proof: proof) }

    func answer(to request: BackendRequest) async throws(StoreError) -> Data {
        var request = request
        request.time = .seconds(600)
        return try await servers.answer(to: request)
    }
}

/// The app's own backend over HTTP, honest and hostile.
@Suite("the app's own backend over HTTP", .timeLimit(.minutes(10))) struct BackendAddressTests {
    private let server: RawServer

    init() throws { server = try RawServer() }

    private var url: String { "http://127.0.0.1:\(server.port)" }

    private func request(
        _ url: String, _ body: String? = nil, bytesMax: Int = 1_000, time: Duration = .seconds(600)
    ) -> BackendRequest {
        BackendRequest(
            url: url, body: body.map { Data($0.utf8) }, bytesMax: bytesMax, time: time)
    }

    private static func reply(_ status: String, _ body: String = "") -> RawServer.Reply {
        .init("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    @Test("a report is a POST of JSON with its length, a list a GET with the account [G3, G4]")
    func requests() async throws {
        server.answer { asked in Self.reply("200 OK", asked.method) }
        let servers = ServedShop.patientServers
        let told = try await servers.answer(
            to: request(url + "/apple/transactions", "{\"price\":990}"))
        #expect(String(decoding: told, as: UTF8.self) == "POST")
        let list = try await servers.answer(to: request(url + "/products?account=a%2Bb"))
        #expect(String(decoding: list, as: UTF8.self) == "GET")
        let root = try await servers.answer(to: request(url))
        #expect(String(decoding: root, as: UTF8.self) == "GET")
        #expect(
            server.seen.map(\.target) == ["/apple/transactions", "/products?account=a%2Bb", "/"])
        let post = try #require(server.seen.first)
        #expect(post.body == Data("{\"price\":990}".utf8))
        #expect(post.fields["content-type"] == "application/json")
        #expect(post.fields["content-length"] == "13")
        #expect(post.fields["host"] == "127.0.0.1:\(server.port)")
    }

    @Test(
        "200 to 206 are success, everything else is a failure with its status [G3]",
        arguments: [
            (200, nil), (201, nil), (204, nil), (206, nil), (207, .wrongAnswer),
            (299, .wrongAnswer),
            (301, .redirected), (307, .redirected), (400, .wrongAnswer), (404, .wrongAnswer),
            (429, .wrongAnswer), (500, .serverError), (503, .serverError), (599, .serverError),
        ] as [(Int, ContentServerFailure?)])
    func statuses(status: Int, failure: ContentServerFailure?) async throws {
        server.answer { _ in
            Self.reply("\(status) Answer\r\nLocation: http://192.0.2.1/")
        }
        do throws(StoreError) {
            _ = try await ServedShop.patientServers.answer(to: request(url, "{}"))
            #expect(failure == nil)
        } catch {
            #expect(error.serverFailure == failure)
            #expect(error.cause == (failure == .redirected ? nil : "\(status)"))
        }
        #expect(server.seen.count == 1, "no redirect is followed, and nothing is tried again")
    }

    @Test(
        "an answer of megabytes, one that never ends, half a one, and none at all are given up [G3]"
    )
    func hostile() async throws {
        let megabytes = String(repeating: "x", count: 3 << 20)
        let replies: [(RawServer.Reply, ContentServerFailure)] = [
            (Self.reply("200 OK", megabytes), .tooMuch),
            (
                .init(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n300000\r\n" + megabytes),
                .tooMuch
            ),
            (.init("HTTP/1.1 200 OK\r\n\r\n" + megabytes), .tooMuch),
            (.init("HTTP/1.1 200 OK\r\nA: " + megabytes + "\r\n\r\n"), .wrongAnswer),
            (.init("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", .close), .wrongLength),
            (.init("GET / HTTP/1.1\r\n\r\n", .close), .wrongAnswer),
            (.init("", .close), .connectionLost),
        ]
        for (number, (reply, failure)) in replies.enumerated() {
            server.answer { _ in reply }
            let error = await #expect(throws: StoreError.self, "\(number)") {
                try await ServedShop.patientServers.answer(to: request(url, "{}"))
            }
            #expect(error?.serverFailure == failure, "\(number)")
        }
    }

    @Test("a backend that hangs is given up after the request's time, also one that sends a little")
    func slow() async throws {
        for text in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na"] {
            server.answer { _ in .init(text, .hold) }
            let error = await #expect(throws: StoreError.self) {
                try await HTTPContentServers(patience: .seconds(600)).answer(
                    to: request(url, "{}", time: .seconds(2)))
            }
            #expect(error?.serverFailure == .stalled, "\(text)")
        }
    }

    @Test(
        "another machine's address is not connected to unless a person allows it, a name never",
        arguments: [
            "http://192.0.2.1:3000", "http://example.com", "https://127.0.0.1", "ftp://127.0.0.1",
        ])
    func elsewhere(address: String) async throws {
        let error = await #expect(throws: StoreError.self) {
            try await HTTPContentServers().answer(to: request(address))
        }
        #expect(error?.serverFailure == .addressRefused)
    }

    @Test("a device reports over a socket, and lists what the backend names [G3, G4]")
    func device() async throws {
        let list = "{\"list\": \"B\", \"products\": [{\"id\": \"test.pass\"}, \"test.coins\"]}"
        server.answer { asked in
            asked.method == "POST" ? Self.reply("201 Created") : Self.reply("200 OK", list)
        }
        let shop = try await ServedShop()
        let device = try await shop.device(PatientServers())
        try await device.setBackend(AppBackend(url))
        try await device.launch()
        let sold = try #require(try await device.buy(.of(SampleCatalog.coins)).number)
        for await _ in device.downloadWakes() {
            // In this order: a delivery is recorded together with its report.
            guard try await device.deliveries().count == 1 else { continue }
            if try await device.reports().waiting == 0 { break }
        }
        let products = try await device.products(nil).value.products.map(\.id)
        #expect(products == ["test.pass", "test.coins"])
        let report = try #require(server.seen.first { $0.method == "POST" })
        let body = String(decoding: report.body ?? Data(), as: UTF8.self)
        #expect(body.contains("\"account\":\"aoi\"") && body.contains("\"price\":990"))
        #expect(body.contains(try await device.transaction(sold).rawValue.prefix(20)))
        await device.close()
    }
}
