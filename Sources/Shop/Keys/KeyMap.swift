package import Terminal

/// Maps keys, pasted text and pointer events to actions. A letter means the same on every screen.
package enum KeyMap {
    /// Nil for a key without an action. A key of another script acts by its place or its width
    /// (`LatinKeys`). On a screen too small for the shop, only `q` and Ctrl-C
    /// act, so that no key changes something that the customer cannot see.
    package static func action(
        for key: Key, in state: ShopState, on layout: Layout
    ) -> ShopAction? {
        guard layout.isTooSmall else { return action(for: key, in: state) }
        let isQuit = KeyBinding.quit.keys(state.own.keys).contains(LatinKeys.key(for: key))
        return isQuit || key == .control("c") ? .quitChosen : nil
    }

    /// As on a screen that is large enough; nil for a key without an action.
    package static func action(for key: Key, in state: ShopState) -> ShopAction? {
        if key == .control("c") { return .quitChosen }
        let focus = state.focus
        if case .character(let character) = key, let typed = focus.type.typed(String(character)) {
            return typed
        }
        if key == .backspace, let erased = focus.type.erased { return erased }
        let latin = LatinKeys.key(for: key)
        let bindings =
            focus.type.keys + (state.shop.isDemo ? [.reset] : [])
            + (state.tour == nil ? [] : Tour.keys)
        // A person may have chosen a letter of another script.
        for pressed in key == latin ? [key] : [key, latin] {
            if let binding = bindings.first(where: { $0.keys(state.own.keys).contains(pressed) }) {
                return binding.action
            }
        }
        return LatinKeys.isOfOtherScript(latin) ? .otherLetterTyped : nil
    }

    /// Nil where no text field is focused: pasted characters never act as keys.
    package static func action(forPasted text: String, in state: ShopState) -> ShopAction? {
        state.focus.type.typed(text)
    }

    /// Nil where a click does nothing.
    package static func action(for pointer: PointerEvent, on drawing: ShopDrawing) -> ShopAction? {
        switch pointer {
        case .clicked(let position): drawing.action(at: position)
        case .wheel(_, let rows): .selectionMoved(.rows(rows))
        }
    }
}
