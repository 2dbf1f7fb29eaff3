#if PostgreSQL
import CPostgreSQL
import Glibc

/// Begins connections. An address may name several servers.
///
/// libpq tries the next server where one refuses, or is not what `target_session_attrs` asks for. It
/// waits for ever for one that is silent, such as a machine that is off: that one is left out, and the
/// others are tried.
enum PostgreSQLBeginning {
    /// - Throws: a lost `PostgreSQLFailure` if no server can be reached, or all refuse.
    static func connection(to address: PostgreSQLAddress) throws -> OpaquePointer {
        var servers: PostgreSQLServers?
        while true {
            let connection = try start(address, at: servers)
            do {
                if try finish(connection, address) { return connection }
            } catch {
                PQfinish(connection)
                throw error
            }
            let others = PostgreSQLServers(of: connection).withoutCurrent(of: connection)
            PQfinish(connection)
            guard let others else { throw PostgreSQLFailure.noAnswer }
            servers = others
        }
    }

    private static func start(
        _ address: PostgreSQLAddress, at servers: PostgreSQLServers?
    ) throws -> OpaquePointer {
        // The address in `dbname` replaces the options before it, which are defaults.
        let options =
            [
                ("fallback_application_name", "storefront"), ("keepalives_idle", "30"),
                ("tcp_user_timeout", String(address.silence)), ("dbname", address.text),
                ("client_encoding", "UTF8"),
            ] + (servers?.options ?? [])
        let started = CStrings.with(options.map(\.0)) { keywords in
            CStrings.with(options.map(\.1)) { values in PQconnectStartParams(keywords, values, 1) }
        }
        guard let started else { throw PostgreSQLFailure.lost("no memory for a connection") }
        // libpq would write what a server remarks to standard error.
        PQsetNoticeReceiver(started, { _, _ in }, nil)
        return started
    }

    /// - Returns: false for a server that is silent.
    private static func finish(
        _ connection: OpaquePointer, _ address: PostgreSQLAddress
    ) throws -> Bool {
        let limit = PostgreSQLServers.connectWait(of: connection)
        var next = PGRES_POLLING_WRITING
        while next != PGRES_POLLING_OK {
            guard next != PGRES_POLLING_FAILED, PQstatus(connection) != CONNECTION_BAD else {
                throw PostgreSQLFailure.lost(connection, address)
            }
            let events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard isReady(connection, for: Int16(events), within: limit) else { return false }
            next = PQconnectPoll(connection)
        }
        return true
    }

    /// Waits for a connection's socket, as often as a signal interrupts that.
    static func isReady(
        _ connection: OpaquePointer, for events: Int16, within milliseconds: Int32
    ) -> Bool {
        var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
        var count: Int32
        repeat { count = poll(&descriptor, 1, milliseconds) } while count < 0 && errno == EINTR
        return count > 0
    }
}

/// The servers that a connection may be to: libpq's lists of hosts and ports, one element for each.
private struct PostgreSQLServers {
    /// `host`, `hostaddr` and `port`. A list that the address does not give is empty; a single port is
    /// that of all.
    private var lists: [String: [String]] = [:]
    private static let keywords = ["host", "hostaddr", "port"]

    init(of connection: OpaquePointer) {
        for keyword in Self.keywords {
            guard let value = Self.option(keyword, of: connection), !value.isEmpty else { continue }
            lists[keyword] = value.split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    /// Those but the one that the connection has tried last; nil if there is no other.
    func withoutCurrent(of connection: OpaquePointer) -> Self? {
        let count = max(list("host").count, list("hostaddr").count)
        let current = (
            host: PQhost(connection).map { String(cString: $0) } ?? "",
            port: PQport(connection).map { String(cString: $0) } ?? ""
        )
        let index = (0..<count).first { index in
            let ports = list("port")
            let port = ports.count == 1 ? ports[0] : ports[index, or: ""]
            let host = list("host")[index, or: ""]
            return (host.isEmpty ? list("hostaddr")[index, or: ""] : host) == current.host
                && (port.isEmpty || port == current.port)
        }
        guard count > 1, let index else { return nil }
        var others = self
        for keyword in Self.keywords where list(keyword).count == count {
            others.lists[keyword]?.remove(at: index)
        }
        return others
    }

    /// For libpq.
    var options: [(String, String)] {
        Self.keywords.map { ($0, list($0).joined(separator: ",")) }
    }

    private func list(_ keyword: String) -> [String] { lists[keyword] ?? [] }

    /// For each step of a connection's beginning, in milliseconds: `connect_timeout`, which libpq
    /// leaves to the caller, or else `PostgreSQLLimits.connectWait`.
    static func connectWait(of connection: OpaquePointer) -> Int32 {
        guard let text = option("connect_timeout", of: connection), let seconds = Int32(text),
            (1...PostgreSQLLimits.connectSecondsMax).contains(seconds)
        else { return PostgreSQLLimits.connectWait }
        return seconds * 1_000
    }

    /// An option as the address and libpq's own rules give it.
    private static func option(_ keyword: String, of connection: OpaquePointer) -> String? {
        let all = PQconninfo(connection)
        defer { PQconninfoFree(all) }
        guard var option = all else { return nil }
        while let name = option.pointee.keyword {
            if String(cString: name) == keyword {
                return option.pointee.val.map { String(cString: $0) }
            }
            option += 1
        }
        return nil
    }
}

extension [String] {
    fileprivate subscript(index: Int, or missing: String) -> String {
        indices.contains(index) ? self[index] : missing
    }
}

/// Arrays of texts for C, with a null pointer at the end.
private enum CStrings {
    static func with<Value>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
#endif
