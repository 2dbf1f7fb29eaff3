#if PostgreSQL
import Basics
import SQLLedger
import StoreModel

/// What a person may do with a store, as a role of the database. The administrator grants the role to
/// the person's login.
///
/// A customer's program is an engine: it signs, and writes what it sells. The roles keep people from
/// mistakes and from the operator's entries, not from forging sales.
package enum PostgreSQLRole: String, CaseIterable, Sendable {
    /// Records everything.
    case `operator`
    /// Records what customers do (`CustomerEntries`).
    case customer
    /// Reads everything but the private keys.
    case auditor

    /// Of the role in the database, which its server has once for all databases.
    package func name(of schema: String) -> String { schema + "_" + rawValue }

    /// Throws `invalidName` where a name would be too long: the server would cut it.
    static func check(_ schema: String) throws(StoreError) {
        let most = PostgreSQLLimits.nameMax
        for role in allCases where role.name(of: schema).utf8.count > most {
            throw StoreError(
                .invalidName, subject: "store", found: schema,
                expected: "at most \(most - role.rawValue.utf8.count - 1) bytes")
        }
    }

    /// Statements that give the role its rights on a table, and take others away.
    func grants(on table: String, in schema: String) -> [String] {
        let place = PostgreSQLText.identifier(schema) + "." + PostgreSQLText.identifier(table)
        let role = PostgreSQLText.identifier(name(of: schema))
        let rights = rights(on: table)
        let revoked = "REVOKE ALL ON \(place) FROM \(role)"
        return rights.isEmpty ? [revoked] : [revoked, "GRANT \(rights) ON \(place) TO \(role)"]
    }

    /// On a table that is not the ledger's, such as that of the keys, customers may read.
    private func rights(on table: String) -> String {
        let known = LedgerTable.all.first { $0.name == table }
        let all = "SELECT, INSERT, UPDATE, DELETE"
        switch self {
        case .operator:
            if table == "storefront_ledger" { return "SELECT" }
            return known?.isAppendOnly == true ? "SELECT, INSERT" : all
        case .customer:
            guard let known, known.isChangedByCustomers else { return "SELECT" }
            return known.isAppendOnly ? "SELECT, INSERT" : all
        // The private keys.
        case .auditor: return table == "keys" ? "" : "SELECT"
        }
    }

    // MARK: - The check of entries

    /// Statements that make the database refuse the operator's entries to every role that is neither
    /// the operator nor the owner of the table.
    static func checks(in schema: String) -> [String] {
        let place = PostgreSQLText.identifier(schema)
        return [
            """
            CREATE OR REPLACE FUNCTION \(place).entries_by_role() RETURNS trigger
            LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
            AS \(PostgreSQLText.literal(body(schema)))
            """,
            "DROP TRIGGER IF EXISTS entries_by_role ON \(place).entries",
            """
            CREATE TRIGGER entries_by_role BEFORE INSERT ON \(place).entries
            FOR EACH ROW EXECUTE FUNCTION \(place).entries_by_role()
            """,
        ]
    }

    private static func body(_ schema: String) -> String {
        let plain = CustomerEntries.kinds.filter { kind in
            !CustomerEntries.cases.contains { $0.kind == kind }
        }
        let operators = PostgreSQLText.literal(Self.operator.name(of: schema))
        // Every field of the name counts, should there be two: programs differ in which one they read.
        let some = CustomerEntries.cases.map { part in
            """
            IF NEW.kind = \(part.kind) AND (
              SELECT bool_and(name = ANY (\(array(part.names))))
              FROM json_each(convert_from(NEW.body, 'UTF8')::json) AS field,
                LATERAL json_object_keys(field.value) AS name
              WHERE field.key = \(PostgreSQLText.literal(part.field)))
            THEN RETURN NEW; END IF;
            """
        }
        return """
            BEGIN
            IF NEW.kind IN (\(plain.map(String.init).joined(separator: ", ")))
            THEN RETURN NEW; END IF;
            \(some.joined(separator: "\n"))
            IF pg_has_role(current_user, \(operators), 'MEMBER')
              OR pg_has_role(
                current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
            THEN RETURN NEW; END IF;
            RAISE EXCEPTION 'an entry of kind % is for the store''s operator', NEW.kind
              USING ERRCODE = 'insufficient_privilege';
            END
            """
    }

    private static func array(_ texts: [String]) -> String {
        "ARRAY[\(texts.map { PostgreSQLText.literal($0) }.joined(separator: ", "))]"
    }
}
#endif
