import Crypto
import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("signing keys in a folder")
struct StoreKeysTests {
    private static let files = [
        "root.pem", "intermediate.pem", "leaf.pem", "leaf.key", "revoked.pem", "revoked.key",
    ]

    @Test("keys are created once and then loaded")
    func madeOnce() async throws {
        try await withTemporaryFolder { parent in
            let folder = parent.appending(path: "a store/keys")
            let made = try StoreKeys.open(folder: folder)
            let loaded = try StoreKeys.open(folder: folder)
            #expect(made.rootCertificateDER == loaded.rootCertificateDER)
            let file = try String(
                contentsOf: folder.appending(path: "chain/root.pem"), encoding: .utf8)
            #expect(file == StoreKeys.pem(certificate: made.rootCertificateDER))

            let signed = try TransactionSigner(keys: made).sign(Samples.renewal)
            let verifier = try TransactionVerifier(
                rootCertificate: loaded.rootCertificateDER, bundleID: Samples.bundleID,
                environment: .sandbox)
            #expect(await verifier.verify(signed).payload == Samples.renewal)
            let signedAfter = try TransactionSigner(keys: loaded).sign(Samples.renewal)
            #expect(signedAfter.parts[0] == signed.parts[0])
            #expect(verifier.knowsChain(of: signedAfter))
            #expect(await verifier.verify(signedAfter).payload == Samples.renewal)
        }
    }

