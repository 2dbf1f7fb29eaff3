import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreCatalog
import StoreEngine
import StoreHost
import StoreModel
import StoreSigning

struct Verify: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Explain a signed text, and say whether it is verified.",
        discussion: """
            Any signed transaction, receipt or app transaction, of this store or of another: its \
            header, its certificates, its payload field by field, and the first reason why it is not \
            verified. The root certificate is that of --root, else of the store, if there is one; \
            no store is made. Of a store's texts app and environment are checked too, and with \
            --device the device. Otherwise the app is checked if --bundle-id is given, and the \
            environment if --environment or --bundle-id is.

            EXIT CODES
              0 verified   13 not verified

            EXAMPLES
              storefront transactions --signed | storefront verify -
              storefront verify receipt.jws --root root.pem
            """)

    @Argument(
        help: ArgumentHelp(
            "A JWS, a file with one a line, or - for standard input.", valueName: "jws"))
    var text: String

    @Option(help: ArgumentHelp("The root certificate to trust, PEM or DER.", valueName: "file"))
    var root: String?

    @OptionGroup var given: PathsOptions

    func run() async throws {
        try await reporting(options) {
            let texts = try texts()
            let trust = try await trust()
            var isVerified = true
            for (index, text) in texts.enumerated() {
                let explanation = await SignedTextExplanation(
                    text, verifier: trust.verifier, root: trust.root, bundleID: options.bundleID,
                    environment: askedEnvironment)
                isVerified = isVerified && explanation.isVerified
                if options.json {
                    try Output.json(explanation.fields)
                } else {
                    if index > 0 { Output.line("") }
                    ExplanationText.write(explanation, of: text, from: source)
                }
            }
            if !isVerified { throw Exit.notVerified }
        }
    }

    /// The file or standard input; nil for a text given on the command line.
    private var source: String? {
        if text == "-" { return Output.strings[.standardInput] }
        return FileManager.default.fileExists(atPath: text) ? text : nil
    }

    /// The environment that the text must be for; nil for any.
    private var askedEnvironment: StoreEnvironment? {
        options.isEnvironmentGiven || options.bundleID != nil
            ? StoreEnvironment(options.environment) : nil
    }

    /// The texts to explain, one per line of the input; empty lines are left out.
    private func texts() throws -> [String] {
        let bytes: Data
        if text == "-" {
            bytes = (try? FileHandle.standardInput.read(upToCount: Self.byteCountMax)) ?? Data()
        } else if let file = FileHandle(forReadingAtPath: text) {
            bytes = (try? file.read(upToCount: Self.byteCountMax)) ?? Data()
        } else if text.count(where: { $0 == "." }) == 2, !text.contains("/") {
            bytes = Data(text.utf8)
        } else {
            throw ValidationError("\(UntrustedText.quote(text)) is neither a JWS nor a file.")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        // An empty file is explained as one empty text, so that the command reports an error.
        return lines.isEmpty ? [""] : lines
    }

    /// A bound on the memory, above the size of the largest receipt that the program verifies.
    private static let byteCountMax = 65 * 1024 * 1024

    private struct Trust {
        var verifier: TransactionVerifier?
        var root: Data?
    }

    private func trust() async throws -> Trust {
        if let root {
            guard let file = FileManager.default.contents(atPath: root) else {
                throw StoreError(.fileUnreadable, subject: root)
            }
            guard let der = StoreKeys.certificate(file: file) else {
                throw StoreError(
                    .fileUnreadable, subject: root,
                    cause: "expected a certificate in PEM or DER, found \(file.count) other byte"
                        + (file.count == 1 ? "" : "s"))
            }
            return Trust(
                verifier: try TransactionVerifier(
                    rootCertificate: der, bundleID: options.bundleID,
                    environment: askedEnvironment,
                    device: options.bundleID.flatMap { device(of: $0) }),
                root: der)
        }
        let paths = StoragePaths.current
        let database = try await options.findDatabase(paths)
        guard let catalog = try? options.readCatalog(paths, of: database).catalog,
            let identity = try? options.identity(of: catalog, in: database),
            let keys = try await keys(paths, database, identity)
        else { return Trust() }
        let verifier = try TransactionVerifier(
            rootCertificate: keys.rootCertificateDER, bundleID: identity.bundleID,
            environment: identity.environment, device: device(of: identity.bundleID))
        _ = try? await verifier.use(try keys.revocationList(at: SystemClock().now()))
        return Trust(verifier: verifier, root: keys.rootCertificateDER)
    }

    /// Nil if there is no store.
    private func keys(
        _ paths: StoragePaths, _ chosen: ChosenDatabase?, _ identity: AppIdentity
    ) async throws -> StoreKeys? {
        if let attachments = chosen?.database.attachments {
            return try await StoreKeys.existing(in: attachments)
        }
        guard
            case .folder(let folder) = try paths.store(
                option: options.store, bundleID: identity.bundleID)
        else { return nil }
        return try await StoreKeys.existing(in: FolderKeys(path: folder + "/keys"))
    }

    /// The device that the text must be for; nil without `--device`.
    private func device(of bundleID: String) -> DeviceVerification? {
        options.device.map {
            DeviceVerification(
                bundleID: bundleID, account: options.accountName(.current), device: DeviceName($0))
        }
    }
}
