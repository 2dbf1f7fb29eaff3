import ArgumentParser
import Foundation
import StoreModel
import StoreSigning

struct Certificate: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Print the root certificate a backend must trust to verify this store.",
        discussion: """
            EXAMPLES
              storefront certificate --pem > root.pem
              storefront certificate --der > root.der
              storefront certificate --json | jq -r .rootCertificate
            """)

    @Flag(help: "PEM text (unless said otherwise).")
    var pem = false

    @Flag(help: "DER bytes.")
    var der = false

    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    func validate() throws {
        if pem && der { throw ValidationError("Choose one of --pem and --der.") }
    }

    func run(in store: OpenStore) async throws {
        let certificate = store.session.rootCertificate
        guard !der else { return Output.raw(certificate) }
        let text = StoreKeys.pem(certificate: certificate)
        guard options.json, !pem else { return Output.raw(Data(text.utf8)) }
        // The DER bytes in base64, as in the header `x5c` of signed texts, and PEM.
        try Output.json(["rootCertificate": certificate, "pem": text] as JSONFields)
    }
}
