import ArgumentParser
import Basics
import ContentServer
import DurableFiles
import Foundation
import ShopText
import StoreHost
import StoreModel
import StoreServer

/// The store's own server.
struct Serve: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the store's own server: the App Store Server API.",
        discussion: """
            Answers the App Store Server API over this store, to tokens that a key of operator \
            api-keys has signed, POST /verifyReceipt, everything that content serve hands out, and \
            GET /health. Point your backend at the printed address in place of Apple's. Several \
            may run beside each other and beside shops, on the same store. It listens on this \
            machine alone, prints a line for each request (JSON in a pipe), and runs until it is \
            ended. Documentation/guide/server.md has every call.

            EXAMPLES
              storefront operator api-keys create --out key.p8
              storefront serve
              storefront serve --port 0 --port-file port.txt
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The port; 0 for one that is free.", valueName: "number"))
    var port = 8091
    @Option(
        help: ArgumentHelp(
            "The numeric address to listen on. Another than this machine's own lets everybody on "
                + "the network ask.", valueName: "address"))
    var host = "127.0.0.1"
    @Option(
        help: ArgumentHelp(
            "A file that gets the port once it listens; removed at the end.", valueName: "file"))
    var portFile: String?

    @OptionGroup var given: OperatorOptions

    func validate() throws {
        try ServerRun.check(port: port)
    }

    func run(in store: OpenStore) async throws {
        try store.refuseOrganizer()
        store.makeManifests()
        let responder = try StoreResponder(store: store.host.servedStore, host: host)
        let server = try HTTPServer(responder, host: host, port: port)
        let sending = store.startSender()
        defer { sending.cancel() }
        let isForPeople = !options.json && Output.isTerminal
        let (portFile, isJSON) = (portFile, options.json)
        let requests = RequestLines(
            log: RequestLog(storeFolder: store.host.folder), isForPeople: isForPeople)
        try await ServerRun.untilSignal(server, over: store.host) { port throws(StoreError) in
            let address = server.address(at: port)
            if let portFile {
                try Output.write(Data("\(port)\n".utf8), to: portFile, replaces: true)
            }
            if isForPeople {
                Output.line(.serverListening(address: address))
            } else {
                try? Output.json(["address": address, "port": port] as JSONFields)
            }
        } onAnswer: { answered in
            let time = answered.elapsed / .microseconds(100)
            let request = ServerRequest(
                at: store.now, method: answered.method,
                path: UntrustedText.clean(answered.path), status: answered.status,
                errorCode: answered.errorCode, tokenRefusal: answered.tokenRefusal,
                milliseconds: time.rounded() / 10)
            requests.add(request)
        } atEnd: { error in
            // With --json the error is written as that of any command.
            requests.finish(isForPeople || isJSON ? nil : error)
            if let portFile { unlink(portFile) }
        }
    }
}

/// Writes each answered request to the store's log, and then to standard output. Neither is waited for:
/// a stopped pager or a full pipe must not hold up answers.
private struct RequestLines {
    private enum Line {
        case answered(ServerRequest)
        /// The last one, in JSON.
        case ended(StoreError)
    }

    private let kept: Backlog<ServerRequest>
    private let lines: Backlog<Line>

    /// How long the last line may take, in milliseconds.
    private static let lastLineMax = 2_000

    init(log: RequestLog, isForPeople: Bool) {
        let lines = Backlog<Line>(
            isForPeople: isForPeople, missed: { .requestsNotListed($0) },
            write: { line in
                switch line {
                case .answered(let request): Self.write(request, isForPeople: isForPeople)
                case .ended(let error): try? Output.json(Output.fields(of: error))
                }
            })
        self.lines = lines
        kept = Backlog { requests, dropped in
            for request in requests {
                // A full disk must not end the server: the console then lacks the request.
                try? log.append(request)
                lines.add(.answered(request))
            }
            lines.addDropped(dropped)
        }
    }

    func add(_ request: ServerRequest) { kept.add(request) }

    /// - Parameter error: gets the last line; nil for none.
    func finish(_ error: StoreError?) {
        kept.finish()
        guard let error else { return lines.finish() }
        lines.add(.ended(error))
        lines.finish(within: Self.lastLineMax)
    }

    private static func write(_ request: ServerRequest, isForPeople: Bool) {
        guard !isForPeople else {
            let code = request.errorCode.map { " \($0)" } ?? ""
            let refusal = request.tokenRefusal.map {
                "  " + Output.strings[ServerText.tokenRefused($0)]
            }
            return Output.line(
                "\(request.method) \(request.path) \(request.status)\(code) "
                    + "\(request.milliseconds) ms" + (refusal ?? ""))
        }
        try? Output.json(
            [
                "method": request.method, "path": request.path, "status": request.status,
                "errorCode": request.errorCode, "tokenRefusal": request.tokenRefusal,
                "milliseconds": request.milliseconds,
            ] as JSONFields)
    }
}

extension OpenStore {
    /// Throws `operatorOnly` for an organizer (`--as`), who does not act for the whole store.
    func refuseOrganizer() throws(StoreError) {
        if let actor { throw StoreError(.operatorOnly, found: actor.rawValue) }
    }
}
