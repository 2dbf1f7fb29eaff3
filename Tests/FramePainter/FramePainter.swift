import CursesTerminal
import Glibc
import Terminal
import TerminalTestSupport

/// A program for the tests to run on a terminal of theirs: shows sample frames and says after each
/// step, in an OSC sequence that terminals do not show, what it was and how the step came about.
///
/// Enter shows the next frame, a new size too; "t" sends SIGTSTP, "x" crashes, "q" ends. Arguments: seed, then any of
/// mono, basic, ascii, pointer.
@main
struct FramePainter {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        ProcessSignals.prepare()
        do {
            try paint(
                seed: arguments.first.flatMap { UInt64($0) } ?? 0,
                options: CursesTerminal.Options(
                    colors: arguments.contains("mono")
                        ? .mono : arguments.contains("basic") ? .basic : nil,
                    isASCII: arguments.contains("ascii") ? true : nil,
                    hasPointer: arguments.contains("pointer")))
        } catch {
            print("error: \(error)")
            exit(2)
        }
    }

    private static func paint(seed: UInt64, options: CursesTerminal.Options) throws {
        let terminal = try CursesTerminal(options)
        defer { terminal.close() }
        let frames = SampleFrames(seed: seed, measure: terminal.capabilities.measure)
        var number = 0
        show(frames, number, on: terminal)
        say("frame \(number) \(terminal.size.columns) \(terminal.size.rows)")
        while true {
            let events = terminal.wait(until: nil)
            // What was typed into one read is handled in one go.
            for event in events {
                switch event {
                case .key(.enter), .resized, .woken:
                    number += 1
                    show(frames, number, on: terminal)
                    say("frame \(number) \(terminal.size.columns) \(terminal.size.rows)")
                case .key(.character("q")): return
                case .key(.character("x")): crash([])
                case .key(.character("t")): kill(getpid(), SIGTSTP)
                case .ended: return say("\(event)")
                default: say("\(event)")
                }
            }
        }
    }

    private static func show(_ frames: SampleFrames, _ number: Int, on terminal: CursesTerminal) {
        terminal.show(frames.frame(number, size: terminal.size))
    }

    /// In the stream of the screen itself, so that what was painted before it has arrived before it.
    private static func say(_ text: String) {
        let bytes = Array("\u{1B}]777;\(text)\u{7}".utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func crash(_ nothing: [Int]) {
        let index = nothing.count
        print(nothing[index])
    }
}
