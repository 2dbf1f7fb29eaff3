@testable import ContentServer
import ContentClient
import Foundation
import StoreModel
import Synchronization
import Testing

/// How an attempt to send a notification ends, by what the backend answers.
@Suite("notifications over HTTP", .timeLimit(.minutes(5))) struct HTTPPostTests {
    /// What a backend does, and the result of the attempt.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reply: RawServer.Reply
        var result: SendAttemptResult
        var status: Int?

        init(
            _ name: String, _ text: String, _ ending: RawServer.Reply.Ending = .keep,
            _ result: SendAttemptResult, _ status: Int? = nil
        ) {
            testDescription = name
            reply = RawServer.Reply(text, ending)
            self.result = result
            self.status = status
        }
    }

    private static func head(_ status: String, _ fields: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(fields)Content-Length: 0\r\n\r\n"
    }

    static let cases = [
        Case("200", head("200 OK"), .keep, .success, 200),
        Case("206", head("206 Partial Content"), .keep, .success, 206),
        Case("207", head("207 Multi-Status"), .keep, .unsuccessfulStatus, 207),
        Case("400", head("400 Bad"), .keep, .unsuccessfulStatus, 400),
        Case("500", head("500 Oops"), .keep, .unsuccessfulStatus, 500),
        Case(
            "a redirect to itself", head("302 Found", "Location: /charts\r\n"), .keep,
            .unsuccessfulStatus, 302),
        Case(
            "UTF-8, quoted", head("200 OK", "Content-Type: text/plain; charset=\"UTF-8\"\r\n"),
            .keep, .success, 200),
        Case(
            "Latin 1", head("200 OK", "Content-Type: text/plain; charset=iso-8859-1\r\n"), .keep,
            .unsupportedCharset, 200),
        Case("a closed connection", "", .close, .noResponse),
        Case(
            "half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", .close,
            .prematureClose),
        Case("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n", .close, .invalidResponse),
        Case(
            "a body of 65 KiB",
            "HTTP/1.1 200 OK\r\nContent-Length: 66560\r\n\r\n"
                + String(repeating: "x", count: 66_560), .close, .invalidResponse),
        Case("silence", "", .hold, .timedOut),
        Case("a head and silence", "HTTP/1.1 200 OK\r\n", .hold, .timedOut),
    ]

    /// More than a machine needs that is busy with other tests.
    private static let patience = Duration.seconds(600)

    @Test("each answer of a backend has its result", arguments: cases)
    func results(_ one: Case) async throws {
        let server = try RawServer()
        server.answer { _ in one.reply }
        // Only those that are to end by it reach it. On a busy machine a short time can be over
        // before the request has arrived: then a longer one follows.
        var time = one.result == .timedOut ? Duration.milliseconds(300) : Self.patience
        repeat {
            let sent = Mutex(0)
            let outcome = await HTTPPost(time: time).post(
                Data("{}".utf8), to: server.url + "?key=1"
            ) {
                sent.withLock { $0 += 1 }
            }
            #expect(outcome == PostOutcome(one.result, status: one.status))
            #expect(sent.withLock { $0 } == 1)
            time *= 2
        } while server.seen.isEmpty && time < HTTPPost.time
        #expect(server.seen.first?.method == "POST")
        #expect(server.seen.first?.target == "/charts?key=1")
        #expect(server.seen.first?.fields["content-type"] == "application/json")
    }

    @Test("where nobody listens there is no connection, and other addresses are not tried")
    func refused() async throws {
        let port = try { try RawServer().port }()
        let post = HTTPPost()
        for url in [
            "http://127.0.0.1:\(port)/", "https://127.0.0.1/", "http://192.0.2.1/", "nonsense",
        ] {
            let sent = Mutex(0)
            let outcome = await post.post(Data(), to: url) { sent.withLock { $0 += 1 } }
            #expect(outcome == PostOutcome(.socketIssue), "\(url)")
            #expect(sent.withLock { $0 } == 1)
        }
    }

    @Test("a connection that the backend has closed meanwhile is opened again")
    func again() async throws {
        let server = try RawServer()
        let post = HTTPPost(time: Self.patience)
        for ending in [RawServer.Reply.Ending.keep, .close, .keep] {
            server.answer { _ in .init("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ending) }
            let outcome = await post.post(Data("{}".utf8), to: server.url) {}
            #expect(outcome == PostOutcome(.success, status: 200))
        }
        #expect(server.seen.count >= 3)
    }

    @Test(
        "after an answer that ends its connection the next notification goes on a new one, once",
        arguments: [RawServer.Reply.Ending.keep, .close])
    func ended(_ ending: RawServer.Reply.Ending) async throws {
        let server = try RawServer()
        let post = HTTPPost(time: Self.patience)
        // With `keep` the server leaves it to the client to close.
        server.answer { _ in
            .init("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", ending)
        }
        for number in 0..<50 {
            let sent = Mutex(0)
            let outcome = await post.post(Data("\(number)".utf8), to: server.url) {
                sent.withLock { $0 += 1 }
            }
            #expect(outcome == PostOutcome(.success, status: 200))
            #expect(sent.withLock { $0 } == 1)
        }
        let bodies = server.seen.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
        #expect(bodies == (0..<50).map { "\($0)" })
        #expect(server.connections == 50)
    }

    @Test("notifications go on the same connection while the backend keeps it")
    func kept() async throws {
        let server = try RawServer()
        let post = HTTPPost(time: Self.patience)
        server.answer { _ in .init(Self.head("200 OK")) }
        for _ in 0..<20 { _ = await post.post(Data("{}".utf8), to: server.url) {} }
        #expect(server.seen.count == 20 && server.connections == 1)
    }
}
