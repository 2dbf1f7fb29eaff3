package import ShopCore
package import Terminal

/// The actions of keys, pasted text and the pointer. On every screen a letter has the same meaning.
package enum KeyMap {
    /// The action of a key in the present state; nil for a key without one. On a screen that is too
    /// small to show the shop only leaving is possible (`q`, Ctrl-C), so that nothing is done
    /// unseen.
    package static func action(
        for key: Key, in state: ShopState, on layout: Layout
    ) -> ShopAction? {
        guard layout.isTooSmall else { return action(for: key, in: state) }
        return key == .character("q") || key == .control("c") ? .quitChosen : nil
    }

    /// The action of a key in the present state, on a screen of sufficient size; nil for a key
    /// without one.
    package static func action(for key: Key, in state: ShopState) -> ShopAction? {
        if key == .control("c") { return .quitChosen }
        let focus = state.focus
        if case .character(let character) = key, let typed = focus.view.typed(String(character)) {
            return typed
        }
        if key == .backspace, let erased = focus.view.erased { return erased }
        return bound[focus.rawValue].first { $0.key == key }?.action
    }

    /// The keys and actions of each component, by its `rawValue`.
    private static let bound: [[(key: Key, action: ShopAction)]] = Component.allCases.map { one in
        one.view.keys.flatMap { binding in
            binding.keys.map { (key: $0, action: binding.action) }
        }
    }

    /// The action of pasted text: it is typed where text is taken, and does nothing elsewhere.
    /// Pasted characters never act as keys.
    package static func action(forPasted text: String, in state: ShopState) -> ShopAction? {
        state.focus.view.typed(text)
    }

    /// The action of a click or of the wheel on the last drawing; nil where a click does nothing.
    package static func action(for pointer: PointerEvent, on drawing: ShopDrawing) -> ShopAction? {
        switch pointer {
        case .clicked(let position): drawing.action(at: position)
        case .wheel(_, let rows): .selectionMoved(.rows(rows))
        }
    }
}
