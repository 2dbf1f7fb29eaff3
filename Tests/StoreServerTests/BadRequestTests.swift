import Basics
import ContentServer
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreSigning
import StoreTestSupport
import Testing

/// Requests that are slow, endless, cut off, too many, of other sites or meant for another store. The
/// server goes on after each of them.
@Suite("bad requests over HTTP", .timeLimit(.minutes(5))) struct BadRequestTests {
    /// The head of a request to the store's own server, without the line that ends it.
    private static func head(
        _ target: String, method: String = "GET", host: String = "localhost", token: String? = nil
    ) -> String {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(authorization)"
    }

    /// Asks again if the connection was closed: on a busy machine this client may be slow, too.
    private static func expectHealth(
        _ port: Int, at location: SourceLocation = #_sourceLocation
    ) async throws {
        var body = ""
        while body.isEmpty {
            let client = try SocketClient(port: port)
            try await client.send(head("/health") + "\r\n")
            body = await client.answer().body
        }
        #expect(body.contains("\"status\":\"ok\""), sourceLocation: location)
    }

    private static func setToken(_ id: TransactionID) -> String {
        "/inApps/v1/transactions/\(id)/appAccountToken"
    }

    // MARK: - Slow clients

    @Test(
        "a head that never ends and a body that trickles are not waited for",
        arguments: [Duration.zero, .milliseconds(2)])
    func slow(_ pause: Duration) async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        let put =
            Self.head(Self.setToken(id), method: "PUT", token: token)
            + "Content-Length: 1000000\r\n\r\n"
        _ = try await backend.serving(patience: .milliseconds(200)) { port in
            for (begun, more) in [
                ("", "G"), ("GET /", "a"), (Self.head("/health"), "A: b\r\n"),
                (Self.head("/health") + "A: ", "b"), (put, "{"),
                (put + "{\"appAccountToken\":\"", "a"),
            ] {
                let client = try SocketClient(port: port)
                try await client.send(begun)
                try await client.repeating(more, pause: pause)
                #expect(!client.rest.contains(" 200 "), "\(begun)")
                try await Self.expectHealth(port)
            }
            // One that says nothing at all.
            let silent = try SocketClient(port: port)
            #expect(await silent.answer().head.isEmpty)
        }
    }

    // MARK: - Many clients

    /// As many files as the process may have open by now, less those that others of it need.
    private static func connectionsMax() throws -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(getrlimit(resource, &limit) == 0)
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 8_192))
        _ = setrlimit(resource, &limit)
        return Int(min(limit.rlim_cur, 1_000_000)) / 2
    }

    @Test("1,000 connections at once are answered or closed, and the next one is answered")
    func crowd() async throws {
        let backend = try await Backend()
        let count = min(1_000, try Self.connectionsMax())
        let answered = try await backend.serving(patience: .seconds(600)) { port in
            var clients: [SocketClient] = []
            for _ in 0..<count { clients.append(try SocketClient(port: port)) }
            for client in clients { try await client.send(Self.head("/health") + "\r\n") }
            var heads: [String] = []
            for client in clients { heads.append(await client.answer().head) }
            #expect(heads.allSatisfy { $0.isEmpty || $0.hasPrefix("HTTP/1.1 200") })
            // Only one that waits longest gives way to a new one.
            #expect(heads.count { !$0.isEmpty } >= min(count, 64))
            try await Self.expectHealth(port)
        }
        #expect(answered.allSatisfy { $0.status == 200 })
    }

    // MARK: - Bodies

    private static let deep = 100_000

    @Test("a deep body is refused by every endpoint that reads one")
    func deepBodies() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let monthly = try await backend.buy(SampleCatalog.monthly)
        let token = try backend.token().text
        let (open, close) = (
            String(repeating: "[", count: Self.deep), String(repeating: "]", count: Self.deep)
        )
        let members = String(repeating: "{\"a\":", count: Self.deep)
        _ = try await backend.serving { port in
            for (method, target) in [
                ("PUT", Self.setToken(id)),
                ("PUT", "/inApps/v1/transactions/consumption/\(id)"),
                ("PUT", "/inApps/v2/transactions/consumption/\(id)"),
                ("PUT", "/inApps/v1/subscriptions/extend/\(monthly)"),
                ("POST", "/inApps/v1/subscriptions/extend/mass"),
                ("POST", "/inApps/v1/notifications/history"),
            ] {
                for body in [open + close, open, members, "{\"a\":" + open + close + "}"] {
                    let client = try SocketClient(port: port)
                    try await client.send(
                        Self.head(target, method: method, token: token)
                            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
                    let answer = await client.answer()
                    #expect(answer.body.contains("\"errorCode\":4000000"), "\(target)")
                }
            }
            try await Self.expectHealth(port)
        }
    }

    @Test("a body that is cut off changes nothing")
    func truncatedBodies() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        let body = "{\"appAccountToken\":\"\(UUID().uuidString)\"}"
        _ = try await backend.serving { port in
            for count in [0, 1, body.utf8.count / 2, body.utf8.count - 1] {
                let client = try SocketClient(port: port)
                try await client.send(
                    Self.head(Self.setToken(id), method: "PUT", token: token)
                        + "Content-Length: \(body.utf8.count)\r\n\r\n"
                        + String(body.prefix(count)))
                client.endSending()
                let answer = await client.answer()
                #expect(answer.head.isEmpty || answer.head.hasPrefix("HTTP/1.1 400"))
                try await Self.expectHealth(port)
            }
            // A body that has all of its bytes, but is less than JSON.
            let client = try SocketClient(port: port)
            let short = String(body.dropLast())
            try await client.send(
                Self.head(Self.setToken(id), method: "PUT", token: token)
                    + "Content-Length: \(short.utf8.count)\r\n\r\n" + short)
            #expect(await client.answer().body.contains("\"errorCode\":4000000"))
        }
        let info = try await backend.get("/inApps/v1/transactions/\(id)")
        let sold = try await #require(info["signedTransactionInfo"]).transaction
        #expect(sold.appAccountToken == nil)
    }

    @Test("a body of megabytes in pieces is refused before its end")
    func endlessBody() async throws {
        let backend = try await Backend()
        let token = try backend.token().text
        let piece = "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n"
        _ = try await backend.serving { port in
            let client = try SocketClient(port: port)
            try await client.send(
                Self.head("/inApps/v1/notifications/history", method: "POST", token: token)
                    + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: piece, count: 17))
            #expect(await client.answer().body.contains("\"errorCode\":4000000"))
            try await Self.expectHealth(port)
        }
    }

    // MARK: - Other sites and stores

    @Test("what names another host, or none, is refused")
    func hosts() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        let target = "/inApps/v1/transactions/\(id)"
        _ = try await backend.serving { port in
            for host in [
                "evil.example", "evil.example:\(port)", "127.0.0.1.evil.example",
                "localhost.evil.example:\(port)", "evil.example:127.0.0.1", "127.0.0.2",
                "user@localhost", "localhost, evil.example", "[::2]:\(port)",
                "api.storekit.apple.com", "",
            ] {
                let client = try SocketClient(port: port)
                try await client.send(Self.head(target, host: host, token: token) + "\r\n")
                #expect(await client.answer().head.hasPrefix("HTTP/1.1 421"), "\(host)")
            }
            for (request, status) in [
                ("GET \(target) HTTP/1.1\r\n", 421),
                // The HTTP library passes the path alone, so the Host field counts.
                (Self.head("http://localhost\(target)", host: "evil.example", token: token), 421),
                (Self.head(target, token: token) + "Host: evil.example\r\n", 400),
            ] {
                let client = try SocketClient(port: port)
                try await client.send(request + "\r\n")
                let head = await client.answer().head
                #expect(head.hasPrefix("HTTP/1.1 \(status)"), "\(request) \(head)")
            }
            for host in ["localhost:\(port)", "127.0.0.1", "LOCALHOST", "[::1]:\(port)"] {
                let client = try SocketClient(port: port)
                try await client.send(Self.head(target, host: host, token: token) + "\r\n")
                #expect(await client.answer().head.hasPrefix("HTTP/1.1 200"), "\(host)")
            }
        }
    }

    @Test("pages, tests and keys of another store of the same app are refused")
    func otherStore() async throws {
        let here = try await Backend()
        let there = try await Backend(keys: try StoreKeys.generate())
        let history = "/inApps/v1/notifications/history"
        let now = here.store.engine.clock.now().milliseconds
        let range = "{\"startDate\":\(now - 86_400_000),\"endDate\":\(now + 86_400_000)}"
        for backend in [here, there] {
            let outbox = backend.store.engine.outboxStore
            _ = try await outbox.change(.send(to: "http://127.0.0.1:3000/", host: "here"))
            for _ in 0..<21 { try await backend.buy() }
            _ = try await outbox.deriveNotifications()
        }
        // Both stores have sold the same, so that nothing but the store tells their texts apart.
        let id = try await here.buy()
        #expect(try await there.buy() == id)
        for path in ["/inApps/v2/history/\(id)", "/inApps/v2/refund/lookup/\(id)"] {
            let revision = try #require(try await there.get(path)["revision"]?.text)
            let again = try await there.ask("\(path)?revision=\(revision)")
            #expect(again.status == 200)
            try await here.expect(.invalidRequestRevision, "\(path)?revision=\(revision)")
        }
        let page = try await there.get(history, method: "POST", body: range)
        let next = "\(history)?paginationToken=\(try #require(page["paginationToken"]?.text))"
        let second = try await there.ask(next, method: "POST", body: range)
        #expect(second.status == 200)
        try await here.expect(.invalidPaginationToken, next, method: "POST", body: range)
        let test = "/inApps/v1/notifications/test"
        let sent = try await there.get(test, method: "POST")
        let token = try #require(sent["testNotificationToken"]?.text)
        let known = try await there.ask("\(test)/\(token)")
        #expect(known.status == 200)
        try await here.expect(.invalidTestNotificationToken, "\(test)/\(token)")
        let field = "Bearer \(try there.token().text)"
        #expect(await here.ask("/inApps/v1/transactions/\(id)", authorization: field).status == 401)
    }
}
