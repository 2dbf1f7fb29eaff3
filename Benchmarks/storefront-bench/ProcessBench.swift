import BenchTable
import Foundation

/// The time of whole commands, each in its own process.
enum ProcessBench {
    static func run(_ program: String, _ table: inout Table) throws {
        let folder = BenchFolder.make("process")
        let few = folder + "/few.json"
        let many = folder + "/many.json"
        try catalog(products: 20).write(toFile: few, atomically: true, encoding: .utf8)
        try catalog(products: 100_000).write(toFile: many, atomically: true, encoding: .utf8)

        let nothing = try median(20) { try run("/bin/true", []) }
        let small = try median(20) { try products(program, few, folder + "/few") }
        let large = try median(5) { try products(program, many, folder + "/many") }
        let open = try median(20) {
            try run(
                program, ["entitlements", "--catalog", few, "--store", folder + "/few"])
        }
        let help = try median(20) { try run(program, ["--version"]) }
        table.add(
            "process start: storefront --version", help, nothing, unit: "ms", ratio: help / nothing)
        table.add(
            "open an existing store: entitlements", open, help, unit: "ms", ratio: open / help)
        table.add("products --json, 20 products", small, help, unit: "ms", ratio: small / help)
        table.add(
            "products --json, 100000 products", large, small, unit: "ms", ratio: large / small)
    }

    private static func products(_ program: String, _ catalog: String, _ store: String) throws {
        try run(program, ["products", "--json", "--catalog", catalog, "--store", store])
    }

    private static func median(_ times: Int, _ work: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        try work()
        var all: [Double] = []
        for _ in 0..<times {
            let start = clock.now
            try work()
            all.append(start.duration(to: clock.now) / .milliseconds(1))
        }
        return Measure.median(all)
    }

    /// By posix_spawn(3), because Foundation's `Process` reports the end only about every 50 ms.
    static func run(_ program: String, _ arguments: [String]) throws {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for descriptor: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process: pid_t = 0
        var status: Int32 = 0
        guard posix_spawn(&process, program, &files, nil, words, environ) == 0,
            waitpid(process, &status, 0) == process, status == 0
        else { throw CocoaError(.executableLoad) }
    }

    private static func catalog(products: Int) -> String {
        let lines = (0..<products).map { number in
            """
            {"id": "bench.product.\(number)", "type": "consumable", "name": {"en": "Product \(number)", \
            "ja": "商品 \(number)"}, "prices": {"USA": "0.99", "JPN": "160", "DEU": "1.09"}}
            """
        }
        return """
            {"format": 1, "app": {"bundleId": "com.example.bench", "name": {"en": "Bench"}},
             "defaults": {"territory": "USA", "locale": "en_US"},
             "products": [
            \(lines.joined(separator: ",\n"))
            ]}
            """
    }
}
