import CTerminal
import Glibc
package import Terminal

/// The terminal on standard input and output: shows frames and returns events.
///
/// Use it on the main thread only, after `ProcessSignals.prepare()`; only `waker` may be used from
/// other threads. There may be only one at a time. Unless the program is killed by SIGKILL, the
/// terminal is restored to its former mode and screen, however the program ends.
package final class CursesTerminal {
    /// The settings for showing frames and reporting events.
    package struct Options: Sendable {
        /// As far as the terminal has them. Nil for all that it has, or for none if NO_COLOR is
        /// set.
        package var colors: ColorLevel?
        /// Nil to follow the locale.
        package var isASCII: Bool?
        /// Of East Asian characters, 1 or 2.
        package var ambiguousWidth: Int
        /// From the start; see `setPointer`.
        package var hasPointer: Bool
        /// Nil for the theme that fits the terminal's background. The background is not queried if
        /// this theme does not depend on it.
        package var themeName: ThemeName?

        /// The defaults are valid on any terminal; the terminal then keeps the mouse for itself.
        package init(
            colors: ColorLevel? = nil, isASCII: Bool? = nil, ambiguousWidth: Int = 1,
            hasPointer: Bool = false, themeName: ThemeName? = nil
        ) {
            self.colors = colors
            self.isASCII = isASCII
            self.ambiguousWidth = ambiguousWidth
            self.hasPointer = hasPointer
            self.themeName = themeName
        }
    }

    /// Changes only inside `wait`, with a `resized` event.
    package internal(set) var size: Size
    /// The colours and characters that frames may use. `wait` changes the background when the
    /// terminal tells it, with a `background` event; the program may change the theme.
    package var capabilities: Capabilities
    /// Ends `wait` from another thread.
    package let waker = Waker()

    var painter: Painter
    var input = InputReader()
    let signals: Int32
    var hasPointer = false
    private var cursor: Position?
    private var isCursorVisible = false
    /// The latest frame, while output of an earlier frame is still pending; nil otherwise.
    private var nextFrame: Frame?
    private(set) var isOpen = true
    /// Called before Ctrl-Z stops the program, after the terminal is restored. The stop waits until
    /// the closure returns.
    package var beforeStop: () -> Void = {}
    /// Of updates, by private mode 2026. The first frame sends the query.
    var synchronizing: Synchronizing

    enum Synchronizing { case unknown, asked(ContinuousClock.Instant), yes, no }

    /// By OSC 11. The first frame sends the query.
    var backgroundQuery: BackgroundQuery

    enum BackgroundQuery { case unasked, asked(ContinuousClock.Instant), answered, never }

    /// Operating system commands (OSC).
    let understandsCommands: Bool

    /// In raw mode. The first `show` paints the screen.
    package init(_ options: Options) throws(TerminalError) {
        let name = try Self.open()
        let colorCount = Int(ct_colors())
        let isASCII = options.isASCII ?? !ct_is_utf8()
        capabilities = Capabilities(
            colors: Self.colors(wanted: options.colors, count: colorCount),
            measure: .ofTerminal(isASCII: isASCII, ambiguousWidth: options.ambiguousWidth),
            background: Self.assumedBackground, themeName: options.themeName)
        painter = Painter(colors: capabilities.colors, colorCount: colorCount)
        synchronizing = Self.supportsModeQuery(name) ? .unknown : .no
        understandsCommands = Self.understandsCommands(name)
        let needsBackground =
            capabilities.colors != .mono && options.themeName?.followsBackground != false
        backgroundQuery = understandsCommands && needsBackground ? .unasked : .never
        signals = ct_signal_descriptor()
        size = Size(columns: 0, rows: 0)
        updateSize()
        ct_guard()
        ct_queue(Self.pasteOn)
        if options.hasPointer {
            hasPointer = true
            ct_queue(Self.pointerOn)
        }
    }

    deinit {
        close()
        Glibc.close(signals)
    }

    /// Writes only the cells that differ from the last frame, in one write(2) if the terminal takes
    /// it, and nothing if none differs.
    ///
    /// Never blocks while the terminal accepts no output. `wait` then writes only the latest frame,
    /// once the earlier output is written.
    package func show(_ frame: Frame) {
        guard isOpen else { return }
        guard ct_flush() else {
            nextFrame = frame
            return
        }
        nextFrame = nil
        guard painter.paint(frame, on: size) else { return }
        cursor = frame.cursor
        isCursorVisible = frame.isCursorVisible
        update()
    }

    /// Sends the rest of earlier output before. Called when the terminal accepts output again.
    func showNextFrame() {
        if ct_flush(), let nextFrame { show(nextFrame) }
    }

    func update() {
        let place = cursor ?? Position(column: 0, row: 0)
        var (isWhole, question) = (false, "")
        if case .unasked = backgroundQuery {
            (backgroundQuery, question) = (.asked(.now), Self.backgroundQuestion)
        }
        switch synchronizing {
        case .unknown:
            synchronizing = .asked(.now)
            question += Self.synchronizedQuestion
        case .yes: isWhole = true
        case .asked, .no: break
        }
        ct_update(
            Int32(max(0, min(place.column, size.columns - 1))),
            Int32(max(0, min(place.row, size.rows - 1))),
            isCursorVisible && cursor != nil, isWhole, question)
    }

    /// Clicks and the wheel (xterm modes 1000 and 1006). While they are not reported, the terminal
    /// itself selects text and scrolls with them.
    package func setPointer(_ isOn: Bool) {
        guard isOpen, isOn != hasPointer else { return }
        hasPointer = isOn
        ct_send(isOn ? Self.pointerOn : Self.pointerOff)
    }

    /// After all output so far. The sequence must not change the screen or the cursor.
    package func send(_ sequence: String) {
        if isOpen { ct_send(sequence) }
    }

    /// Restores the terminal's former mode and screen. Later calls have no effect.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        awaitReports()
        ct_queue(Self.modesOff)
        ct_close()
        ct_unguard()
    }

    /// Returns whether the size has changed.
    @discardableResult
    func updateSize() -> Bool {
        var (columns, rows): (Int32, Int32) = (0, 0)
        ct_size(&columns, &rows)
        var (newColumns, newRows) = (columns, rows)
        if ct_measure(&newColumns, &newRows), newColumns != columns || newRows != rows {
            ct_resize(newColumns, newRows)
            ct_size(&columns, &rows)
        }
        let before = size
        size = Size(columns: Int(columns), rows: Int(rows))
        return size != before
    }

    // MARK: - Sequences without a curses function

    static let pasteOn = "\u{1B}[?2004h"
    static let pointerOn = "\u{1B}[?1000h\u{1B}[?1006h"
    static let pointerOff = "\u{1B}[?1006l\u{1B}[?1000l"
    static let modesOff = pointerOff + "\u{1B}[?2004l"
    static let synchronizedMode = 2026
    private static let synchronizedQuestion = "\u{1B}[?2026$p"
    private static let backgroundQuestion = "\u{1B}]11;?\u{7}"
}
