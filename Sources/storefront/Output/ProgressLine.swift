import Basics
import Foundation
import ShopText
import StoreModel
import Synchronization

extension Download.State {
    var isGivenUp: Bool { self == .cancelled || self == .deleted }
}

/// Shows downloads: on a terminal in one line, elsewhere in a new line for each new state. Once a
/// second the line on a terminal is written again, because it tells how long no bytes have come.
final class ProgressLine: Sendable {
    private struct Shown {
        var states: [String: Download.State] = [:]
        var isOpen = false
        var downloads: [Download] = []
        var windows: [String: RateWindow] = [:]
    }
    private let shown = Mutex(Shown())
    private let begun = ContinuousClock.now

    init() {
        guard Output.errorIsTerminal else { return }
        Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil, let self {
                self.shown.withLock { self.write(&$0) }
            }
        }
    }

    func show(_ downloads: [Download]) {
        shown.withLock { shown in
            shown.downloads = downloads
            write(&shown)
        }
    }

    private func write(_ shown: inout Shown) {
        let elapsed = begun.duration(to: .now)
        for download in shown.downloads {
            let key = "\(download.productID)/\(download.contentID)"
            // A package that was cancelled or deleted before is not shown.
            guard shown.states[key] != nil || !download.state.isGivenUp else { continue }
            let changed =
                shown.states.updateValue(download.state, forKey: key) != download.state
            guard Output.errorIsTerminal else {
                if changed { Output.note(Self.plainText(download)) }
                continue
            }
            guard download.state == .active || changed else { continue }
            shown.isOpen = true
            shown.windows[key, default: RateWindow()].add(download.bytesReceived, at: elapsed)
            // A line that wraps cannot be rewritten, so it leaves the last column empty.
            let line = Self.text(
                download, silentSeconds: shown.windows[key]?.silentSeconds(at: elapsed),
                columns: Output.errorColumns - 1)
            Output.remark("\r\u{1B}[K\(line)")
            if download.state.isComplete || download.state == .paused { Self.close(&shown) }
        }
    }

    /// Ends the present line, which stays on the screen.
    func end() {
        shown.withLock { shown in
            Self.close(&shown)
            shown.downloads = []
        }
    }

    private static func close(_ shown: inout Shown) {
        if shown.isOpen { Output.note("") }
        shown.isOpen = false
    }

    /// "lantern.book 1.2, text: ████▌      54 %, 210 kB/s, 0:07 left"
    private static func text(_ download: Download, silentSeconds: Int? = nil) -> String {
        let name = "\(download.productID) \(download.contentID)"
        switch download.state {
        case .active:
            let strings = Output.strings
            var parts = [
                "\(Measures.bar(download.progress, columns: 20)) \(Measures.percent(download.progress))"
            ]
            if let silentSeconds {
                parts.append(strings[.noData(seconds: silentSeconds)])
                return "\(name): " + parts.joined(separator: strings[.listSeparator])
            }
            if let rate = download.bytesPerSecond.flatMap(Measures.rate) { parts.append(rate) }
            if let seconds = download.secondsRemaining {
                parts.append(strings[.timeLeft(Measures.clock(seconds: seconds))])
            }
            return "\(name): " + parts.joined(separator: strings[.listSeparator])
        case .finished:
            let size = Measures.bytes(download.bytesExpected)
            return "\(name): \(state(download))" + Output.strings[.listSeparator] + size
        case .waiting, .paused, .cancelled, .deleted, .failed: return "\(name): \(state(download))"
        }
    }

    /// First the product's name is shortened, then the end of the line.
    private static func text(
        _ download: Download, silentSeconds: Int?, columns: Int
    ) -> String {
        let whole = text(download, silentSeconds: silentSeconds)
        let excess = TextColumns.count(whole) - columns
        guard excess > 0 else { return whole }
        let name = download.productID.rawValue
        let kept = max(TextColumns.count(name) - excess, 1)
        let short = TextColumns.fit(name, kept) + whole.dropFirst(name.count)
        return TextColumns.count(short) <= columns
            ? short : TextColumns.fit(short, max(columns, 1))
    }

    /// The line for an output that cannot be rewritten: the state, without a bar.
    private static func plainText(_ download: Download) -> String {
        guard download.state == .active else { return text(download) }
        return "\(download.productID) \(download.contentID): \(state(download))"
            + Output.strings[.listSeparator] + Measures.bytes(download.bytesExpected)
    }

    private static func state(_ download: Download) -> String {
        Output.strings[
            download.waitsForRoom
                ? DownloadLineText.downloadWaitsForRoom : .downloadState(download.state)]
    }
}
