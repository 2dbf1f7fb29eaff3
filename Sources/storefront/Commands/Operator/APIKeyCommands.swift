import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreEngine
import StoreHost
import StoreModel
import StoreServer

/// The keys of the App Store Server API.
struct APIKeyCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-keys",
        abstract: "The keys with which a backend signs its calls of the server (serve).",
        discussion: """
            EXAMPLES
              storefront operator api-keys create --out key.p8
              storefront operator api-keys list
              storefront operator api-keys revoke 2X9R4HXF34
            """,
        subcommands: [CreateAPIKey.self, ListAPIKeys.self, RevokeAPIKey.self],
        defaultSubcommand: ListAPIKeys.self)
}

struct CreateAPIKey: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a key, and show its private half, once.",
        discussion: """
            The private half is PKCS #8 in PEM, as the .p8 file of App Store Connect. A token names \
            the key id (kid) and the issuer id (iss), and is valid for 60 minutes at most.

            EXAMPLES
              storefront operator api-keys create --out key.p8
              storefront operator api-keys create --name staging --json
            """)

    @Option(help: ArgumentHelp("A name for people.", valueName: "text"))
    var name = "backend"
    @Option(
        help: ArgumentHelp(
            "A new file for the private half, that only you can read (else it is printed).",
            valueName: "file"))
    var out: String?

    @OptionGroup var given: ActionOptions

    func run(in store: OpenStore) async throws {
        let served = try store.served
        let new = NewAPIKey(name: name, at: store.now)
        if let out { try Self.save(new.privateKey, to: out) }
        let server: ServerSettings
        do throws(StoreError) { server = try await served.change(new.change) } catch {
            // A key that the store does not have is of no use.
            if let out { unlink(out) }
            throw error
        }
        let issuer = server.issuer?.uuidString.lowercased() ?? ""
        // A closed pipe must not end the command before it has revoked the key.
        if out == nil { _ = signal(SIGPIPE, SIG_IGN) }
        do {
            try write(
                json: [
                    "keyId": new.id, "issuerId": issuer,
                    "bundleId": store.host.engine.identity.bundleID,
                    "name": name, "privateKey": out == nil ? new.privateKey : nil, "file": out,
                ] as JSONFields
            ) {
                Output.line(.apiKeyMade(id: new.id, issuer: issuer, file: out))
                if out == nil { Output.line(String(new.privateKey.dropLast())) }
            }
        } catch is OutputLost {}
        guard Output.isLost else { return }
        if out == nil { await Self.revokeUnseen(new.id, served) }
        throw OutputLost()
    }

    /// Revokes a key whose private half nobody has.
    private static func revokeUnseen(_ id: String, _ served: some ServedStore) async {
        do throws(StoreError) {
            _ = try await served.change(.revoke(id))
            Output.error(.unseenKeyRevoked(id: id))
        } catch {
            Output.report(error, json: false)
            Output.error(.unseenKeyStays(id: id))
        }
    }

    private static func save(_ text: String, to path: String) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw code == EEXIST
                ? StoreError(.fileExists, subject: path)
                : StoreError(.fileUnwritable, subject: path, cause: systemMessage(code))
        }
        defer { close(descriptor) }
        let failure = Array(text.utf8).withUnsafeBytes { writeAll($0, to: descriptor) }
        guard let failure else { return }
        unlink(path)
        throw StoreError(.fileUnwritable, subject: path, cause: systemMessage(failure))
    }
}

struct ListAPIKeys: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys of the API, oldest first.")

    @OptionGroup var given: OperatorOptions

    func items(in store: OpenStore) async throws -> [APIKey] {
        try await store.served.server().settings.keys
    }

    func none(in _: OpenStore) -> String? { Output.strings[.noAPIKeys] }

    func columns(of _: [APIKey], in _: OpenStore) -> [Column<APIKey>] {
        let strings = Output.strings
        return [
            Column(.columnIdentifier) { $0.id },
            Column(.columnTitle, mayBeCut: true) { UntrustedText.clean($0.name) },
            Column(.columnDate) { strings.date($0.createdAt) },
            Column(.columnState) { strings[.apiKeyState(isRevoked: $0.revokedAt != nil)] },
        ]
    }

    func line(_ key: APIKey) -> any Encodable {
        [
            "keyId": key.id, "name": key.name, "publicKey": key.publicKey,
            "createdAt": key.createdAt, "revokedAt": key.revokedAt,
        ] as JSONFields
    }
}

struct RevokeAPIKey: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a key: its tokens are refused from now on.")

    @Argument(help: ArgumentHelp("The key's id.", valueName: "key")) var key: String

    @OptionGroup var given: ActionOptions

    func run(in store: OpenStore) async throws {
        let server = try await store.served.change(.revoke(key))
        let revoked = server.keys.first { $0.id == key }
        try write(json: ["keyId": key, "revokedAt": revoked?.revokedAt] as JSONFields) {
            Output.line(.apiKeyRevoked(id: key))
        }
    }
}
