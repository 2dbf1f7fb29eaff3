#if PostgreSQL
import Foundation
import StoreTestSupport
import TestBasics
import Testing

/// The program with PostgreSQL.
enum BuiltProgram {
    static let path: String? = {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return ["release", "debug"].map { "\(root.path)/.build/\($0)/storefront-postgresql" }
            .first { access($0, X_OK) == 0 }
    }()
}

/// It is given the address of a server that is away.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: BuiltProgram.path != nil, "storefront-postgresql is not built")
) struct ProgramWithoutServerTests {
    private static let address = "postgresql://aoi@127.0.0.1:1/shop?store=team"

    @Test(
        "a command ends with 69, says that the server cannot be reached, and makes nothing",
        arguments: [
            ["products"], ["buy", "lantern.coins.10"], ["entitlements"], ["history"],
            ["operator", "requests"], ["operator", "ask-to-buy", "on"], ["paths"], ["serve"],
        ])
    func unreachable(words: [String]) throws {
        let program = try #require(BuiltProgram.path)
        let folder = try TemporaryFolder()
        let ended = try ShellCommand(
            [
                "env", "-i", "HOME=\(folder.path)", "LANG=C.UTF-8", "PATH=/usr/bin:/bin",
                "STOREFRONT_STORE=\(Self.address)", program,
            ] + words
        ).end()
        #expect(ended.code == 69, "\(words): \(ended.output)")
        #expect(ended.output.contains("cannot be reached: \(Self.address)"), "\(ended.output)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).isEmpty)
    }
}
#endif
