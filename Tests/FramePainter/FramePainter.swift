import CursesTerminal
import Foundation
import Glibc
import Terminal
import TerminalTestSupport

/// A program for terminal tests: it shows sample frames and reports each step in an OSC sequence
/// that terminals do not show.
///
/// Enter, a resize and a wake each show the next frame; "q" ends, and `press` handles the other
/// letters. Arguments: a seed, then any of mono, basic, ascii, pointer.
@main
struct FramePainter {
    private let terminal: CursesTerminal
    private let frames: SampleFrames
    private var number = 0

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
                        hasPointer: arguments.contains("pointer"))),
                seed: arguments.first.flatMap { UInt64($0) } ?? 0)
            painter.run()
        } catch {
            print("error: \(error)")
            exit(2)
        }
    }

    private init(terminal: CursesTerminal, seed: UInt64) {
        self.terminal = terminal
        frames = SampleFrames(seed: seed, measure: terminal.capabilities.measure)
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

    private func press(_ letter: Character) -> Bool {
        switch letter {
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
            // Like a program that has not noticed a resize yet.
            show(Size(columns: terminal.size.columns + 30, rows: terminal.size.rows + 10))
        default: return false
        }
        return true
    }

    private func show(_ size: Size) {
        terminal.show(frames.frame(number, size: size))
        say("frame \(number) \(size.columns) \(size.rows)")
    }

    /// Written to the same stream as the screen, so that everything painted before arrives before
    /// it.
    private func say(_ text: String) { terminal.send("\u{1B}]777;\(text)\u{7}") }

    private static func crash(_ nothing: [Int]) {
        let index = nothing.count
        print(nothing[index])
    }
}
