import TestBasics

/// The `openssl` command: an independent check of certificates and signatures.
enum OpenSSL {
    struct Answer {
        let status: Int32
        let text: String
    }

    static func run(_ arguments: String...) throws -> Answer {
        let (code, output) = try ShellCommand(["openssl"] + arguments).end()
        return Answer(status: code, text: output)
    }
}
