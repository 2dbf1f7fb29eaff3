import CursesTerminal
import Foundation
import Glibc
import Terminal
import TerminalTestSupport

/// A program for terminal tests: it shows sample frames and reports each step in an OSC sequence
/// that terminals do not show.
///
/// Enter, a resize and a wake each show the next frame; "q" ends, and `press` handles the other
/// letters. Arguments: a seed, then any of mono, basic, ascii, pointer, the name of a theme, and
/// brief, which ends the program after the first frame.
@main
struct FramePainter {
    private let terminal: CursesTerminal
    private let frames: SampleFrames
    private var number = 0
    private var page: PageColors?
    private static let pages = [
        PageColors(text: Color(rich: 180, basic: 7), background: Color(rich: 234, basic: 0)),
        PageColors(text: Color(rich: 236, basic: 0), background: Color(rich: 230, basic: 7)),
    ]

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        ProcessSignals.prepare()
        do {
            var painter = FramePainter(
                terminal: try CursesTerminal(
                    CursesTerminal.Options(
                        colors: arguments.contains("mono")
                            ? .mono : arguments.contains("basic") ? .basic : nil,
                        isASCII: arguments.contains("ascii") ? true : nil,
                        hasPointer: arguments.contains("pointer"),
                        themeName: arguments.lazy.compactMap(ThemeName.init(rawValue:)).first {
                            $0 != .mono
                        })),
                seed: arguments.first.flatMap { UInt64($0) } ?? 0)
            if arguments.contains("brief") { painter.runBriefly() } else { painter.run() }
        } catch {
            print("error: \(error)")
            exit(2)
        }
    }

    private init(terminal: CursesTerminal, seed: UInt64) {
        self.terminal = terminal
        frames = SampleFrames(seed: seed, measure: terminal.capabilities.measure)
    }

    /// Shows a frame and ends. Prints the input that it left for the shell.
    private func runBriefly() {
        show(terminal.size)
        terminal.close()
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 100)
        // In canonical mode the terminal's line discipline would hold input back until a line end.
        var mode = termios()
        tcgetattr(STDIN_FILENO, &mode)
        mode.c_lflag &= ~tcflag_t(ICANON)
        tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        let count = poll(&input, 1, 0) > 0 ? read(STDIN_FILENO, &bytes, bytes.count) : 0
        mode.c_lflag |= tcflag_t(ICANON)
        tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        print("left: \(count)")
    }

    private mutating func run() {
        defer { terminal.close() }
        show(terminal.size)
        while true {
            for event in terminal.wait(until: nil) {
                switch event {
                case .key(.enter), .resized, .woken:
                    number += 1
                    show(terminal.size)
                case .key(.character("q")): return
                case .key(.character(let letter)) where press(letter): break
                case .ended: return say("\(event)")
                default: say("\(event)")
                }
            }
        }
    }

    private mutating func press(_ letter: Character) -> Bool {
        switch letter {
        case "s":
            page = page == Self.pages[0] ? Self.pages[1] : page == nil ? Self.pages[0] : nil
            show(terminal.size)
        case "i": say("\(terminal.capabilities.background)")
        case "c": say("copied: \(terminal.copy("Lantern\t\u{1B}[31m灯台\n"))")
        case "l":
            // 74,994 bytes of base64, in groups of four, encode at most 56,244 bytes.
            let longest = String(repeating: "x", count: 56_244)
            say("copied: \(terminal.copy(longest)), \(terminal.copy(longest + "x"))")
        case "e": say("copied: \(terminal.copy("\u{1B}\u{7}"))")
        case "x": Self.crash([])
        case "t": kill(getpid(), SIGTSTP)
        case "p":
            terminal.setPointer(true)
            say("pointer")
        case "w":
            let waker = terminal.waker
            Thread.detachNewThread { waker.wake() }
        case "d":
            let deadline = ContinuousClock.now + .milliseconds(1)
            let events = terminal.wait(until: deadline)
            say("waited: \(events.count), \(ContinuousClock.now >= deadline)")
        case "b":
            // Draws at another size, as a program does that has not noticed a resize yet.
            show(Size(columns: terminal.size.columns + 30, rows: terminal.size.rows + 10))
        default: return false
        }
        return true
    }

    private func show(_ size: Size) {
        var frame = frames.frame(number, size: size)
        frame.page = page
        terminal.show(frame)
        say("frame \(number) \(size.columns) \(size.rows)")
    }

    /// On the screen's own stream, so that everything painted before arrives before it.
    private func say(_ text: String) { terminal.send("\u{1B}]777;\(text)\u{7}") }

    private static func crash(_ nothing: [Int]) {
        let index = nothing.count
        print(nothing[index])
    }
}
