import Basics

extension Japanese {
    static func text(_ text: SettingText) -> String {
        switch text {
        case .settingsGood(let settings, let keys):
            "設定に問題はありません: 設定\(settings)件、キー\(keys)件。"
        case .noSettingsFile(let path):
            "\(path)はありません。なくても使えます。ひな形の表示: storefront config show"
        case .settingsFaulty(let count):
            "設定に\(count)件の誤りがあります。ほかは有効です。詳細: storefront config check"
        case .settingProblem(let problem): self.text(problem)
        case .settingSource(let source): name(source)
        case .usualSetting: "標準"
        case .usualOrAccounts: "標準、アカウントの設定があればそれ"
        case .keptForAccount(let source):
            "アカウントに保存しました。ここでは\(name(source))が優先されます。"
        }
    }

    private static func name(_ source: SettingSource) -> String {
        switch source {
        case .option(let option): "オプション\(option)"
        case .variable(let name): "環境変数$\(name)"
        case .line(let number): "config.tomlの\(number)行目"
        }
    }

    private static func text(_ problem: SettingProblem) -> String {
        (problem.place.map { name($0) } ?? "設定ファイルconfig.toml")
            + ": \(UntrustedText.quote(problem.found))は使えません。\(text(problem.expected))。"
            + (problem.nearest.map { "「\($0)」ではありませんか?" } ?? "")
    }

    private static func text(_ expected: SettingProblem.Expected) -> String {
        switch expected {
        case .syntax(let expected): text(expected)
        case .table: "使える表は[keys]です。この下の行は無効です"
        case .setting: "設定の名前を書きます"
        case .trueOrFalse: "trueかfalseを引用符なしで書きます"
        case .locale: "\"en\"、\"ja_JP\"、\"zh_Hans\"などのロケールを書きます"
        case .bandwidth: "\"256k\"、\"4M\"、\"12s\"、\"unlimited\"などの速度を書きます"
        case .word(let words):
            words.map { "\"\($0)\"" }.joined(separator: "、") + "のどれかを書きます"
        case .binding: "キーの割り当ての名前を書きます"
        case .key: "1文字、または\"space\"、\"f2\"、\"ctrl-x\"などを書きます"
        case .keys: "引用符の中のキーか、1つ以上のキーのリストを書きます"
        case .chosenKey: "このキーの働きは変えられません"
        case .keyBeside(let other?): "\(other)のキーでもあります。どちらかを変えてください"
        case .keyBeside(nil): "同じ画面で変えられない働きを持つキーです"
        case .file: "ファイルではありません"
        case .fewerBytes: "大きすぎます"
        case .readableFile: "ファイルを読めません"
        }
    }

    private static func text(_ expected: SettingsText.Expected) -> String {
        switch expected {
        case .utf8: "UTF-8で書きます"
        case .noControl: "制御文字は使えません"
        case .line: "名前 = 値、[表]、# コメントのどれかを書きます"
        case .value: "引用符の中の文字列、そのリスト、true、false、数のどれかを書きます"
        case .end: "同じ行で終わらせます"
        case .escape: "使えるのは\\\"と\\\\です"
        case .lineEnd: "行はその前で終わります"
        case .once(let first): "\(first)行目にもあり、そちらが有効です"
        }
    }
}
