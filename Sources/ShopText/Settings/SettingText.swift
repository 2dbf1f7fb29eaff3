/// What the program says about a person's settings.
package indirect enum SettingText: Hashable, Sendable {
    case settingsGood(settings: Int, keys: Int), noSettingsFile(path: String)
    case settingsFaulty(Int), settingProblem(SettingProblem)
    case settingSource(SettingSource), usualSetting, usualOrAccounts
    /// A change on screen is the account's, and something else comes first.
    case keptForAccount(SettingSource)
}
