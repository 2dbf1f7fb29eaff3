import BenchTable
import ContentClient
import ContentServer
import Crypto
import Foundation
import StoreEngine
import StoreModel
import StoreServer
import StoreSigning

/// The store's own server beside Hummingbird and the HTTP client with nothing behind them, and beside
/// itself: with a long history, and after many requests.
enum ServerBench {
    static func run(_ table: inout Table) async throws {
        try await transactionInfo(&table)
        try await notifications(&table)
        try await memory(&table)
        try await history(&table)
    }

    // MARK: - Transaction info

    private static func transactionInfo(_ table: inout Table) async throws {
        let store = try await BenchStore("server")
        let target = try await sold(in: store)
        let token = try await token(for: store)
        var rates: [(connections: Int, own: Double, bare: Double)] = []
        try await serving(store) { port in
            let own = try ServerLoad(port: port, target: target, token: token)
            try await BareServer.run(answering: own.body) { port in
                let bare = try ServerLoad(port: port, target: target, token: token)
                for connections in [1, 16] {
                    let requests = 3_200
                    let (ours, theirs) = try await Measure.inTurn(rounds: 15) {
                        try await own.ask(requests, on: connections)
                    } _: {
                        try await bare.ask(requests, on: connections)
                    }
                    let count = Double(requests)
                    rates.append((connections, count / ours, count / theirs))
                }
            }
        }
        for rate in rates {
            let connections =
                rate.connections == 1 ? "one connection" : "\(rate.connections) connections"
            table.add(
                "transaction info on \(connections), of bare Hummingbird", rate.own, rate.bare,
                unit: "/s", ratio: rate.own / rate.bare, goal: .atLeast(0.5))
        }
    }

    /// Sells something, and returns where the server tells of it.
    private static func sold(in store: BenchStore) async throws -> String {
        let outcome = try await store.session().purchase(BenchStore.payment())
        guard case .purchased(_, let id, _) = outcome else { throw StoreError(.unknown) }
        return "/inApps/v1/transactions/\(id)"
    }

