package import Basics

/// Where a value comes from that hides the account's.
package enum SettingSource: Hashable, Sendable {
    /// Of the command line, as `--theme`.
    case option(String)
    /// Of the environment, without the `$`.
    case variable(String)
    /// A line of the settings file.
    case line(Int)

    /// The command line comes first, then the environment, then the file.
    package func comesBefore(_ other: Self) -> Bool {
        switch (self, other) {
        case (.option, .variable), (.option, .line), (.variable, .line): true
        default: false
        }
    }
}

/// A mistake in a person's settings. What it is about keeps its usual value; the rest holds.
package struct SettingProblem: Hashable, Sendable {
    /// Nil for the file as a whole.
    package var place: SettingSource?
    package var found: String
    package var expected: Expected
    /// The nearest right word; nil where none is near.
    package var nearest: String?

    package init(
        _ place: SettingSource?, _ found: String, _ expected: Expected, nearest: String? = nil
    ) {
        self.place = place
        self.found = found
        self.expected = expected
        self.nearest = nearest
    }

    /// What should have been found.
    package enum Expected: Hashable, Sendable {
        case syntax(SettingsText.Expected)
        case table, setting, trueOrFalse, locale, bandwidth
        case word([String])
        case binding, key, keys
        /// Not one that always does the same.
        case chosenKey
        /// Not one that this binding has on the same screen; nil for keys that cannot be chosen.
        case keyBeside(String?)
        case file, fewerBytes, readableFile
    }
}
