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
        case .settingProblem(let problem):
            (problem.place.map { name($0) } ?? "設定ファイルconfig.toml") + ": " + text(problem.what)
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

    private static func nearest(_ word: String?) -> String {
        word.map { "「\($0)」ではありませんか?" } ?? ""
    }

    private static func quote(_ text: String) -> String { UntrustedText.quote(text) }

    private static func text(_ problem: SettingProblem.What) -> String {
        switch problem {
        case .syntax(let fault): self.text(fault)
        case .noSuchTable(let name, let near):
            "表\(quote(name))はありません。その下の行も無効です。使えるのは[keys]です。" + nearest(near)
        case .noSuchSetting(let name, let near): "設定\(quote(name))はありません。" + nearest(near)
        case .noSuchBinding(let name, let near):
            "キーの割り当て\(quote(name))はありません。" + nearest(near)
        case .noSuchKey(let word, let near):
            "\(quote(word))はキーではありません。1文字、または\"space\"、\"f2\"、\"ctrl-x\"などを指定します。"
                + nearest(near)
        case .wrongValue(let setting, let found, let expected, let near):
            "\(setting): \(quote(found))は使えません。使えるのは\(text(expected))です。" + nearest(near)
        case .wrongKeys(let binding): "\(binding): キーの文字列か、1つ以上のキーのリストを指定します。"
        case .fixedKey(let word): "\(quote(word))の働きは変えられません。"
        case .sharedKey(let key, let binding, let other?):
            "\(binding): \(quote(key))は\(other)のキーでもあります。どちらかを変えてください。"
        case .sharedKey(let key, let binding, nil):
            "\(binding): \(quote(key))は同じ画面で変えられない働きを持ちます。"
        case .notAFile: "ファイルではありません。"
        case .tooLong(let bytes): "\(bytes)バイトを超えています。"
        case .unreadable(let reason): "読めません（\(reason)）。"
        }
    }

    private static func text(_ expected: SettingProblem.Expected) -> String {
        switch expected {
        case .oneOf(let words): words.map { "\"\($0)\"" }.joined(separator: "、") + "のどれか"
        case .trueOrFalse: "trueかfalse"
        case .locale: "\"en\"、\"ja_JP\"、\"zh_Hans\"などのロケール"
        case .bandwidth: "\"256k\"、\"4M\"、\"12s\"、\"unlimited\"などの速度"
        }
    }

    private static func text(_ fault: SettingsText.Fault) -> String {
        switch fault {
        case .notUTF8: "UTF-8ではありません。"
        case .control(let name): "使えない文字があります（\(name)）。"
        case .notALine(let text):
            "\(quote(text))は読めません。名前 = 値、[表]、# コメントのどれかを書きます。"
        case .notAValue(let text):
            "値\(quote(text))は読めません。引用符の中の文字列、そのリスト、true、false、数のどれかです。"
        case .unended(let text): "\(quote(text))の終わりが行の中にありません。"
        case .escape(let text): "\(quote(text))は使えません。\\\"と\\\\だけが使えます。"
        case .rest(let text): "\(quote(text))は余分です。行はここで終わります。"
        case .repeated(let name, let first):
            "\(quote(name))は\(first)行目にもあり、そちらが有効です。"
        }
    }
}
