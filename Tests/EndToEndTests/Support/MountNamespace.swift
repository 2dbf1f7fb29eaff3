import Foundation
import Testing

/// Mounts in a mount namespace of one script (unshare(1)), which end with the script. They make a
/// disk full or read-only even for root, which ignores permissions.
enum MountNamespace {
    /// Runs a script in bash with `$program` and `$store`.
    static func run(_ script: String, in box: Sandbox) async throws -> RunningProgram.Answer {
        var environment = box.environment
        environment["PATH"] = Program.toolPath
        environment["program"] = Program.path
        environment["store"] = box.store
        return try await RunningProgram(
            "unshare", ["--mount", "bash", "-c", script], environment: environment,
            folder: box.work
        ).end()
    }

    /// Runs the program with these words, while the folder of its store cannot be written.
    static func readOnly(
        _ words: String, in box: Sandbox
    ) async throws -> RunningProgram.Answer {
        try await run(
            """
            mount --bind "$store" "$store" && mount -o remount,ro,bind "$store" || exit 99
            exec "$program" \(words)
            """, in: box)
    }

    static func isPossible() async throws -> Bool {
        let script = "mount -t tmpfs -o size=64k tmpfs /mnt"
        return try await Program.tool("unshare", "--mount", "bash", "-c", script).code == 0
    }
}

extension Trait where Self == ConditionTrait {
    static var withMounts: Self {
        .enabled("Mounting is not possible here: it takes root.") {
            try await MountNamespace.isPossible()
        }
    }

    static var withUserNamespaces: Self {
        .enabled("User namespaces are not possible here.") {
            try await Program.tool("unshare", "--user", "--map-user=54321", "true").code == 0
        }
    }
}
