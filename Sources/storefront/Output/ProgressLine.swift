import Foundation
import StoreModel

/// Downloads on a terminal: one line that is rewritten. Elsewhere: a line when a state changes.
final class ProgressLine {
    private var lastStates: [String: Download.State] = [:]
    private var isOpen = false

    func show(_ downloads: [Download]) {
        for download in downloads {
            let key = "\(download.productID)/\(download.contentID)"
            let changed = lastStates[key] != download.state
            lastStates[key] = download.state
            if Output.errorIsTerminal {
                guard download.state == .active || changed else { continue }
                rewrite(Self.text(download))
                if download.state.isSettled || download.state == .paused { end() }
            } else if changed {
                Output.note(Self.text(download))
            }
        }
    }

    /// Leaves the last line standing.
    func end() {
        if isOpen { Output.note("") }
        isOpen = false
    }

    private func rewrite(_ text: String) {
        isOpen = true
        FileHandle.standardError.write(Data(("\r\u{1B}[K" + text).utf8))
    }

    /// "lantern.book 1.2, text: ████▌      54 %, 210 kB/s, 0:07 left"
    static func text(_ download: Download) -> String {
        let name = "\(download.productID) \(download.contentID)"
        switch download.state {
        case .active:
            let percent = Int(download.progress * 100)
            var parts = ["\(bar(download.progress, columns: 20)) \(percent) %"]
            if let rate = download.bytesPerSecond { parts.append("\(Int(rate / 1000)) kB/s") }
            if let seconds = download.secondsRemaining {
                let whole = Int(seconds.rounded(.up))
                let rest = String(whole % 60)
                parts.append(
                    "\(whole / 60):\(rest.count == 1 ? "0" + rest : rest) left")
            }
            return "\(name): " + parts.joined(separator: ", ")
        case .failed: return "\(name): failed"
        case .finished: return "\(name): downloaded, \(download.bytesExpected) bytes"
        case .waiting, .paused, .cancelled: return "\(name): \(download.state.rawValue)"
        }
    }

    private static func bar(_ progress: Double, columns: Int) -> String {
        let eighths = Int((progress * Double(columns) * 8).rounded(.down))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let filled = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return filled + String(repeating: " ", count: max(0, columns - filled.count))
    }
}
