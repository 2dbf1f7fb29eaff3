#if PostgreSQL
import CPostgreSQL
import Foundation
import StoreModel

/// The baseline of events: libpq alone.
final class BareConnection {
    private let connection: OpaquePointer

    init(_ address: String) throws {
        guard let made = PQconnectdb(address), PQstatus(made) == CONNECTION_OK else {
            throw StoreError(.storeUnreachable)
        }
        connection = made
    }

    deinit { PQfinish(connection) }

    func run(_ statement: String) throws {
        let result = PQexec(connection, statement)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else {
            throw StoreError(.storeUnreadable, subject: statement)
        }
    }

    /// Writes a byte when it begins to listen, and one for each notification.
    func listen() throws {
        try run("LISTEN bare")
        let output = FileHandle.standardOutput
        output.write(Data([0]))
        while true {
            var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, -1) > 0, PQconsumeInput(connection) == 1 else {
                throw StoreError(.storeUnreachable)
            }
            while let notification = PQnotifies(connection) {
                PQfreemem(notification)
                output.write(Data([1]))
            }
        }
    }
}
#endif