    @Test("every store has keys of its own")
    func different() throws {
        #expect(
            try StoreKeys.generate().rootCertificateDER
                != StoreKeys.generate().rootCertificateDER)
    }

    @Test("only the owner may enter the key folder and read its files")
    func permissionBits() async throws {
        try await withTemporaryFolder { folder in
            // The folder existed before, and every user could enter it.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: folder.path(percentEncoded: false))
            _ = try StoreKeys.open(folder: folder)
            #expect(try permissions(of: folder) == 0o700)
            #expect(try permissions(of: folder.appending(path: "chain")) == 0o700)
            for name in Self.files {
                #expect(try permissions(of: folder.appending(path: "chain/\(name)")) == 0o600)
            }
            #expect(try permissions(of: folder.appending(path: "lock")) == 0o600)
        }
    }

    @Test("the private keys of root and intermediate are not stored")
    func issuersAreGone() async throws {
        try await withTemporaryFolder { folder in
            _ = try StoreKeys.open(folder: folder)
            let path = folder.path(percentEncoded: false)
            let all = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
            #expect(all == ["chain"] + Self.files.sorted().map { "chain/\($0)" } + ["lock"])
        }
    }

    @Test("many first starts at once create one set of keys")
    func manyThreads() async throws {
        for _ in 0..<10 {
            try await withTemporaryFolder { folder in
                let roots = try await withThrowingTaskGroup(of: Data.self) { group in
                    for _ in 0..<8 {
                        group.addTask { try StoreKeys.open(folder: folder).rootCertificateDER }
                    }
                    return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
                }
                #expect(roots.count == 1)
            }
        }
    }

    @Test("two processes that start at once create one set of keys")
    func twoProcesses() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path(percentEncoded: false)
            @Sendable func start() async throws {
                await #expect(processExitsWith: .success) { [path = path as String] in
                    let folder = URL(filePath: path)
                    let keys = try StoreKeys.open(folder: folder)
                    try keys.rootCertificateDER.write(
                        to: folder.appending(path: "seen-\(UUID().uuidString)"))
                }
            }
            async let first: Void = start()
            async let second: Void = start()
            _ = try await (first, second)
            let seen = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil
            ).filter { $0.lastPathComponent.hasPrefix("seen-") }.map { try Data(contentsOf: $0) }
            #expect(seen.count == 2)
            #expect(Set(seen) == [try StoreKeys.open(folder: folder).rootCertificateDER])
        }
    }

    @Test("a set left half-written by a killed process is created anew", arguments: 0...4)
    func halfWritten(count: Int) async throws {
        try await withTemporaryFolder { folder in
            let unfinished = folder.appending(path: "chain.new")
            try FileManager.default.createDirectory(
                at: unfinished, withIntermediateDirectories: true)
            for name in Self.files.prefix(count) {
                try Data("-----BEGIN".utf8).write(to: unfinished.appending(path: name))
            }
            let made = try StoreKeys.open(folder: folder)
            #expect(
                try StoreKeys.open(folder: folder).rootCertificateDER == made.rootCertificateDER)
            #expect(
                !FileManager.default.fileExists(atPath: unfinished.path(percentEncoded: false)))
        }
    }

    @Test("a file missing from a set is an error, and nothing is replaced", arguments: files)
    func missing(name: String) async throws {
        try await expectUnreadable(naming: name) { set, _ in
            try FileManager.default.removeItem(at: set.appending(path: name))
        }
    }

    @Test("a damaged file is an error, and nothing is replaced", arguments: files)
    func damaged(name: String) async throws {
        for text in [
            "", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ] {
            try await expectUnreadable(naming: name) { set, _ in
                try Data(text.utf8).write(to: set.appending(path: name))
            }
        }
        try await expectUnreadable(naming: name) { set, _ in
            try Data(repeating: 0xFF, count: 100_000).write(to: set.appending(path: name))
        }
    }

    @Test(
        "a file from another store's set is an error, and nothing is replaced",
        arguments: [
            ("root.pem", "intermediate.pem"), ("intermediate.pem", "intermediate.pem"),
            ("leaf.pem", "leaf.pem"), ("leaf.key", "leaf.key"), ("revoked.pem", "revoked.pem"),
            ("revoked.key", "revoked.key"),
        ])
    func mismatched(name: String, blamed: String) async throws {
        try await expectUnreadable(naming: blamed) { set, other in
            try FileManager.default.removeItem(at: set.appending(path: name))
            try FileManager.default.copyItem(
                at: other.appending(path: name), to: set.appending(path: name))
        }
    }

    @Test("a damaged private key does not appear in the error")
    func secrecy() async throws {
        try await withTemporaryFolder { folder in
            _ = try StoreKeys.open(folder: folder)
            let file = folder.appending(path: "chain/leaf.key")
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacingOccurrences(of: "BEGIN", with: "BEGUN")
                .write(to: file, atomically: false, encoding: .utf8)
            let error = #expect(throws: StoreError.self) { try StoreKeys.open(folder: folder) }
            let secret = text.split(separator: "\n")[1]
            #expect(error.map { "\($0)".contains(secret) } == false)
        }
    }

    @Test(
        "a private key in a certificate's file does not appear in the error",
        arguments: ["root.pem", "intermediate.pem", "leaf.pem"])
    func keyInPlaceOfACertificate(name: String) async throws {
        try await withTemporaryFolder { folder in
            _ = try StoreKeys.open(folder: folder)
            let chain = folder.appending(path: "chain")
            let text = try String(contentsOf: chain.appending(path: "leaf.key"), encoding: .utf8)
            try text.write(to: chain.appending(path: name), atomically: false, encoding: .utf8)
            let error = try #require(
                #expect(throws: StoreError.self) { try StoreKeys.open(folder: folder) })
            #expect(error.cause == "a private key in place of a certificate")
            #expect(error.subject?.hasSuffix(name) == true)
            for secret in text.split(separator: "\n").dropFirst().dropLast() {
                #expect(!"\(error)".contains(secret))
            }
            // The error does not contain the decoded bytes as a list of numbers, either.
            let der = text.split(separator: "\n").dropFirst().dropLast().joined()
            let bytes = try #require(Data(base64Encoded: der))
            let spelled = bytes.suffix(8).map(String.init).joined(separator: ", ")
            #expect(!"\(error)".contains(spelled))
        }
    }

    @Test("a link in place of a key or certificate file is not followed", arguments: files)
    func plantedLink(name: String) async throws {
        try await expectUnreadable(naming: name) { set, _ in
            let file = set.appending(path: name)
            let elsewhere = set.deletingLastPathComponent().appending(path: "elsewhere")
            try FileManager.default.moveItem(at: file, to: elsewhere)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        }
    }

    @Test("a key or certificate file that anybody may write to is refused", arguments: files)
    func writableFile(name: String) async throws {
        try await expectUnreadable(naming: name) { set, _ in
            try Self.setMode(0o666, of: set.appending(path: name))
        }
    }

    @Test("a key folder that anybody may write to is refused", arguments: ["", "/chain"])
    func writableFolder(part: String) async throws {
        try await withTemporaryFolder { parent in
            let keys = parent.appending(path: "keys")
            _ = try StoreKeys.open(folder: keys)
            let path = keys.path(percentEncoded: false) + part
            try Self.setMode(0o777, of: URL(filePath: path))
            let error = #expect(throws: StoreError.self) { try StoreKeys.open(folder: keys) }
            #expect(error?.subject == path)
            #expect(error?.cause == "others may write to it; if nobody did: chmod 700")
            try Self.setMode(0o700, of: URL(filePath: path))
            _ = try StoreKeys.open(folder: keys)
        }
    }

    @Test(
        "keys that belong to another user are refused",
        .enabled(if: geteuid() == 0, "only root can give"))
    func foreignKeys() async throws {
        try await withTemporaryFolder { parent in
            let keys = parent.appending(path: "keys")
            _ = try StoreKeys.open(folder: keys)
            let path = keys.path(percentEncoded: false)
            for part in ["", "/chain", "/chain/leaf.key", "/chain/root.pem"] {
                #expect(chown(path + part, 4321, 4321) == 0)
                let error = #expect(throws: StoreError.self) { try StoreKeys.open(folder: keys) }
                #expect(error?.subject == path + part)
                #expect(error?.cause == "it belongs to another user (number 4321)")
                #expect(chown(path + part, 0, 0) == 0)
            }
            _ = try StoreKeys.open(folder: keys)
        }
    }

    @Test("a key file that others may read is made private again")
    func rightsOfACopy() async throws {
        try await withTemporaryFolder { folder in
            let made = try StoreKeys.open(folder: folder)
            let key = folder.appending(path: "chain/leaf.key")
            try Self.setMode(0o644, of: key)
            #expect(
                try StoreKeys.open(folder: folder).rootCertificateDER == made.rootCertificateDER)
            #expect(try permissions(of: key) == 0o600)
        }
    }

    private static func setMode(_ mode: Int, of file: URL) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: file.path(percentEncoded: false))
    }

    @Test("a key folder that is a file is an error")
    func folderIsFile() async throws {
        try await withTemporaryFolder { parent in
            let file = parent.appending(path: "keys")
            try Data().write(to: file)
            let error = #expect(throws: StoreError.self) { try StoreKeys.open(folder: file) }
            #expect(error?.code == .keysUnreadable)
        }
    }

    /// `damage` gets the set and another store's. The error names the file; the set's bytes stay.
    private func expectUnreadable(
        naming name: String, damage: (_ set: URL, _ other: URL) throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let (mine, other) = (folder.appending(path: "a"), folder.appending(path: "b"))
            _ = try StoreKeys.open(folder: mine)
            _ = try StoreKeys.open(folder: other)
            let set = mine.appending(path: "chain")
            try damage(set, other.appending(path: "chain"))
            let before = try contents(of: set)
            let error = #expect(throws: StoreError.self) { try StoreKeys.open(folder: mine) }
            #expect(error?.code == .keysUnreadable)
            #expect(error?.subject == set.path(percentEncoded: false) + "/" + name)
            #expect(error?.cause?.isEmpty == false)
            #expect(try contents(of: set) == before)
        }
    }

    private func contents(of folder: URL) throws -> [String: Data] {
        let path = folder.path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: path).reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: folder.appending(path: $1))
        }
    }
}
