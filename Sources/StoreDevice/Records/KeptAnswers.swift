import Basics
import Crypto
import DurableFiles
import Foundation
import StoreModel

/// An answer that the store gave last, and the store's time as of which it holds. Signed texts in
/// it are verified again before use.
struct Kept<Answer: Codable & Sendable>: Codable, Sendable {
    var answer: Answer
    var asOf: Timestamp
}

/// Identifies the answer that `KeptAnswer.products` holds, without its products.
struct KeptCatalog: Codable, Hashable, Sendable {
    var revision: Int64
    var count: Int
    /// The first product, because its texts and price differ with the language and the account's
    /// territory.
    var first: Product?
    /// The parts of the answer that change with the account's purchases: the issues that the
    /// account may read, and the plans for whose introductory offer it is eligible.
    var ofAccount: [String]
    var asOf: Timestamp

    init(_ response: ProductsResponse, asOf: Timestamp) {
        revision = response.catalogRevision
        count = response.products.count
        first = response.products.first
        ofAccount = response.products.flatMap { product in
            let issues = (product.issues ?? []).filter(\.isOwned).map { "\(product.id) \($0.id)" }
            let isEligible = product.subscription?.isEligibleForIntroOffer == true
            return issues + (isEligible ? [product.id.rawValue] : [])
        }
        self.asOf = asOf
    }

    func isSame(as other: KeptCatalog) -> Bool {
        revision == other.revision && count == other.count && first == other.first
            && ofAccount == other.ofAccount
    }
}

/// The store's answers that a device keeps for use without a network.
///
/// Each is a row of `meta` that starts with a seal: an HMAC-SHA256 of its name and value with the
/// device's own key (`BalanceSeal`). A row that was edited, or that comes from another device or
/// account, is not used. Entitlements do not depend on the seal: signed transactions prove them.
enum KeptAnswer: String {
    /// `KeptClock`: the device's last contact with the store.
    case contact
    /// `Kept` entitlements and settings, `KeptCatalog`, and the products alone.
    case entitlements, settings, catalog, products
    /// `history`: the newest events of the account, newest first.
    case family, subscriptions, requests, unfinished, history
    /// `Kept` list of products of the app's own backend.
    case backendList
}

extension DeviceRecords {
    /// Replaces the earlier answer.
    func keep(_ answer: KeptAnswer, _ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let body = try encoder.encode(value)
        let row = try seal(of: Self.sealed(answer, body)) + body
        try db.execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", .text(Self.name(of: answer)),
            .blob(row))
    }

    /// Nil if there is none.
    ///
    /// - Throws: `recordAltered` if the seal does not fit.
    func kept<Value: Decodable>(_ answer: KeptAnswer, as type: Value.Type) throws -> Value? {
        let row = try db.fetchOne(
            "SELECT value FROM meta WHERE name = ?", .text(Self.name(of: answer))
        ) { $0.data(0) }
        guard let row else { return nil }
        let body = Data(row.dropFirst(SHA256.byteCount))
        guard row.count > SHA256.byteCount,
            Self.isSeal(
                row.prefix(SHA256.byteCount), of: Self.sealed(answer, body),
                key: try sealKeyIfAny()),
            let value = try? JSONDecoder().decode(Value.self, from: body)
        else { throw StoreError(.recordAltered, subject: answer.rawValue) }
        return value
    }

    static func name(of answer: KeptAnswer) -> String { "kept:" + answer.rawValue }

    private static func sealed(_ answer: KeptAnswer, _ body: Data) -> Data {
        Data((name(of: answer) + "\u{0}").utf8) + body
    }

    // MARK: - Finishes to be sent

    /// Finished by a person while the device had no network.
    func queuedFinishes() throws -> [TransactionID] {
        try value("finishes", as: [TransactionID].self) ?? []
    }

    func queueFinish(_ id: TransactionID) throws {
        let queued = try queuedFinishes()
        if !queued.contains(id) { try set("finishes", queued + [id]) }
    }

    func dequeueFinish(_ id: TransactionID) throws {
        let queued = try queuedFinishes()
        if queued.contains(id) { try set("finishes", queued.filter { $0 != id }) }
    }
}
