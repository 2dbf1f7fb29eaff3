import ContentServer
import Foundation
import StoreModel
import Testing

/// The server over a real socket.
@Suite("the store's server over HTTP", .timeLimit(.minutes(5))) struct ServerSocketTests {
    @Test("one connection carries many calls, each told with its method, path and status")
    func keepAlive() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        let answered = try await backend.serving { port in
            let client = try SocketClient(port: port)
            for _ in 0..<3 {
                try await client.send(
                    "GET /inApps/v1/transactions/\(id)?a=b HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                        + "Authorization: Bearer \(token)\r\nAccept: application/json\r\n\r\n")
                let answer = await client.answer()
                #expect(answer.head.hasPrefix("HTTP/1.1 200"))
                // Official clients read an error only if the type is exactly this.
                #expect(answer.head.lowercased().contains("\r\ncontent-type: application/json\r\n"))
                #expect(answer.body.hasPrefix("{\"signedTransactionInfo\":\""))
            }
            try await client.send(
                "PUT /inApps/v1/transactions/\(id)/appAccountToken HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: 2\r\n\r\n{}")
            #expect(await client.answer().body.contains("4000183"))
            // A POST without a body, as Apple's Python library sends it.
            try await client.send(
                "POST /inApps/v1/transactions/\(id)/finish HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: 0\r\n\r\n")
            #expect(await client.answer().head.hasPrefix("HTTP/1.1 200"))
        }
        #expect(answered.map(\.status) == [200, 200, 200, 400, 200])
        #expect(answered.map(\.errorCode) == [nil, nil, nil, 4_000_183, nil])
        #expect(answered.first?.path == "/inApps/v1/transactions/\(id)?a=b")
        #expect(answered.map(\.method) == ["GET", "GET", "GET", "PUT", "POST"])
    }

    @Test("an answer that is cut off on purpose ends in the middle, with its connection")
    func cutOff() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        try await backend.perform(.failNext(.anyEndpoint, error: .cutOffAnswer, count: 1))
        let answered = try await backend.serving { port in
            let request =
                "GET /inApps/v1/transactions/\(id) HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer \(token)\r\n\r\n"
            let client = try SocketClient(port: port)
            try await client.send(request)
            #expect(await client.answer().head.isEmpty, "the server has closed")
            #expect(client.rest.hasPrefix("HTTP/1.1 200"))
            #expect(client.rest.contains("{\"signedTransactionInfo\":\""))
            let other = try SocketClient(port: port)
            try await other.send(request)
            #expect(await other.answer().body.hasSuffix("\"}"))
        }
        #expect(answered.map(\.status) == [200, 200])
    }

    @Test("a body of megabytes is refused, and the server goes on")
    func longBody() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let token = try backend.token().text
        _ = try await backend.serving { port in
            let client = try SocketClient(port: port)
            let body = String(repeating: "a", count: 3 << 20)
            try await client.send(
                "PUT /inApps/v1/transactions/\(id)/appAccountToken HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
            #expect(await client.answer().body.contains("4000000"))
            let other = try SocketClient(port: port)
            try await other.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await other.answer().body.contains("\"status\":\"ok\""))
        }
    }

    @Test("requests that were received before the server is to end are answered")
    func ending() async throws {
        let held = HeldResponder(try await Backend().server)
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let server = try HTTPServer(held, port: 0)
        let serving = Task { try await server.run { listening.yield($0) } }
        var port = 0
        for await found in ports {
            port = found
            break
        }
        let client = try SocketClient(port: port)
        let request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        // The second one arrives with the first, and its turn comes after the server is to end.
        try await client.send(request + request)
        for await _ in held.begun {}
        serving.cancel()
        held.answering.finish()
        for _ in 0..<2 {
            let answer = await client.answer()
            #expect(answer.head.hasPrefix("HTTP/1.1 200"))
            #expect(answer.body.contains("\"status\":\"ok\""))
        }
        #expect(await client.answer().head.isEmpty, "then the server closes")
        try await serving.value
    }

    @Test("it ends while a client keeps its connection open and silent")
    func idleClient() async throws {
        let backend = try await Backend()
        var client: SocketClient?
        _ = try await backend.serving { port in
            client = try SocketClient(port: port)
            try await client?.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await client?.answer().head.hasPrefix("HTTP/1.1 200") == true)
        }
        #expect(await client?.answer().head.isEmpty == true)
    }
}

/// Answers as another responder does, once it may.
private final class HeldResponder: Responder {
    private let responder: any Responder
    /// Ends with the first request.
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let (held, answering) = AsyncStream.makeStream(of: Void.self)

    init(_ responder: any Responder) { self.responder = responder }

    func answer(_ request: ContentRequest) async -> ContentAnswer {
        beginning.finish()
        for await _ in held {}
        return await responder.answer(request)
    }

    func bytes(
        of file: ServedFile, at offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try await responder.bytes(of: file, at: offset, count: count)
    }
}
