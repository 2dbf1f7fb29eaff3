import Basics
import Foundation
import StoreEngine
import StoreModel

/// Encodes entries as rows of `entries`: columns that queries select by, and one JSON text for the
/// rest of the fact.
enum EntryCoding {
    /// The columns that `decode` reads, in its order.
    static let columns = """
        position, account, device, number, is_new_number, recorded_at, effective_at, kind, body
        """
    /// Every column, in the order of an INSERT: also the transaction counter after the entry.
    static let allColumns = columns + ", next_number"
    static let insertion =
        "INSERT INTO entries (\(allColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// The numbers of the facts in the column `kind`. Never renumber one: later versions must read
    /// the bodies of all kinds. A fact whose body changes its form gets a new number.
    enum Kind: Int, CaseIterable {
        case storeOpened = 1
        case catalogRevised = 2
        case accountChanged = 3
        case failed = 5
        case finished = 7
        case claimed = 8
        case faultSet = 9
        case faultSpent = 10
        case faultsCleared = 11
        case sold = 12
        case revised = 13
        case autoRenewChanged = 14
        case clockSet = 15
        case renewalsSet = 16
        case deferred = 17
        case refundRequested = 18
        case refundDeclined = 19
        case promoted = 20
        case purchaseCancelled = 21
        case familyChanged = 22
        case subscriptionChanged = 30
        case extensionAsked = 31
        case valueChanged = 32
        case serverSet = 33
        /// A `revised` that older programs cannot decode.
        case tokenSet = 34
        case consumptionAnswered = 35
        case extensionDone = 36
        case outbox = 37
        /// A `familyChanged` that older programs cannot decode.
        case consentRescinded = 38
        case moved = 39

        /// Whether an engine records it for a customer (`CustomerEntries`).
        var isOfCustomer: Bool {
            switch self {
            case .accountChanged, .failed, .finished, .claimed, .faultSpent, .sold, .revised,
                .autoRenewChanged, .deferred, .refundRequested, .purchaseCancelled, .familyChanged,
                .subscriptionChanged, .valueChanged, .consentRescinded:
                true
            case .storeOpened, .catalogRevised, .faultSet, .faultsCleared, .clockSet, .renewalsSet,
                .refundDeclined, .promoted, .extensionAsked, .extensionDone, .serverSet, .tokenSet,
                .consumptionAnswered, .outbox, .moved:
                false
            }
        }
    }

    /// The highest kind that this program knows. Entries of a higher kind were written by a newer
    /// program, or are damaged.
    static let lastKnownKind = 39

    /// Kinds of entries that make no events (`RecordedEntry.changes`).
    static let silentKinds = [
        Kind.storeOpened.rawValue, Kind.extensionAsked.rawValue, Kind.outbox.rawValue,
        Kind.moved.rawValue,
    ]

    private struct Waiting: Codable {
        var payment: Payment
        var reason: RequestReason
    }

    private struct Failure: Codable {
        var payment: Payment
        var error: StoreError
    }

    private static let decoder = JSONDecoder()

    /// Where the store goes on, by the body of its last entry if that is `moved`.
    static func goesOnAt(_ body: Data) throws -> String? {
        try decoder.decode(StoreMove.self, from: body).closedFor
    }

    /// The columns `kind` and `body` of a fact.
    typealias Coded = (kind: Int, body: [UInt8])

    static func encode(_ fact: Entry.Fact) throws -> Coded {
        func coded(_ kind: Kind, _ value: some Encodable) throws -> Coded {
            (kind.rawValue, try JSONWriter.bytes(of: value))
        }
        return switch fact {
        case .storeOpened(let identity): try coded(.storeOpened, identity)
        case .catalogRevised(let revision): try coded(.catalogRevised, revision)
        case .accountChanged(let settings): try coded(.accountChanged, settings)
        case .deferred(let payment, let reason):
            try coded(.deferred, Waiting(payment: payment, reason: reason))
        case .refundRequested(let request): try coded(.refundRequested, request)
        case .refundDeclined(let request): try coded(.refundDeclined, request)
        case .promoted(let product): try coded(.promoted, product)
        case .purchaseCancelled(let product): try coded(.purchaseCancelled, product)
        case .familyChanged(let change):
            try coded(
                change.eventKind == .familyChanged ? .familyChanged : .consentRescinded, change)
        case .valueChanged(let change): try coded(.valueChanged, change)
        case .failed(let payment, let error):
            try coded(.failed, Failure(payment: payment, error: error))
        case .sold(let sale): try coded(.sold, sale)
        case .finished: (Kind.finished.rawValue, [])
        case .claimed(let device): try coded(.claimed, device)
        case .faultSet(let fault): try coded(.faultSet, fault)
        case .faultSpent(let fault): try coded(.faultSpent, fault)
        case .faultsCleared(let faults): try coded(.faultsCleared, faults)
        case .revised(let revision):
            try coded(revision.change == .tokenSet ? .tokenSet : .revised, revision)
        case .autoRenewChanged(let change): try coded(.autoRenewChanged, change)
        case .subscriptionChanged(let change): try coded(.subscriptionChanged, change)
        case .clockSet(let state): try coded(.clockSet, state)
        case .renewalsSet(let settings): try coded(.renewalsSet, settings)
        case .extensionAsked(let request): try coded(.extensionAsked, request)
        case .extensionDone(let outcome): try coded(.extensionDone, outcome)
        case .consumptionAnswered(let answer): try coded(.consumptionAnswered, answer)
        case .serverSet(let settings): try coded(.serverSet, settings)
        case .outbox(let fact): try coded(.outbox, fact)
        case .moved(let move): try coded(.moved, move)
        case .unknown(let kind, let body): (kind, Array(body))
        }
    }

