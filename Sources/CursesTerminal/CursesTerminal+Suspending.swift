import CTerminal
import Terminal

extension CursesTerminal {
    /// Gives the terminal back and stops the program with its whole process group, as a shell
    /// expects of Ctrl-Z. Returns when it is continued, with the screen as it was.
    func suspend() -> [TerminalEvent] {
        if isOpen {
            awaitAnswer()
            ct_queue(Self.modesOff)
            ct_leave()
            ct_unguard()
            beforeStop()
            ct_stop_group()
        }
        return takeAgain()
    }

    /// Takes the terminal again; it may have another size now.
    func takeAgain() -> [TerminalEvent] {
        guard isOpen else { return [] }
        ct_guard()
        ct_enter()
        ct_queue(Self.pasteOn)
        if hasPointer { ct_queue(Self.pointerOn) }
        let isResized = takeSize()
        if isResized { painter.forget() }
        update()
        return (isResized ? [.resized(size)] : []) + [.resumed]
    }
}
