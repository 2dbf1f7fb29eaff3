import ArgumentParser
import Basics
import Shop
import ShopText
import StoreHost

struct ConfigCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show and check your settings.",
        discussion: """
            Settings of a person for shop and commands are kept in config.toml, in \
            $XDG_CONFIG_HOME/storefront or ~/.config/storefront. The command line comes first, \
            then the environment, then the file, then what the account has chosen on screen. A \
            mistake in the file keeps nothing from opening: the rest of it holds.

            SETTINGS
            \(settings)

            In a table [keys], each key binding can have other keys: buy = "B", or a list of them: \
            down = ["down", "ctrl-n"]. `storefront config show` prints the names of all.
            """,
        subcommands: [Show.self, Check.self, Path.self], defaultSubcommand: Show.self)

    private static var settings: String {
        PersonSetting.allCases.map { setting in
            let words = setting.words?.joined(separator: " ") ?? "as \(setting.option) takes it"
            let gap = String(repeating: " ", count: 11 - setting.rawValue.count)
            return "  \(setting.rawValue)\(gap)$\(setting.variable): \(words)"
        }.joined(separator: "\n")
    }

    struct Show: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print every setting and key, and where it comes from.",
            discussion: """
                What it prints is a settings file; what is as usual in it is a comment. With \
                --json an object a line, first the settings, then the key bindings.

                EXAMPLES
                  storefront config show
                  storefront config show > config.toml
                """)

        @OptionGroup var given: PlainFileOptions

        func run() async throws {
            try await reporting(options, notesMistakes: false) {
                for setting in PersonSetting.allCases { try show(setting) }
                if !options.json { Output.line("\n[keys]") }
                for name in KeyName.allCases { try show(name) }
            }
        }

        private func show(_ setting: PersonSetting) throws {
            let settings = PersonSettings.current
            let found =
                switch setting {
                case .language:
                    settings.language(option: options.language, locale: options.locale)
                case .locale: settings.value(setting, option: options.locale)
                case .theme, .glyphs, .animation, .bandwidth: settings.value(setting, option: nil)
                }
            let value = found?.value ?? setting.usual ?? usual(setting)
            try write(
                json: [
                    "setting": setting.rawValue, "value": value, "source": source(found?.source),
                ] as JSONFields
            ) {
                line(
                    "\(setting.rawValue) = \(setting.isText ? Self.quote(value) : value)",
                    found?.source,
                    usual: setting.isAccounts ? .usualOrAccounts : .usualSetting)
            }
        }

        private func show(_ name: KeyName) throws {
            let settings = PersonSettings.current
            let place = settings.keyLines[name].map { SettingSource.line($0) }
            let words = settings.keys[name]
            try write(
                json: ["key": name.rawValue, "value": words, "source": source(place)] as JSONFields
            ) {
                let list = words.map(Self.quote).joined(separator: ", ")
                line(
                    "\(name.rawValue) = \(words.count == 1 ? list : "[\(list)]")", place,
                    usual: .usualSetting)
            }
        }

        private func usual(_ setting: PersonSetting) -> String {
            setting == .language ? Output.strings.language.code : Output.strings.locale
        }

        private func source(_ source: SettingSource?) -> String? {
            source.map { Output.english[.settingSource($0)] }
        }

        /// As a string of the settings file.
        private static func quote(_ text: String) -> String {
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(escaped)\""
        }

        private func line(_ text: String, _ source: SettingSource?, usual: SettingText) {
            let note = Output.strings[source.map { SettingText.settingSource($0) } ?? usual]
            let text = (source == nil ? "# " : "") + text
            let columns = max(38, TextColumns.count(text) + 2)
            Output.line(UntrustedText.clean(TextColumns.fit(text, columns) + "# " + note))
        }
    }

    struct Check: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Print every mistake in your settings, with its line.",
            discussion: """
                Exit code 65 if there is a mistake, in the file or in a variable of the \
                environment. With --json an object for each.

                EXAMPLE
                  storefront config check
                """)

        @OptionGroup var given: PlainFileOptions

        func run() async throws {
            try await reporting(options, notesMistakes: false) {
                let settings = PersonSettings.current
                for problem in settings.problems {
                    try write(
                        json: [
                            "line": problem.line,
                            "message": Output.english[.settingProblem(problem)],
                        ] as JSONFields
                    ) {
                        Output.line(UntrustedText.shown(Output.strings[.settingProblem(problem)]))
                    }
                }
                guard settings.problems.isEmpty else { throw Exit.badCatalog }
                guard !options.json else { return }
                if settings.hasFile {
                    Output.line(
                        Output.strings[
                            .settingsGood(
                                settings: settings.given.count, keys: settings.keyLines.count)])
                } else {
                    let path = UntrustedText.clean(try SettingsFile.path())
                    Output.line(Output.strings[.noSettingsFile(path: path)])
                }
            }
        }
    }

    struct Path: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print where your settings are kept.",
            discussion: """
                The file need not exist.

                EXAMPLE
                  "${EDITOR:-vi}" "$(storefront config path)"
                """)

        @OptionGroup var given: PlainFileOptions

        func run() async throws {
            try await reporting(options, notesMistakes: false) {
                let path = try SettingsFile.path()
                try write(json: ["path": path]) { Output.line(UntrustedText.clean(path)) }
            }
        }
    }
}