    /// The column `account` of a stream's entries.
    static func column(_ stream: StreamID) -> String {
        switch stream {
        case .account(let name): name.rawValue
        case .store: ""
        case .outbox: outboxColumn
        }
    }

    /// No account has a name with a control character.
    private static let outboxColumn = "\u{1}outbox"

    /// Decodes a row of `columns`. A kind this program does not know becomes `.unknown`; a body of
    /// a known kind that cannot be read throws.
    static func decode(_ row: any SQLRow) throws -> RecordedEntry {
        let account = row.text(1)
        let number = try row.integerIfAny(3).map { TransactionID(try count($0)) }
        return RecordedEntry(
            position: try count(row.integer(0)), recordedAt: try time(row.integer(5)),
            number: number,
            entry: Entry(
                account: account.isEmpty || account == outboxColumn ? nil : AccountName(account),
                device: row.textIfAny(2).map { DeviceName($0) },
                effectiveAt: try time(row.integer(6)),
                number: row.flag(4) ? .next : number.map { .existing($0) } ?? .none,
                fact: try fact(kind: Int(row.integer(7)), body: row.data(8))))
    }

    /// The time of an entry. The store records none outside 2000 to 2100: such a number is damage.
    static func time(_ milliseconds: Int64) throws -> Timestamp {
        let time = Timestamp(milliseconds: milliseconds)
        guard Timestamp.recordable.contains(time) else {
            throw StoreError(.storeUnreadable, found: "an entry's time \(milliseconds)")
        }
        return time
    }

    /// The position of an entry, or a transaction's number: the store never counts beyond 2^53.
    static func count(_ number: Int64) throws -> Int64 {
        guard (0...(1 << 53)).contains(number) else {
            throw StoreError(.storeUnreadable, found: "an entry's number \(number)")
        }
        return number
    }

    private static func fact(kind: Int, body: Data) throws -> Entry.Fact {
        func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try decoder.decode(type, from: body)
        }
        switch Kind(rawValue: kind) {
        case .storeOpened: return .storeOpened(identity: try decoded())
        case .catalogRevised: return .catalogRevised(try decoded())
        case .accountChanged: return .accountChanged(try decoded())
        case .deferred:
            let waiting = try decoded(Waiting.self)
            return .deferred(waiting.payment, waiting.reason)
        case .refundRequested: return .refundRequested(try decoded())
        case .refundDeclined: return .refundDeclined(try decoded())
        case .promoted: return .promoted(try decoded())
        case .purchaseCancelled: return .purchaseCancelled(try decoded())
        case .familyChanged, .consentRescinded: return .familyChanged(try decoded())
        case .valueChanged: return .valueChanged(try decoded())
        case .failed:
            let failure = try decoded(Failure.self)
            return .failed(failure.payment, failure.error)
        case .sold: return .sold(try decoded())
        case .revised, .tokenSet: return .revised(try decoded())
        case .autoRenewChanged: return .autoRenewChanged(try decoded())
        case .subscriptionChanged: return .subscriptionChanged(try decoded())
        case .clockSet: return .clockSet(try decoded())
        case .renewalsSet: return .renewalsSet(try decoded())
        case .extensionAsked: return .extensionAsked(try decoded())
        case .extensionDone: return .extensionDone(try decoded())
        case .consumptionAnswered: return .consumptionAnswered(try decoded())
        case .serverSet: return .serverSet(try decoded())
        case .outbox: return .outbox(try decoded())
        case .moved: return .moved(try decoded())
        case .finished: return .finished
        case .claimed: return .claimed(by: try decoded())
        case .faultSet: return .faultSet(try decoded())
        case .faultSpent: return .faultSpent(try decoded())
        case .faultsCleared: return .faultsCleared(try decoded())
        case nil: return .unknown(kind: kind, body: body)
        }
    }
}