    /// A backend's token, of a new key.
    private static func token(for store: BenchStore) async throws -> String {
        let key = NewAPIKey(name: "bench", at: Timestamp(Date()))
        let settings = try await store.engine.servedStore.change(key.change)
        let issuer = settings.issuer?.uuidString.lowercased() ?? ""
        let now = Int(Date().timeIntervalSince1970)
        let header = #"{"alg":"ES256","kid":"\#(key.id)","typ":"JWT"}"#
        let claims =
            #"{"aud":"appstoreconnect-v1","bid":"\#(store.engine.servedStore.identity.bundleID)","#
            + #""exp":\#(now + 3_600),"iat":\#(now),"iss":"\#(issuer)"}"#
        let signed = encoded(header.utf8) + "." + encoded(claims.utf8)
        let signature = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey)
            .signature(for: Data(signed.utf8)).rawRepresentation
        return signed + "." + encoded(signature)
    }

    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        Base64URL.encode(Array(bytes).span)
    }

    /// Answers as the program does, while `work` runs.
    private static func serving(
        _ store: BenchStore, _ work: (_ port: Int) async throws -> Void
    ) async throws {
        let server = try server(of: store)
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let running = Task {
            defer { listening.finish() }
            try await server.run { listening.yield($0) }
        }
        defer { running.cancel() }
        for await port in ports { return try await work(port) }
        try await running.value
    }

    private static func server(of store: BenchStore) throws -> HTTPServer {
        try HTTPServer(
            try StoreResponder(store: store.engine.servedStore, host: "127.0.0.1"), port: 0)
    }

    // MARK: - Notifications

    private static let notificationsCount = 1_000

    private static func notifications(_ table: inout Table) async throws {
        let store = try await BenchStore("notifications")
        let outbox = store.engine.outboxStore
        var sent: [Double] = []
        var posted: [Double] = []
        try await BareServer.run(answering: []) { port in
            let url = "http://127.0.0.1:\(port)/"
            _ = try await outbox.change(.send(to: url, host: "bench"))
            let sender = Sender(store: outbox, poster: HTTPPost(), host: "bench")
            let client = HTTPPost()
            for round in 0...5 {
                let count = notificationsCount
                try await OthersSales.append(count, to: store.ledger, from: round * count)
                _ = try await outbox.deriveNotifications()
                let due = OutboxQuery(.due(through: outbox.now), limit: count)
                let items = try await outbox.outbox(due).items
                let sending = try await Measure.seconds { try await sender.sendDue() }
                let bodies = try items.map { item in
                    let text = try outbox.signed(item.notification).rawValue
                    return Data(#"{"signedPayload":"\#(text)"}"#.utf8)
                }
                let posting = await Measure.seconds { await post(bodies, by: client, to: url) }
                guard round > 0 else { continue }
                sent.append(sending)
                posted.append(posting)
            }
        }
        let (sending, posting) = (Measure.median(sent) * 1000, Measure.median(posted) * 1000)
        table.add(
            "\(notificationsCount) notifications sent and recorded, beside the HTTP client",
            sending,
            posting, unit: "ms", ratio: sending / posting, goal: .atMost(2))
    }

    /// As many at a time as a sender has under way.
    private static func post(
        _ bodies: [Data], by client: HTTPPost, to url: String
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, body) in bodies.enumerated() {
                if index >= Sender.atOnce { _ = await group.next() }
                group.addTask { _ = await client.post(body, to: url) {} }
            }
        }
    }

    // MARK: - Memory

    /// The other process: it serves a store that exists, and prints its port.
    static func serve(_ folder: String) async throws {
        let store = try await BenchStore.opened(folder)
        let server = try server(of: store)
        try await server.run { port in
            FileHandle.standardOutput.write(Data("\(port)\n".utf8))
        }
    }

    private static func memory(_ table: inout Table) async throws {
        let store = try await BenchStore("memory")
        let target = try await sold(in: store)
        let token = try await token(for: store)
        let server = try OtherProcess(["--serve", store.folder])
        defer { server.end() }
        guard let port = Int(try server.line()) else { throw StoreError(.unknown) }
        let load = try ServerLoad(port: port, target: target, token: token)
        try await load.ask(10_000, on: 16)
        let early = try server.resident() / 1_000_000
        try await load.ask(90_000, on: 16)
        let late = try server.resident() / 1_000_000
        table.add(
            "a server's memory after 100000 requests, beside 10000", late, early, unit: "MB",
            ratio: late / early, goal: .atMost(1.1))
    }

    // MARK: - History

    private static func history(_ table: inout Table) async throws {
        let few = try await filled("history-thousand", 1_000)
        let many = try await filled("history-million", 1_000_000)
        let tokens = (few: try await token(for: few), many: try await token(for: many))
        var times: [(what: String, few: Double, many: Double)] = []
        try await serving(few) { fewPort in
            try await serving(many) { manyPort in
                for (what, page) in [("the newest page", 0), ("the tenth page", 9)] {
                    let small = try load(of: page, port: fewPort, token: tokens.few)
                    let large = try load(of: page, port: manyPort, token: tokens.many)
                    let (short, long) = try await Measure.inTurn(rounds: 15) {
                        try await small.ask(200, on: 1)
                    } _: {
                        try await large.ask(200, on: 1)
                    }
                    times.append((what, short * 5, long * 5))
                }
            }
        }
        for time in times {
            table.add(
                "\(time.what) of a million transactions, not a thousand", time.many, time.few,
                unit: "ms", ratio: time.many / time.few, goal: .atMost(1.2))
        }
    }

    private struct Page: Decodable { var revision: String }

    /// Asks for a page of the history from its newest transaction on.
    ///
    /// - Parameter page: how many others come before it.
    private static func load(of page: Int, port: Int, token: String) throws -> ServerLoad {
        let target = "/inApps/v2/history/\(StoreLimits.firstTransactionNumber)?sort=DESCENDING"
        var load = try ServerLoad(port: port, target: target, token: token)
        for _ in 0..<page {
            let revision = try JSONDecoder().decode(Page.self, from: Data(load.body)).revision
            load = try ServerLoad(
                port: port, target: target + "&revision=\(revision)", token: token)
        }
        return load
    }

    /// A store in which one account has bought this often.
    private static func filled(_ name: String, _ sales: Int) async throws -> BenchStore {
        let store = try await BenchStore(name)
        try await OthersSales.append(sales, to: store.ledger, account: "collector")
        return store
    }
}
