import Basics
package import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
package import StoreModel
import Synchronization

/// Answers requests, without sockets.
package protocol Responder: Sendable {
    /// Never throws: what goes wrong has an answer, too.
    func answer(_ request: ContentRequest) async -> ContentAnswer

    /// The bytes of an answer with a file: at most `count`, and at most 1 MiB.
    func bytes(
        of file: ServedFile, at offset: Int64, count: Int
    ) async throws(StoreError) -> Data
}

/// What a server tells of a request that it has answered.
package struct ServedRequest: Sendable {
    package var method: String
    /// With the query, as it was sent.
    package var path: String
    package var status: Int
    /// Of an error of the App Store Server API, its seven digits.
    package var errorCode: Int?
    /// Why its token was refused; nil where that is not the cause of the answer.
    package var tokenRefusal: TokenRefusal?
    /// From the head of the request to the last byte of the answer.
    package var elapsed: Duration
}

/// Brings requests over HTTP/1.1 to a responder. It listens on this machine only, unless `host` is
/// another address.
package struct HTTPServer: Sendable {
    private let responder: any Responder
    private let host: String
    private let port: Int
    /// How long the server waits for a client (`ConnectionGuard`).
    var patience = Duration.seconds(30)
    /// How long the answers that have begun may take once the server is to end.
    private static let endMax = Duration.milliseconds(800)

    /// The most bytes of a request's body that are read.
    package static let bodyBytesMax = 1 << 20
    /// At the same time, in all and of one address.
    static let connectionsMax = (total: 256, perPeer: 64)
    static let pieceBytes = 256 * 1024

    /// - Parameters:
    ///   - host: a numeric address of this machine.
    ///   - port: the port to listen on; 0 for any free port.
    /// - Throws: `contentServerFailed` for a host that is not a numeric address.
    package init(
        _ responder: any Responder, host: String = "127.0.0.1", port: Int
    ) throws(StoreError) {
        guard (try? SocketAddress(ipAddress: host, port: port)) != nil else {
            throw StoreError(.hostRefused, address: host)
        }
        self.responder = responder
        self.host = host
        self.port = port
    }

    /// For clients, once it listens on a port.
    package func address(at port: Int) -> String {
        "http://\(RequestGate.name(ofAddress: host)):\(port)"
    }

    /// Until the task is cancelled; requests that have begun by then are answered, unless that takes
    /// longer than `endMax`. `onListening` is called once, `onAnswer` for every request.
    /// Throws `contentServerFailed` if the server cannot listen.
    package func run(
        onListening: @escaping @Sendable (_ port: Int) async -> Void,
        onAnswer: (@Sendable (ServedRequest) -> Void)? = nil
    ) async throws(StoreError) {
        if let failure = await serve(on: Self.threads, onListening, onAnswer) { throw failure }
    }

    /// The threads of all servers of the process. They start with the first server and are never
    /// shut down: if an object that is released later uses a thread that has ended, SwiftNIO writes
    /// an error to standard error.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    private func serve(
        on threads: MultiThreadedEventLoopGroup,
        _ onListening: @escaping @Sendable (_ port: Int) async -> Void,
        _ onAnswer: (@Sendable (ServedRequest) -> Void)?
    ) async -> StoreError? {
        let limits = ConnectionLimits(
            total: Self.connectionsMax.total, perPeer: Self.connectionsMax.perPeer)
        let patience = TimeAmount(patience)
        let channel = HTTP1Channel(
            responder: { [responder] request, writer, _ in
                let watch = Stopwatch(ContinuousClock())
                let answer = try await Self.respond(to: request, writer, responder)
                onAnswer?(
                    ServedRequest(
                        method: request.method.rawValue, path: request.head.path ?? "",
                        status: answer.status, errorCode: answer.errorCode,
                        tokenRefusal: answer.tokenRefusal, elapsed: watch.elapsed))
                if answer.isCutOff { throw ChannelError.eof }
            },
            configuration: .init(
                additionalChannelHandlers: [ConnectionGuard(limits, patience: patience)]))
        // Errors of clients' connections are not logged: they do not concern this program.
        let logger = Logger(label: "content", factory: { _ in SwiftLogNoOpLogHandler() })
        let isListening = Mutex(false)
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                isListening.withLock { $0 = true }
                await onListening(channel.localAddress?.port ?? port)
            },
            eventLoopGroup: threads, logger: logger)
        do {
            try await Self.runUntilCancelled(server) { isListening.withLock { $0 } }
            return nil
        } catch is CancellationError {
            return nil
        } catch let error as IOError {
            return Self.failure(ofStart: error.errnoCode, at: "\(host):\(port)")
        } catch {
            return StoreError(.startFailed, address: "\(host):\(port)", cause: "\(error)")
        }
    }

    /// The error for a number of errno(3) with which listening failed.
    static func failure(ofStart code: Int32, at address: String) -> StoreError {
        switch code {
        case EADDRINUSE: StoreError(.portTaken, address: address)
        case EACCES, EPERM:
            StoreError(.portForbidden, address: address, cause: systemMessage(code))
        case EADDRNOTAVAIL:
            StoreError(.hostRefused, address: address, cause: systemMessage(code))
        default: StoreError(.startFailed, address: address, cause: systemMessage(code))
        }
    }

    /// Once the task is cancelled, no connection is taken any more, and each one is closed when its
    /// requests are answered. The requests' own tasks are cancelled only after `endMax`.
    /// One that does not listen yet ends at once.
    private static func runUntilCancelled(
        _ server: Server<HTTP1Channel>, isListening: @escaping @Sendable () -> Bool
    ) async throws {
        let running = Task { try await server.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            guard isListening() else { return running.cancel() }
            Task {
                Task { try? await server.shutdownGracefully() }
                try? await Task.sleep(for: Self.endMax)
                running.cancel()
            }
        }
    }

    // MARK: - One request

    @concurrent
    private static func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ responder: any Responder
    ) async throws -> ContentAnswer {
        var fields: [String: String] = [:]
        for field in request.headers {
            let name = field.name.canonicalName
            if fields[name] == nil { fields[name] = field.value }
        }
        // The HTTP library passes HTTP/1.1's first Host field as `authority`.
        let hasSeveralHosts = request.head.authority != nil && fields["host"] != nil
        if let authority = request.head.authority { fields["host"] = authority }
        let isBodyExpected = request.method == .post || request.method == .put
        var body: Data? = Data()
        if isBodyExpected {
            let collected = try? await request.body.collect(upTo: bodyBytesMax)
            body = collected.map { Data($0.readableBytesView) }
        }
        let answer = await responder.answer(
            ContentRequest(
                method: request.method.rawValue, target: request.head.path ?? "", fields: fields,
                body: body, hasSeveralHosts: hasSeveralHosts))
        try await write(answer, isHead: request.method == .head, writer, responder)
        return answer
    }

    @concurrent
    private static func write(
        _ answer: ContentAnswer, isHead: Bool, _ writer: consuming ResponseWriter,
        _ responder: any Responder
    ) async throws {
        var head = HTTPResponse(status: .init(code: answer.status))
        for field in answer.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            head.headerFields[name] = field.value
        }
        if answer.status != 304 { head.headerFields[.contentLength] = String(answer.length) }
        guard !isHead else { return try await writer.writeResponse(head) }
        switch answer.body {
        case .none: try await writer.writeResponse(head)
        case .bytes(let bytes) where answer.isCutOff:
            var writer = try await writer.writeHead(head)
            try await writer.write(ByteBuffer(bytes: bytes.prefix(bytes.count / 2)))
        case .bytes(let bytes):
            try await writer.write(
                response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        case .part(let file, let range):
            var writer = try await writer.writeHead(head)
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = Int(min(Int64(pieceBytes), range.upperBound - offset))
                // Ends the connection if the file is shorter than announced, so that the device
                // does not take the part for the whole.
                let bytes = try await responder.bytes(of: file, at: offset, count: count)
                guard !bytes.isEmpty else { throw ChannelError.eof }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += Int64(bytes.count)
            }
            try await writer.finish(nil)
        }
    }
}
