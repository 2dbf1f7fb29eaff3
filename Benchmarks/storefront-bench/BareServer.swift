import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// Hummingbird with nothing behind it: it gives one answer to every request.
enum BareServer {
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    /// Answers while `work` runs. The body of a POST is read first.
    static func run(
        answering body: [UInt8], _ work: (_ port: Int) async throws -> Void
    ) async throws {
        let bytes = ByteBuffer(bytes: body)
        let channel = HTTP1Channel(responder: { request, writer, _ in
            if request.method == .post { _ = try await request.body.collect(upTo: 1 << 20) }
            var head = HTTPResponse(status: .ok)
            head.headerFields[.contentType] = "application/json"
            head.headerFields[.contentLength] = String(bytes.readableBytes)
            try await writer.write(response: head, body: ResponseBody(byteBuffer: bytes))
        })
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listening.yield($0.localAddress?.port ?? 0) },
            eventLoopGroup: threads,
            logger: Logger(label: "bench", factory: { _ in SwiftLogNoOpLogHandler() }))
        let running = Task {
            defer { listening.finish() }
            try await server.run()
        }
        defer { running.cancel() }
        for await port in ports { return try await work(port) }
        try await running.value
    }
}
