import Foundation
import Testing

@Suite("a store's address in a database, given to the program without one", .withProgram)
struct DatabaseAddressTests {
    private static let address = "postgresql://db.example.com/shop?store=team"

    @Test("every command says how to get a program that opens it, and makes nothing")
    func unsupported() async throws {
        let box = try Sandbox()
        let before = box.storeContents
        for command in [
            ["products"], ["buy", "lantern.coins.10"], ["paths"], ["operator", "requests"],
            ["serve"], ["store", "list"], ["store", "create", "--roles"],
            ["store", "drop", "--confirm", "team"],
        ] {
            let answer = try await box.run(command + ["--store", Self.address])
            #expect(answer.code == 69, "\(command): \(answer.errors)")
            #expect(answer.errors.contains("make postgresql"), "\(answer.errors)")
            #expect(answer.output.isEmpty)
        }
        let here = box.folder + "/here"
        for places in [[here, Self.address], [Self.address, here]] {
            let answer = try await box.run(["store", "copy"] + places)
            #expect(answer.code == 69 && answer.errors.contains("make postgresql"))
        }
        #expect(!FileManager.default.fileExists(atPath: here))
        #expect(before.differences(box.storeContents).isEmpty)
        let variable = try await box.run(
            ["products"], changing: ["STOREFRONT_STORE": Self.address])
        #expect(variable.code == 69 && variable.errors.contains(Self.address))
    }

    @Test("a password in an address is refused, and not repeated")
    func password() async throws {
        let box = try Sandbox()
        for address in [
            "postgresql://anna:hunter2@db.example.com/shop",
            "postgresql://db.example.com/shop?password=hunter2",
        ] {
            let answer = try await box.run("paths", "--store", address)
            #expect(answer.code == 64)
            #expect(answer.errors.contains(".pgpass"), "\(answer.errors)")
            #expect(!answer.errors.contains("hunter2") && answer.output.isEmpty)
        }
    }

    @Test("a store in a database is not emptied by reset")
    func reset() async throws {
        let box = try Sandbox()
        let answer = try await box.run("operator", "reset", "--yes", "--store", Self.address)
        #expect(answer.code == 64 && answer.errors.contains("schema"), "\(answer.errors)")
    }
}
