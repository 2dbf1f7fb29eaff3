import Foundation
import Testing

/// Failing output, closed descriptors, no home folder, few files and threads.
@Suite("restricted environments", .withProgram, .inTurn)
struct SurroundingsTests {
    /// Runs a bash script with the program as `$program`.
    private func script(
        _ text: String, in box: Sandbox, changing changes: [String: String?] = [:],
        through wrapper: [String] = []
    ) async throws -> RunningProgram.Answer {
        var environment = box.environment
        environment["PATH"] = Program.toolPath
        let program = try #require(Program.path)
        environment["program"] = program
        for (name, value) in changes { environment[name] = value }
        let words = wrapper + ["bash", "-c", text]
        let answer = try await RunningProgram(
            words[0], Array(words.dropFirst()), environment: environment, folder: box.work
        ).end()
        #expect(!answer.hung, "\(text)")
        return answer
    }

    // MARK: - Output

    @Test(
        "output that cannot be written is reported and makes the command fail",
        arguments: [
            "products", "products --json", "transactions --json", "entitlements --json", "paths",
            "certificate", "catalog check $STOREFRONT_CATALOG", "operator events",
            "watch --count 1", "buy lantern.coins.10", "buy lantern.coins.10 --json",
            "screenshot", "--help", "--version", "buy --help",
            "--generate-completion-script bash",
        ])
    func fullDevice(command: String) async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let answer = try await script("exec $program \(command) > /dev/full", in: box)
        #expect(answer.code == 74, "\(answer.whole)")
        let reported = answer.errors.split(separator: "\n").filter { $0.contains("No space left") }
        #expect(reported.count == 1, "\(answer.errors)")
    }

    @Test("a purchase whose output is lost is still made, once")
    func purchaseWithoutAnswer() async throws {
        let box = try Sandbox()
        for (number, option) in ["", " --json"].enumerated() {
            let answer = try await script(
                "exec $program buy lantern.coins.10\(option) > /dev/full", in: box)
            #expect(answer.code == 74)
            #expect(answer.errors.contains("What was done stays done."))
            // Without this a person would make the purchase again, so it is on standard error.
            let outcome = "Bought 10 coins for $0.99, transaction \(1_000_001 + number)."
            #expect(answer.errors.contains(outcome), "\(answer.errors)")
        }
        try await box.succeed("restore")
        #expect(try await box.succeed("purse").output == "20  coins\n")
    }

    @Test("a slow reader of a non-blocking pipe gets all output")
    func slowReader() async throws {
        let box = try Sandbox()
        let whole = try await box.succeed("products", "--json").outputBytes
        #expect(whole.count > 4096)
        let answer = try await RunningProgram(
            try #require(Program.path), ["products", "--json"], environment: box.environment,
            folder: box.work, hasNarrowOutput: true
        ).end()
        #expect(answer.code == 0)
        #expect(answer.outputBytes == whole)
    }

    // MARK: - Descriptors

    @Test(
        "with closed standard descriptors, no output is written into store files",
        arguments: [">&-", "<&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func closedDescriptors(closing: String) async throws {
        let box = try Sandbox()
        _ = try await script("$program products \(closing)", in: box)
        _ = try await script("$program buy lantern.coins.10 \(closing)", in: box)
        for (name, content) in FolderContents(box.store).entries where !name.contains("sqlite") {
            let text = String(decoding: Data(base64Encoded: content) ?? Data(), as: UTF8.self)
            #expect(!text.contains("coins") && !text.contains("Lighthouse"), "\(name)")
        }
        let notified = FileManager.default.contents(atPath: box.store + "/store.sqlite.bell")
        #expect(notified?.contains(UInt8(ascii: "L")) != true)
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }

    // MARK: - The environment

    @Test(
        "unusable locale and time zone variables are ignored",
        arguments: ["LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "TZ"],
        [
            "aaaaaaaaaaaa", "/usr/share/locale/en", String(repeating: "x", count: 300), "é", "--",
            "en_US_POSIX_and_more_than_that", "en_US@numbers=" + String(repeating: "x", count: 200),
            "en_US.UTF-8@calendar=" + String(repeating: "gregorian;", count: 40),
            "de_DE@" + String(repeating: "e", count: 300),
            "ja_JP." + String(repeating: "UTF-8", count: 100),
        ])
    func languages(variable: String, value: String) async throws {
        let box = try Sandbox()
        let changes = ["LANG": nil].merging([variable: value]) { $1 }
        let answer = try await box.run(["buy", "lantern.coins.10"], changing: changes)
        #expect(answer.code == 0, "\(answer.whole)")
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }

    @Test("in the C locale, the program's own symbols are ASCII")
    func plainLocale() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let answer = try await box.run(["products"], changing: ["LC_ALL": "C"])
        #expect(answer.output.contains("+ owned"))
        #expect(answer.output.unicodeScalars.allSatisfy { $0.isASCII }, "\(answer.output)")
        #expect(try await box.succeed("products").output.contains("✓ owned"))
    }

    @Test("without a home folder, the error suggests --store", .withUserNamespaces)
    func noHome() async throws {
        let box = try Sandbox()
        let answer = try await script(
            "exec $program products", in: box, changing: ["HOME": nil, "XDG_DATA_HOME": nil],
            through: ["unshare", "--user", "--map-user=54321"])
        #expect(answer.code == 64, "\(answer.whole)")
        #expect(answer.errors.contains("--store DIR"))
        #expect(!FileManager.default.fileExists(atPath: "/.local"))
    }

    @Test("in a deleted working folder, a relative store path is refused")
    func noFolder() async throws {
        let box = try Sandbox()
        let gone = "mkdir gone; cd gone; rmdir ../gone;"
        let answer = try await script("\(gone) exec $program products --store rel", in: box)
        #expect(answer.code == 64, "\(answer.whole)")
        #expect(answer.errors.contains("\"rel\""))
        #expect(!FileManager.default.fileExists(atPath: "/rel"))
        let whole = try await script("\(gone) exec $program products --store \(box.store)", in: box)
        #expect(whole.code == 0, "\(whole.errors)")
    }

    @Test("paths that are not UTF-8 are refused")
    func otherBytes() async throws {
        let box = try Sandbox()
        for command in [
            "$program products --store $'a\\xff'", "STOREFRONT_STORE=$'a\\xfe' $program products",
            "HOME=$'/tmp/\\xff' XDG_DATA_HOME= $program products",
            "mkdir $'\\xff'; cd $'\\xff'; $program products --store here",
        ] {
            let answer = try await script(command, in: box)
            #expect(answer.code == 64, "\(command): \(answer.whole)")
            #expect(answer.errors.contains("UTF-8"), "\(answer.errors)")
        }
        let made = try FileManager.default.contentsOfDirectory(atPath: box.folder)
        #expect(!made.contains("data"))
    }

    @Test("an ephemeral store leaves no temporary folder that did not exist before")
    func noTemporaryFolder() async throws {
        let box = try Sandbox()
        let missing = box.folder + "/nowhere"
        let answer = try await box.run(
            ["buy", "lantern.coins.10", "--ephemeral"], changing: ["TMPDIR": missing])
        #expect(answer.code == 0, "\(answer.whole)")
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    // MARK: - System limits

    @Test("too few file descriptors are reported in one line", arguments: [4, 8, 20])
    func fewDescriptors(count: Int) async throws {
        let box = try Sandbox()
        let answer = try await script("ulimit -n \(count); exec $program products", in: box)
        #expect(answer.code == 69, "\(answer.whole)")
        #expect(answer.errors.split(separator: "\n").count == 1)
        #expect(answer.errors.contains("ulimit -n"), "\(answer.errors)")
    }

    @Test("a soft limit on file descriptors is raised")
    func softLimit() async throws {
        let box = try Sandbox()
        let answer = try await script("ulimit -Sn 16; exec $program products", in: box)
        #expect(answer.code == 0, "\(answer.whole)")
    }

    @Test("a missing /proc is reported", .withMounts)
    func noProc() async throws {
        let box = try Sandbox()
        let answer = try await MountNamespace.run(
            "mount -t tmpfs tmpfs /proc; exec \"$program\" products", in: box)
        #expect(answer.code == 69, "\(answer.whole)")
        #expect(answer.errors.contains("/proc"), "\(answer.errors)")
    }

    @Test(
        "arguments that the system does not hand over are reported, and nothing else is done",
        .withTracing)
    func lostArguments() async throws {
        let box = try Sandbox()
        let words = [
            "-f", "-qq", "-o", "/dev/null", "-P", "/proc/self/maps", "-e",
            "inject=openat:error=EMFILE:when=1+", try #require(Program.path), "paths",
        ]
        let answer = try await RunningProgram(
            "strace", words, environment: box.environment, folder: box.work
        ).end()
        #expect(answer.code == 69, "\(answer.whole)")
        #expect(answer.errors.contains("/proc/self/maps"), "\(answer.errors)")
        #expect(!FileManager.default.fileExists(atPath: box.store))
    }

    @Test("a limit of too few processes is reported", .enabled(if: getuid() == 0))
    func fewProcesses() async throws {
        let box = try Sandbox()
        for name in ["home", "work", "tmp"] { chmod(box.folder + "/" + name, 0o777) }
        let answer = try await script(
            "exec setpriv --reuid 54321 --regid 54321 --clear-groups "
                + "bash -c 'ulimit -u 6; exec \"$program\" products --store $HOME/store'",
            in: box)
        // This user may not be allowed to run the program.
        guard answer.code != 126 else { return }
        #expect(answer.code == 69, "\(answer.whole)")
        #expect(answer.errors.contains("ulimit -u"), "\(answer.errors)")
    }
}
