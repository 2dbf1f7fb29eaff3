import Basics
import Foundation
import Shop
import ShopText
import StoreCatalog
import StoreHost
import StoreModel
import Terminal

/// The file in which a person keeps settings.
enum SettingsFile {
    private static let bytesMax = 65_536

    static func path() throws(StoreError) -> String {
        try StoragePaths.current.configurationFolder() + "/config.toml"
    }

    static func read() -> PersonSettings.File {
        guard let path = try? path() else { return .none }
        // O_NONBLOCK: without it, opening a named pipe would wait for its other end.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let code = errno
        guard file >= 0 else {
            return code == ENOENT || code == ENOTDIR
                ? .none : .problem(systemMessage(code), .readableFile)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .problem("a folder or the like", .file)
        }
        do {
            guard let bytes = try FileHandle(fileDescriptor: file).read(upToCount: bytesMax + 1)
            else { return .bytes([]) }
            return bytes.count > bytesMax
                ? .problem("> \(bytesMax) bytes", .fewerBytes) : .bytes(Array(bytes))
        } catch {
            return .problem(systemMessage(of: error), .readableFile)
        }
    }

    static func check(_ setting: PersonSetting, _ value: String) -> SettingCheck {
        guard setting == .locale else {
            return Bandwidth(argument: value) == nil ? .wrong(nearest: nil) : .good
        }
        switch locale(value) {
        case .good: return .good
        case .unknown(let suggestion): return .wrong(nearest: suggestion)
        }
    }

    static func locale(_ name: String) -> LocaleCodes.Verdict {
        // Without a language: empty, or an encoding alone, such as ".UTF-8".
        guard let first = name.first, first != ".", first != "@" else {
            return .unknown(suggestion: nil)
        }
        var codes = LocaleCodes()
        return codes.check(LocaleName.plain(name))
    }
}

extension PersonSettings {
    /// As they were when the program first needed them.
    static let current = PersonSettings(
        file: SettingsFile.read(), environment: ProcessInfo.processInfo.environment,
        check: SettingsFile.check)

    var locale: String? {
        guard let name = given[.locale]?.value, case .good(let code) = SettingsFile.locale(name)
        else { return nil }
        return code
    }

    var bandwidth: Bandwidth? { given[.bandwidth].flatMap { Bandwidth(argument: $0.value) } }

    /// Nil for the account's, or the one that fits the terminal.
    func theme(_ option: ThemeChoice?) -> ThemeName? {
        value(.theme, option: option?.word).flatMap { ThemeChoice(argument: $0.value)?.name }
    }

    /// - Parameter ascii: whether `--ascii` is given, the short form of `--glyphs ascii`.
    func isASCII(_ option: GlyphChoice?, ascii: Bool) -> Bool {
        value(.glyphs, option: ascii ? "ascii" : option?.rawValue)?.value == "ascii"
    }

    func choices(
        _ options: GlobalOptions, theme: ThemeChoice?, animation: Bool? = nil
    ) -> OwnChoices {
        var own = OwnChoices()
        own.keys = keys
        if self.theme(theme) != nil {
            own.hiding[.theme] = value(.theme, option: theme?.word)?.source
        }
        own.hiding[.language] =
            language(option: options.language, locale: options.locale)?.source
        own.animates = value(.animation, option: animation.map { "\($0)" })?.value != "false"
        return own
    }

    /// For a command; a screen shows it in its message row.
    static func noteMistakes() {
        let count = current.problems.count
        if count > 0 { Output.note(Output.strings[SettingText.settingsFaulty(count)]) }
    }
}
