import Foundation
import Testing

/// The packages of a release, made here of a program of a few lines, and the files of Examples/ci,
/// which use them. `make dist-check` does the same with the program itself.
@Suite("packages of a release", .inTurn)
struct DistributionTests {
    private static let examples = Program.root + "/Examples/ci/"

    /// Runs a script in bash, which ends at the first command that fails.
    private static func script(
        _ text: String, in box: Sandbox, changing changes: [String: String] = [:]
    ) async throws -> RunningProgram.Answer {
        var environment = box.environment
        environment["PATH"] = Program.toolPath + ":/usr/sbin:/sbin"
        environment["SWIFT"] = ProcessInfo.processInfo.environment["SWIFT"]
        environment["ROOT"] = Program.root
        for (name, value) in changes { environment[name] = value }
        let answer = try await RunningProgram(
            "bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", text],
            environment: environment, folder: box.work
        ).end()
        #expect(!answer.hung)
        return answer
    }

    /// `prepare` makes a folder $1 of what a build leaves, `pack` makes packages of it in $2.
    private static let packing = """
        prepare() {
            mkdir -p "$1/checkouts/swift-nio/Sources/NIO"
            echo "Free for all." > "$1/checkouts/swift-nio/LICENSE.txt"
            printf '%s\\n' '"identity" : "swift-nio",' '"revision" : "abc",' '"version" : "2.0"' \\
                > "$1/Package.resolved"
            printf '%s\\n' "$1/Shop.build/Shop.swift.o" "$1/NIO.build/NIO.swift.o" \\
                "$(dpkg -L zlib1g-dev | grep 'libz[.]a$')(inflate.o)" > "$1/linked"
            printf '%s\\n' '#!/bin/sh' 'echo "$@"' > "$1/storefront"
            chmod +x "$1/storefront"
        }
        pack() {
            SOURCE_DATE_EPOCH=1800000000 COMMIT=abc "$ROOT/.ci/dist-package" "$1" "$2" > log
        }

        """

    @Test(
        "two folders and two surroundings give packages of the same bytes, with all that they need")
    func sameBytes() async throws {
        let box = try Sandbox()
        let answer = try await Self.script(
            Self.packing + """
                prepare one
                pack one packages
                umask 077
                export TZ=Asia/Tokyo XZ_OPT=-0
                prepare a/longer/name
                pack a/longer/name others
                diff -r packages others
                cd packages
                sha256sum --check --quiet SHA256SUMS
                ls
                TZ=UTC tar -tvf *.tar.xz --numeric-owner
                tar -xOf *.tar.xz --wildcards '*/VERSIONS'
                """, in: box)
        #expect(answer.code == 0, "\(answer.whole)")
        let archive = try #require(answer.lines.first { $0.hasSuffix(".tar.xz") })
        let files = answer.lines.filter { $0.contains(" 0/0 ") }
        for file in [
            "bin/storefront", "share/man/man1/storefront.1.gz",
            "share/bash-completion/completions/storefront", "share/zsh/site-functions/_storefront",
            "share/fish/vendor_completions.d/storefront.fish", "share/storefront/catalog.json",
            "share/doc/storefront/LICENSE", "share/doc/storefront/Package.resolved",
            "share/doc/storefront/licences/swift.txt", "share/doc/storefront/licences/icu.txt",
            "share/doc/storefront/licences/swift-nio.txt",
            "share/doc/storefront/licences/zlib1g-dev.txt",
        ] {
            #expect(files.contains { $0.hasSuffix("/" + file) }, "no \(file) in\n\(answer.output)")
        }
        #expect(files.allSatisfy { $0.contains(" 2027-01-15 ") })
        for line in ["  swift-nio 2.0 abc", "  zlib1g-dev "] {
            #expect(answer.output.contains("\n" + line), "\(answer.output)")
        }
        #expect(answer.output.contains(", of 2027-01-15, commit abc\n"))

        let containerfile = try String(
            contentsOfFile: Self.examples + "Containerfile", encoding: .utf8)
        let copied = try #require(containerfile.firstMatch(of: /\nCOPY ([^- ][^ ]*)[ ]/)).1
        #expect(fnmatch(String(copied), archive, 0) == 0, "\(copied) is not \(archive)")
    }

    @Test(
        "code of which no licence is known is not packaged",
        arguments: [
            ("Other.build/a.o", "No package has the module Other."), ("a.o", "/nowhere/a.o"),
        ])
    func unknownCode(object: String, reason: String) async throws {
        let box = try Sandbox()
        let answer = try await Self.script(
            Self.packing + """
                prepare one
                echo "/nowhere/\(object)" >> one/linked
                pack one packages
                """, in: box)
        #expect(answer.code != 0)
        #expect(answer.errors.contains(reason), "\(answer.errors)")
        #expect(!FileManager.default.fileExists(atPath: box.work + "/packages"))
    }

    @Test(
        "the Debian package needs no other, is removed whole, and leaves what people have bought",
        .enabled(if: getuid() == 0, "dpkg installs as root."))
    func debianPackage() async throws {
        let box = try Sandbox()
        let answer = try await Self.script(
            Self.packing + """
                prepare one
                pack one packages
                mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/home/me/stores
                touch root/var/lib/dpkg/status root/home/me/stores/store.sqlite
                listed() { (cd root && find . -path ./var -prune -o -print | sort); }
                listed > before
                dpkg --root="$PWD/root" --log=/dev/null -i packages/*.deb > log
                root/usr/bin/storefront installed
                ls root/usr/share/zsh root/usr/share/doc/storefront
                dpkg-deb --field packages/*.deb
                dpkg --root="$PWD/root" --log=/dev/null -r storefront > log
                listed | diff before -
                """, in: box)
        #expect(answer.code == 0, "\(answer.whole)")
        #expect(answer.lines.first == "installed")
        for line in ["vendor-completions", "copyright", "changelog.gz", "Suggests: ncurses-term"] {
            #expect(answer.lines.contains(line), "no \(line) in\n\(answer.output)")
        }
        #expect(!answer.output.contains("Depends:"))
    }

    // MARK: - Examples/ci

    /// A step of a workflow or of an action: its words for the shell, and what it is given.
    private struct Step {
        var name = ""
        var environment: [String] = []
        var shell = ""
    }

    /// The steps that run something, from the lines of a file. They are written one below the other,
    /// with `run: |` as a step's last key.
    private static func steps(_ file: String) throws -> [Step] {
        var steps: [Step] = []
        var key = ""
        for line in try String(contentsOfFile: examples + file, encoding: .utf8)
            .components(separatedBy: "\n")
        {
            let text = line.drop { $0 == " " }
            let depth = line.count - text.count
            if text.hasPrefix("- name: ") {
                steps.append(Step(name: String(text.dropFirst(8))))
                key = ""
            } else if ["env:", "run: |"].contains(text) {
                key = String(text)
            } else if let last = steps.indices.last, depth > 6, key == "env:", text.contains("${{")
            {
                steps[last].environment.append(String(text.prefix { $0 != ":" }))
            } else if let last = steps.indices.last, depth > 6, key == "run: |" {
                steps[last].shell += text + "\n"
            }
        }
        return steps
    }

    @Test(
        "the steps of the action and of the workflow install a release, check a catalog and buy",
        .withProgram)
    func workflow() async throws {
        let box = try Sandbox(["STOREFRONT_CATALOG": "Products.storekit"])
        for name in ["action", "temp"] {
            try FileManager.default.createDirectory(
                atPath: box.work + "/" + name, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            atPath: Program.root + "/Tests/CatalogTests/Configurations/Puzzles-5.0.storekit",
            toPath: box.work + "/Products.storekit")
        // A release of two lines, which start the program under test.
        let made = try await Self.script(
            """
            mkdir -p release/bin
            printf '%s\\n' '#!/bin/sh' 'exec "'"$PROGRAM"'" "$@"' > release/bin/storefront
            chmod +x release/bin/storefront
            tar -cf - release | xz -0 > release.tar.xz
            sha256sum release.tar.xz | cut -d ' ' -f 1
            """, in: box, changing: ["PROGRAM": try #require(Program.path)])
        var environment = [
            "ARCHIVE": "release.tar.xz", "CATALOG": "Products.storekit",
            "SHA256": made.lines.first ?? "", "RUNNER_TEMP": box.work + "/temp",
            "GITHUB_PATH": box.work + "/path", "GITHUB_STEP_SUMMARY": box.work + "/summary",
        ]
        let action = try Self.steps("action.yml")
        let steps = try action + Self.steps("workflow.yml")
        #expect(action.map(\.environment) == [["ARCHIVE", "SHA256"], ["CATALOG"]])
        #expect(steps.count == 5)
        for step in steps {
            let answer = try await Self.script(step.shell, in: box, changing: environment)
            #expect(answer.code == 0, "\(step.name): \(answer.whole)")
            let added = try String(contentsOfFile: box.work + "/path", encoding: .utf8)
            environment["PATH"] =
                added.trimmingCharacters(in: .newlines) + ":" + Program.toolPath
        }
        let summary = try String(contentsOfFile: box.work + "/summary", encoding: .utf8)
        #expect(summary.contains("puzzles.month"))

        // Another archive than the one that was meant, and a catalog with a mistake.
        environment["SHA256"] = String(repeating: "0", count: 64)
        #expect(
            try await Self.script(action[0].shell, in: box, changing: environment).code != 0)
        environment["CATALOG"] = try box.file("Broken.storekit", "{")
        #expect(
            try await Self.script(action[1].shell, in: box, changing: environment).code == 65)
    }

    @Test("the workflow of an app installs what the libraries are linked with, and tests")
    func consumersWorkflow() throws {
        let steps = try Self.steps("bookshop.yml")
        let makefile = try String(contentsOfFile: Program.root + "/Makefile", encoding: .utf8)
        let needed = try #require(makefile.firstMatch(of: /BUILD_PACKAGES := (.+)/)).1
            .split(separator: " ").filter { $0 != "libncursesw5-dev" }.joined(separator: " ")
        #expect(steps.first?.shell.hasSuffix("--no-install-recommends \(needed)\n") == true)
        #expect(steps.last?.shell == "swift test\n")
    }

    @Test("the image has a terminal's entry for each that its page names, a user and a volume")
    func containerfile() throws {
        let text = try String(contentsOfFile: Self.examples + "Containerfile", encoding: .utf8)
            .replacingOccurrences(of: "\\\n", with: "")
        let names = try #require(text.firstMatch(of: /for name in ([^;]*);/)).1
            .split(separator: " ").map(String.init)
        #expect(names == names.sorted() && Set(names).count == names.count)
        for name in [
            "alacritty", "dumb", "linux", "screen-256color", "tmux-256color", "vt100",
            "xterm-256color", "xterm-kitty",
        ] {
            #expect(names.contains(name), "no \(name)")
        }
        for line in ["USER 10001:10001", "VOLUME /stores", "FROM scratch"] {
            #expect(text.contains("\n" + line + "\n"), "no \(line)")
        }
    }
}
