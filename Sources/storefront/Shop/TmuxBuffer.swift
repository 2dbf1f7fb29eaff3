import Foundation

/// The buffer of a tmux around the program. With its default settings tmux takes no text for the
/// clipboard from a program inside it (OSC 52). So tmux itself is asked: it keeps the text in its
/// buffer, and passes it on to the terminal around it.
enum TmuxBuffer {
    static func isAround(_ environment: [String: String]) -> Bool {
        environment["TMUX"]?.isEmpty == false
    }

    /// Returns at once.
    ///
    /// - Parameter onFailure: called if tmux cannot be run, or refuses; on another thread.
    static func load(_ text: String, onFailure: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async {
            // Before version 3.2 tmux had no -w, which passes the text on.
            let isLoaded =
                tmux(["load-buffer", "-w", "-"], input: text)
                || tmux(["load-buffer", "-"], input: text)
            if !isLoaded { onFailure() }
        }
    }

    private static func tmux(_ arguments: [String], input: String) -> Bool {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["tmux"] + arguments
        process.standardInput = pipe
        // The screen belongs to the shop.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        // A tmux that ends without reading leaves a closed pipe; its exit code tells.
        try? pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
