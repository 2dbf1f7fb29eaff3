#if PostgreSQL
import CPostgreSQL
import StoreModel

/// The failure of a statement: an error of the server, or a lost connection.
struct PostgreSQLFailure: Error {
    /// Nil where the connection was lost or the server is silent: what it was doing is not known.
    var state: String?
    /// The first line of libpq's or the server's words: never a statement, a value or a password.
    var message: String

    var isLost: Bool { state == nil }

    static func lost(_ message: String) -> Self { Self(state: nil, message: message) }

    /// For the reason that libpq tells of a connection, without the password.
    static func lost(_ connection: OpaquePointer, _ address: PostgreSQLAddress) -> Self {
        let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let first = text.split(separator: "\n").first.map(String.init) ?? "no connection"
        return .lost(address.withoutPassword(first))
    }

    /// A server that let a bound of `PostgreSQLLimits` pass.
    static let noAnswer = Self.lost("no answer")

    /// An SQLSTATE's meaning for a store, by its class, or by itself (PostgreSQL's appendix A).
    fileprivate var code: StoreError.Code {
        guard let state else { return .storeUnreachable }
        switch state {
        // The server is shutting down or starting, or has no connection left.
        case "57P01", "57P02", "57P03", "57P05", "53300": return .storeUnreachable
        case "53100": return .storeFull
        // A lock, or a statement, took longer than its bound.
        case "55P03", "57014", "25P03": return .storeBusy
        // A standby, or a role without the right.
        case "25006", "42501": return .storeReadOnly
        // The tables or their schema are gone.
        case "42P01", "3F000": return .storeReplaced
        default:
            switch state.prefix(2) {
            case "08": return .storeUnreachable
            case "40": return .storeBusy
            default: return .storeUnreadable
            }
        }
    }
}

/// A commit whose answer did not arrive, or says that only this server has it.
struct PostgreSQLUnknownCommit: Error {
    let cause: String
}

extension StoreError {
    /// The store's error for a failure of PostgreSQL or libpq. A `StoreError` stays as it is.
    init(postgreSQL error: any Error, place: String) {
        switch error {
        case let known as StoreError:
            self = known
            if subject == nil, code == .storeUnreadable || code == .storeReplaced {
                subject = place
            }
        case let unknown as PostgreSQLUnknownCommit:
            self.init(.outcomeUnknown, subject: place, cause: unknown.cause)
        case let failure as PostgreSQLFailure:
            self.init(failure.code, subject: place, cause: failure.message)
        default:
            self.init(.storeUnreadable, subject: place, cause: String(describing: error))
        }
    }
}
#endif
