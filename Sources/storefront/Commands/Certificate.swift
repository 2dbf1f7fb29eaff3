import ArgumentParser
import Foundation
import StoreModel
import StoreSigning

struct Certificate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Print the root certificate a backend must trust to verify this store.",
        discussion: """
            EXAMPLES
              storefront certificate --pem > root.pem
              storefront certificate --der > root.der
            """)

    @Flag(help: "PEM text (unless said otherwise).")
    var pem = false

    @Flag(help: "DER bytes.")
    var der = false

    @OptionGroup var given: StoreOptions
    var options: GlobalOptions { given.all }

    func validate() throws {
        if pem && der { throw ValidationError("Choose one of --pem and --der.") }
    }

    func run() async throws {
        try await reporting(options) {
            let certificate = try await options.open().session.rootCertificate
            guard !der else { return Output.raw(certificate) }
            Output.raw(Data(StoreKeys.pem(certificate: certificate).utf8))
        }
    }
}
