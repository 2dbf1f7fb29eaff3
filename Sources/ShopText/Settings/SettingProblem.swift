package import Basics

/// Where a value comes from that hides the account's.
package enum SettingSource: Hashable, Sendable {
    /// Of the command line, as `--theme`.
    case option(String)
    /// Of the environment, without the `$`.
    case variable(String)
    /// A line of the settings file.
    case line(Int)
}

/// A mistake in a person's settings. What it is about keeps its usual value; the rest holds.
package struct SettingProblem: Hashable, Sendable {
    /// Nil for the file as a whole.
    package var place: SettingSource?
    package var what: What

    package init(_ place: SettingSource?, _ what: What) {
        self.place = place
        self.what = what
    }

    /// The nearest right word is nil where none is near.
    package enum What: Hashable, Sendable {
        case syntax(SettingsText.Fault)
        case noSuchTable(String, nearest: String?)
        case noSuchSetting(String, nearest: String?)
        case noSuchBinding(String, nearest: String?)
        case noSuchKey(String, nearest: String?)
        case wrongValue(setting: String, found: String, Expected, nearest: String?)
        case wrongKeys(binding: String)
        /// It always does the same.
        case fixedKey(String)
        /// Two bindings of a screen have one key. `other` is nil for keys that no setting changes.
        case sharedKey(String, binding: String, other: String?)
        case notAFile
        case tooLong(bytesMax: Int)
        case unreadable(reason: String)
    }

    /// What a setting takes.
    package enum Expected: Hashable, Sendable {
        case oneOf([String])
        case trueOrFalse
        case locale
        case bandwidth
    }
}
