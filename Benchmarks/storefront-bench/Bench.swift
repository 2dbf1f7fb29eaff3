import BenchTable
import Foundation

/// Measures the store, each time beside a baseline in the same run. A goal is a ratio to the
/// baseline, so that it holds on slow and fast machines.
@main
struct Bench {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count == 5, words[1] == "--events", let rate = Int(words[3]),
            let seconds = Double(words[4])
        {
            return try await EventSource.run(store: words[2], rate: rate, seconds: seconds)
        }
        if words.count == 5, words[1] == "--fill", let transactions = Int(words[3]),
            let products = Int(words[4])
        {
            return try await AccountFill.run(
                store: words[2], transactions: transactions, products: products)
        }
        if words.count >= 5, words[1] == "--renewals" {
            return try await RenewalBench.run(Array(words.dropFirst(2)))
        }
        if words.count == 3, words[1] == "--follow" { return try await EventBench.follow(words[2]) }
        if words.count == 3, words[1] == "--serve" { return try await ServerBench.serve(words[2]) }
        let program = CommandLine.arguments.dropFirst().first ?? ".build/storefront"
        let only = CommandLine.arguments.dropFirst(2).first
        var table = Table()
        let parts: [(String, (inout Table) async throws -> Void)] = [
            ("signing", SigningBench.run), ("purchase", PurchaseBench.run),
            ("crowd", CrowdBench.run), ("process", { try ProcessBench.run(program, &$0) }),
            ("events", EventBench.run), ("content", ContentBench.run),
            ("after", AfterSaleBench.run), ("renewals", RenewalBench.run),
            ("server", ServerBench.run), ("size", SizeBench.run),
        ]
        for (name, part) in parts where only == nil || only == name {
            FileHandle.standardError.write(Data("measuring \(name)…\n".utf8))
            do { try await part(&table) } catch { print("\(name): \(error)") }
        }
        BenchFolder.removeAll()
        table.show()
    }
}
