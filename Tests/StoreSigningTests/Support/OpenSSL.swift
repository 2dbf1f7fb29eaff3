import Foundation

/// The `openssl` command: an independent check of certificates and signatures.
enum OpenSSL {
    struct Answer {
        let status: Int32
        let text: String
    }

    static func run(_ arguments: String...) throws -> Answer {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Answer(
            status: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
    }
}
