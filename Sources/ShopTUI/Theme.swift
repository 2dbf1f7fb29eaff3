package import Terminal

/// The few looks the shop has. One accent: what is selected, and the one thing to do next.
package enum Theme {
    package static let plain = Style.plain
    package static let strong = Style(weight: .bold)
    package static let quiet = Style(weight: .dim)
}
