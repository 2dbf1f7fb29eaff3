import CTerminal
import Terminal

extension CursesTerminal {
    /// Restores the terminal and stops the whole process group, as a shell expects after Ctrl-Z.
    /// Returns when the program is continued and its screen is painted again.
    func suspend() -> [TerminalEvent] {
        if isOpen {
            awaitReports()
            ct_queue(Self.modesOff)
            ct_leave()
            ct_unguard()
            beforeStop()
            ct_stop_group()
        }
        return reenter()
    }

    /// Sets the terminal up again after a stop and paints the screen, at its present size.
    func reenter() -> [TerminalEvent] {
        guard isOpen else { return [] }
        ct_guard()
        ct_enter()
        ct_queue(Self.pasteOn)
        if hasPointer { ct_queue(Self.pointerOn) }
        let isResized = updateSize()
        if isResized { painter.forget() }
        update()
        return (isResized ? [.resized(size)] : []) + [.resumed]
    }
}
