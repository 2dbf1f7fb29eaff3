import ContentClient
@testable import ContentServer
import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Servers that send false answers: the device reports the failure, never keeps a wrong file, and
/// gets the right one as soon as the server answers truly.
@Suite(.timeLimit(.minutes(10))) struct LyingServerTests {
    /// One false answer, given only to requests for files.
    struct Lie: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The expected failure; nil if the error is `contentMismatch`.
        var failure: ContentServerFailure?
        var reply: @Sendable (ContentAnswer, Data) -> RawServer.Reply
    }

    static let lies: [Lie] = [
        Lie(testDescription: "redirects to itself", failure: .redirected) { _, _ in
            .init("HTTP/1.1 302 Found\r\nLocation: /charts\r\nContent-Length: 0\r\n\r\n")
        },
        Lie(testDescription: "redirects elsewhere", failure: .redirected) { _, _ in
            .init(
                "HTTP/1.1 307 Go\r\nLocation: http://192.0.2.1/x\r\nContent-Length: 0\r\n\r\n")
        },
        Lie(testDescription: "another range than asked for", failure: .wrongRange) { answer, body in
            .init(answer, body: body, changing: ["Content-Range": "bytes 1-65536/440000"])
        },
        Lie(testDescription: "another total length", failure: .wrongRange) { answer, body in
            .init(
                answer, body: body,
                changing: ["Content-Range": "bytes 0-\(body.count - 1)/99999999"])
        },
        Lie(testDescription: "no range at all", failure: .wrongRange) { answer, body in
            .init(answer, body: body, changing: ["Content-Range": nil])
        },
        Lie(testDescription: "200 for a part", failure: .wrongRange) { answer, body in
            var reply = RawServer.Reply(answer, body: body)
            reply.bytes = Data("HTTP/1.1 200 OK".utf8) + reply.bytes.drop { $0 != 13 }
            return reply
        },
        Lie(testDescription: "twice as much, announced", failure: .tooMuch) { answer, body in
            .init(answer, body: body + body)
        },
        Lie(testDescription: "a length of exabytes", failure: .tooMuch) { answer, body in
            .init(answer, body: body, changing: ["Content-Length": "9000000000000000000"])
        },
        Lie(testDescription: "twice as much, in pieces", failure: .tooMuch) { answer, body in
            var reply = RawServer.Reply(
                answer, body: Data(),
                changing: ["Content-Length": nil, "Transfer-Encoding": "chunked"])
            for _ in 0..<2 {
                reply.bytes += Data("\(String(body.count, radix: 16))\r\n".utf8) + body
                reply.bytes += Data("\r\n".utf8)
            }
            return reply
        },
        Lie(testDescription: "half of what it announced", failure: .wrongLength) { answer, body in
            var reply = RawServer.Reply(answer, body: body)
            reply.bytes.removeLast(body.count / 2)
            reply.ending = .close
            return reply
        },
        Lie(testDescription: "half, and says so", failure: .wrongLength) { answer, body in
            .init(answer, body: body.prefix(body.count / 2))
        },
        Lie(testDescription: "nothing", failure: .wrongLength) { answer, _ in
            .init(answer, body: Data())
        },
        Lie(testDescription: "a closed connection", failure: .connectionLost) { _, _ in
            .init("", .close)
        },
        Lie(testDescription: "half a head", failure: .wrongAnswer) { _, _ in
            .init("HTTP/1.1 206 Par", .close)
        },
        Lie(testDescription: "no HTTP", failure: .wrongAnswer) { _, _ in
            .init("SSH-2.0-OpenSSH_9.2\r\n\r\n", .close)
        },
        Lie(testDescription: "a head without end", failure: .wrongAnswer) { _, _ in
            .init(
                "HTTP/1.1 206 Partial\r\n"
                    + String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 200),
                .close)
        },
        Lie(testDescription: "an error of its own", failure: .serverError) { _, _ in
            .init("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")
        },
        Lie(testDescription: "a status that means nothing", failure: .wrongAnswer) { _, _ in
            .init("HTTP/1.1 299 Fine\r\nContent-Length: 0\r\n\r\n")
        },
        Lie(testDescription: "another tag", failure: nil) { answer, body in
            .init(answer, body: body, changing: ["ETag": "\"0\""])
        },
        Lie(testDescription: "one other byte", failure: nil) { answer, body in
            var body = body
            if !body.isEmpty { body[body.startIndex] ^= 1 }
            return .init(answer, body: body)
        },
        Lie(testDescription: "bytes of another place", failure: nil) { answer, body in
            .init(answer, body: Data(body.reversed()))
        },
    ]

    /// Buys the charts on a device whose server gives false answers first, and then true ones.
    private func expect(
        _ failure: ContentServerFailure?,
        _ reply: @escaping @Sendable (ContentRequest, ContentAnswer, Data) -> RawServer.Reply
    ) async throws {
        let server = try RawServer()
        let shop = try await ServedShop(url: server.url)
        let responder = try shop.responder()
        server.answer { request in
            let honest = await responder.whole(request)
            return reply(request, honest.answer, honest.body)
        }
        let device = try await shop.bought()
        let failed = try await device.untilDownload(.failed, .finished)
        #expect(failed.state == .failed)
        #expect(failed.error?.serverFailure == failure)
        if failure == nil { #expect(failed.error?.code == .contentMismatch) }
        #expect(try await device.contentPath(of: ServedShop.charts, contentID: "atlas") == nil)
        server.answer { request in
            let honest = await responder.whole(request)
            return .init(honest.answer, body: honest.body)
        }
        try await device.resumeDownloads(of: ServedShop.charts)
        let done = try await device.untilDownload(.failed, .finished)
        #expect(done.state == .finished, "\(String(describing: done.error))")
        #expect(try await device.charts() == ServedShop.files)
        await device.close()
    }

    @Test("a server that lies about a file brings no wrong file to a device", arguments: lies)
    func aboutFiles(lie: Lie) async throws {
        try await expect(lie.failure) { request, answer, body in
            request.target.hasSuffix("/manifest")
                ? .init(answer, body: body) : lie.reply(answer, body)
        }
    }

    @Test("a server that says nothing is given up")
    func stalls() async throws {
        // Only the device's patience ends this wait. It limits connecting, too, so it is long.
        let server = try RawServer()
        let shop = try await ServedShop(url: server.url)
        server.answer { _ in .init("HTTP/1.1 200 OK\r\n", .hold) }
        let device = try await shop.bought(HTTPContentServers(patience: .seconds(2)))
        #expect(try await device.untilDownload(.failed).error?.serverFailure == .stalled)
        await device.close()
    }

    @Test("a manifest that was changed, is of another package, or none is refused")
    func aboutTheManifest() async throws {
        for (old, new) in [
            ("\"version\":\"1.0\"", "\"version\":\"9.0\""), ("one.txt", "two.txt"),
            ("\"contentID\":\"atlas\"", "\"contentID\":\"other\""),
        ] {
            try await expect(nil) { request, answer, body in
                guard request.target.hasSuffix("/manifest") else {
                    return .init(answer, body: body)
                }
                let text = String(decoding: body, as: UTF8.self)
                #expect(text.contains(old))
                return .init(
                    answer, body: Data(text.replacingOccurrences(of: old, with: new).utf8))
            }
        }
        try await expect(.wrongAnswer) { request, answer, body in
            request.target.hasSuffix("/manifest")
                ? .init(answer, body: Data("[1]".utf8)) : .init(answer, body: body)
        }
    }

    @Test(
        "lengths that no disk holds are refused",
        arguments: ["9223372036854775807", "9223372036854775000", "-9223372036854775808", "-1"])
    func impossibleLengths(length: String) async throws {
        try await expect(nil) { request, answer, body in
            guard request.target.hasSuffix("/manifest") else { return .init(answer, body: body) }
            let text = String(decoding: body, as: UTF8.self)
            let changed = text.replacing(#/"length":\d+/#) { _ in "\"length\":\(length)" }
            #expect(text != changed)
            return .init(answer, body: Data(changed.utf8))
        }
    }

    @Test("a signed manifest, too, has lengths that a disk can hold")
    func signedLengths() {
        func manifest(_ lengths: Int64...) -> ContentManifest {
            ContentManifest(
                contentID: "atlas", version: "1.0",
                files: lengths.map { .init(path: "\($0)", length: $0, sha256: "") })
        }
        #expect(manifest().hasPossibleLengths && manifest(0, 5, 1 << 49).hasPossibleLengths)
        for wrong in [
            manifest(-1), manifest(.max), manifest(.max, .max), manifest(1 << 49, 1 << 49, 1),
            manifest(.max, .min, 1),
        ] { #expect(!wrong.hasPossibleLengths) }
        #expect(manifest(.max, 1).unpackedLength == .max)
    }

    @Test("a server that is not there, and an address that is not of this machine, are told apart")
    func unreachable() async throws {
        var port = 0
        do { port = try RawServer().port }
        for (url, failure) in [
            ("http://127.0.0.1:\(port)/charts", ContentServerFailure.unreachable),
            ("https://127.0.0.1:\(port)/charts", .addressRefused),
            ("http://192.0.2.1/charts", .addressRefused),
            ("http://localhost.example.com/charts", .addressRefused),
            ("http://127.0.0.1.example.com/charts", .addressRefused),
            ("http://me@127.0.0.1/charts", .addressRefused),
        ] {
            let shop = try await ServedShop(url: url)
            let device = try await shop.bought()
            #expect(try await device.untilDownload(.failed).error?.serverFailure == failure)
            // The charts are sold; the transaction stays unfinished until its content comes.
            #expect(try await shop.store.session().unfinished(allDevices: true).count == 1)
            await device.close()
        }
    }

    @Test("a program that links no client says so, and what was bought stays bought")
    func withoutClient() async throws {
        let shop = try await ServedShop()
        let device = try await shop.bought(nil)
        let failed = try await device.untilDownload(.failed)
        #expect(failed.error?.code == .unsupported && failed.error?.subject == "ownServer")
        await device.close()
    }

    @Test("a server that refuses a refunded purchase is told with its reason [A8]")
    func refused() async throws {
        let server = try RawServer()
        let shop = try await ServedShop(url: server.url)
        let responder = try shop.responder()
        server.answer { request in
            var request = request
            request.fields["device-identifier"] = UUID().uuidString
            let honest = await responder.whole(request)
            return .init(honest.answer, body: honest.body)
        }
        let device = try await shop.bought()
        let failed = try await device.untilDownload(.failed)
        #expect(failed.error?.contentRefusal == .wrongAccount)
        await device.close()
    }

    @Test("a download goes on at the byte where the server was lost")
    func resumes() async throws {
        let server = try RawServer()
        let shop = try await ServedShop(url: server.url)
        let responder = try shop.responder()
        server.answer { request in
            let honest = await responder.whole(request)
            // From the second request for bytes on, the server closes without an answer.
            let isLater = request.fields["range"].map { !$0.hasPrefix("bytes=0-") } ?? false
            return isLater ? .init("", .close) : .init(honest.answer, body: honest.body)
        }
        let device = try await shop.bought()
        let failed = try await device.untilDownload(.failed)
        #expect(failed.bytesReceived == Int64(DeviceLimits.chunkBytesMax))
        let before = server.seen.count
        server.answer { request in
            let honest = await responder.whole(request)
            return .init(honest.answer, body: honest.body)
        }
        try await device.resumeDownloads(of: ServedShop.charts)
        _ = try await device.untilDownload(.finished)
        #expect(try await device.charts() == ServedShop.files)
        let ranges = server.seen.dropFirst(before).filter { $0.target.hasSuffix("/one.txt") }
            .compactMap { $0.fields["range"] }
        #expect(ranges.first?.hasPrefix("bytes=\(failed.bytesReceived)-") == true)
        await device.close()
    }

    @Test("a package that is replaced in the middle of its download begins again")
    func replaced() async throws {
        let server = try RawServer()
        let shop = try await ServedShop(url: server.url)
        let responder = try shop.responder()
        let newText = String(repeating: "New soundings, in metres. ", count: 20_000)
        server.answer { request in
            if request.fields["range"].map({ !$0.hasPrefix("bytes=0-") }) ?? false,
                !FileManager.default.fileExists(atPath: shop.folder.path + "/content/atlas-2")
            {
                try? shop.folder.write(newText, to: "content/atlas-2/one.txt")
                _ = try? await shop.store.engine.sell(
                    ServedShop.catalog(
                        url: server.url, version: "2.0", path: "atlas-2", in: shop.folder),
                    digest: "two")
            }
            // This server reads its catalog again for each request.
            let fresh = try? shop.responder()
            let honest = await (fresh ?? responder).whole(request)
            return .init(honest.answer, body: honest.body)
        }
        let device = try await shop.bought()
        let done = try await device.untilDownload(.finished, .failed)
        #expect(done.state == .finished && done.version == "2.0")
        #expect(try await device.charts() == ["one.txt": newText])
        await device.close()
    }

    @Test("the real server hands a package to a device, and ends when it is cancelled")
    func realServer() async throws {
        try await ServedShop.serving { shop, port in
            let second = try HTTPServer(shop.responder(), port: port)
            await #expect(throws: StoreError(.portTaken, address: "127.0.0.1:\(port)")) {
                try await second.run { _ in }
            }
            let device = try await shop.bought()
            let done = try await device.untilDownload(.finished, .failed)
            #expect(done.state == .finished, "\(String(describing: done.error))")
            #expect(try await device.charts() == ServedShop.files)
            await device.close()
        }
    }

    @Test("a server that cannot listen says why in the system's words, without those of its code")
    func cannotListen() async throws {
        let forbidden = HTTPServer.failure(ofStart: EACCES, at: "127.0.0.1:80")
        #expect(forbidden.serverFailure == .portForbidden)
        #expect(forbidden.cause == "Permission denied")
        #expect(HTTPServer.failure(ofStart: EMFILE, at: "").serverFailure == .startFailed)
        try await ServedShop.serving { shop, _ in
            // TEST-NET-1 (RFC 5737): no machine has it.
            let elsewhere = try HTTPServer(shop.responder(), host: "192.0.2.1", port: 0)
            let cause = "Cannot assign requested address"
            await #expect(
                throws: StoreError(.hostRefused, address: "192.0.2.1:0", cause: cause)
            ) { try await elsewhere.run { _ in } }
        }
    }

    @Test(
        "clients that only connect, or never send or read the rest, keep no other client out",
        .timeLimit(.minutes(5)),
        arguments: ["", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n.", nil])
    func idleClients(_ text: String?) async throws {
        try await ServedShop.serving { shop, port in
            var sent = text ?? ""
            if text == nil { sent = try await Self.request(forFileOf: shop) }
            let text = sent
            let idle = try (0..<200).map { _ in try RawClient(port: port, sending: text) }
            let device = try await shop.bought()
            let done = try await device.untilDownload(.finished, .failed)
            #expect(done.state == .finished, "\(String(describing: done.error))")
            // The one that waited longest makes room.
            while !idle[0].isClosedByServer { await Task.yield() }
            await device.close()
        }
    }

    /// Its answer is longer than the buffers of a `RawClient`, which does not read it.
    private static func request(forFileOf shop: ServedShop) async throws -> String {
        """
        GET /charts/atlas/files/one.txt HTTP/1.1\r
        Host: localhost\r
        Authorization: Bearer \(try await shop.buy().rawValue)\r
        Device-Identifier: \(shop.identifier())\r
        \r

        """
    }
}

/// A connection that sends a text and then nothing.
private final class RawClient {
    private let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    init(port: Int, sending text: String) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var received: Int32 = 4096
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &received, socklen_t(MemoryLayout<Int32>.size))
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, length) == 0
            }
        }
        try #require(isConnected)
        _ = text.withCString { write(socket, $0, strlen($0)) }
    }

    deinit { close(socket) }

    var isClosedByServer: Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(socket, &byte, 1, Int32(MSG_DONTWAIT))
            if count <= 0 { return count == 0 || errno != EAGAIN && errno != EINTR }
        }
    }
}
