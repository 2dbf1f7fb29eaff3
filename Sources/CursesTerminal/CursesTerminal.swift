import CTerminal
import Glibc
package import Terminal

/// The terminal on standard input and output: shows frames, and tells what a person did.
///
/// For one thread, the main one, after `ProcessSignals.prepare()`; only `waker` may be used from
/// others. There is one at a time. However the program ends short of `kill -9`, the terminal is
/// given back as it was found.
package final class CursesTerminal {
    package struct Options: Sendable {
        /// Nil: what terminfo says, or mono where NO_COLOR is set.
        package var colors: ColorLevel?
        /// Nil: what the locale says.
        package var isASCII: Bool?
        /// Columns the terminal gives to East Asian characters of ambiguous width, 1 or 2.
        package var ambiguousWidth: Int
        package var hasPointer: Bool

        package init(
            colors: ColorLevel? = nil, isASCII: Bool? = nil, ambiguousWidth: Int = 1,
            hasPointer: Bool = false
        ) {
            self.colors = colors
            self.isASCII = isASCII
            self.ambiguousWidth = ambiguousWidth
            self.hasPointer = hasPointer
        }
    }

    package internal(set) var size: Size
    package let capabilities: Capabilities
    package let waker = Waker()

    var painter: Painter
    var input = InputReader()
    let signals: Int32
    var hasPointer = false
    private var cursor: Position?
    private var isCursorVisible = false
    /// Shown when the terminal has taken the frame before.
    private var nextFrame: Frame?
    private(set) var isOpen = true
    /// Called when the program is about to stop, as Ctrl-Z does; the terminal is given back by then.
    package var beforeStop: () -> Void = {}
    /// Whether a whole update can be shown at once: the terminal is asked after the first frame.
    var synchronizing: Synchronizing

    enum Synchronizing { case unknown, asked(ContinuousClock.Instant), yes, no }

    package init(_ options: Options) throws(TerminalError) {
        let name = try Self.open()
        let colorCount = Int(ct_colors())
        let isASCII = options.isASCII ?? !ct_is_utf8()
        capabilities = Capabilities(
            colors: Self.colors(wanted: options.colors, count: colorCount),
            measure: .ofTerminal(isASCII: isASCII, ambiguousWidth: options.ambiguousWidth))
        painter = Painter(colors: capabilities.colors, colorCount: colorCount)
        synchronizing = Self.canBeAsked(name) ? .unknown : .no
        signals = ct_signal_descriptor()
        size = Size(columns: 0, rows: 0)
        takeSize()
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

    /// Brings a frame onto the screen: only what differs from the last one is written, and nothing
    /// at all if nothing does. Never waits for a terminal that takes no output: the last of the
    /// frames shown meanwhile follows when it takes some.
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

    /// The terminal takes output again.
    func showNextFrame() {
        if ct_flush(), let nextFrame { show(nextFrame) }
    }

    /// Brings what was painted onto the terminal.
    func update() {
        let place = cursor ?? Position(column: 0, row: 0)
        var (isWhole, question) = (false, "")
        switch synchronizing {
        case .unknown: (synchronizing, question) = (.asked(.now), Self.synchronizedQuestion)
        case .yes: isWhole = true
        case .asked, .no: break
        }
        ct_update(
            Int32(max(0, min(place.column, size.columns - 1))),
            Int32(max(0, min(place.row, size.rows - 1))),
            isCursorVisible && cursor != nil, isWhole, question)
    }

    /// Listens to clicks and the wheel, or leaves them to the terminal.
    package func setPointer(_ isOn: Bool) {
        guard isOpen, isOn != hasPointer else { return }
        hasPointer = isOn
        ct_send(isOn ? Self.pointerOn : Self.pointerOff)
    }

    /// Writes a control sequence that no frame has, after all that was shown.
    package func send(_ sequence: String) {
        if isOpen { ct_send(sequence) }
    }

    /// Gives the terminal back. Once is enough, more is no harm.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        awaitAnswer()
        ct_queue(Self.modesOff)
        ct_close()
        ct_unguard()
    }

    /// The size as the terminal tells it now. Whether it is another one.
    @discardableResult
    func takeSize() -> Bool {
        var (columns, rows): (Int32, Int32) = (0, 0)
        ct_size(&columns, &rows)
        var (told, toldRows) = (columns, rows)
        if ct_measure(&told, &toldRows), told != columns || toldRows != rows {
            ct_resize(told, toldRows)
            ct_size(&columns, &rows)
        }
        let before = size
        size = Size(columns: Int(columns), rows: Int(rows))
        return size != before
    }

    // MARK: - Sequences curses has no words for

    static let pasteOn = "\u{1B}[?2004h"
    static let pointerOn = "\u{1B}[?1000h\u{1B}[?1006h"
    static let pointerOff = "\u{1B}[?1006l\u{1B}[?1000l"
    static let modesOff = pointerOff + "\u{1B}[?2004l"
    static let synchronizedMode = 2026
    private static let synchronizedQuestion = "\u{1B}[?2026$p"
}
