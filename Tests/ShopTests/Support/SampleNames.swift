/// The product names of the sample catalog, in Latin, Japanese and Arabic script: characters of one
/// and two columns, with accents, and written from right to left.
struct SampleNames {
    let locale: String

    private func say(_ english: String, ja: String, de: String, ar: String) -> String {
        switch locale {
        case "ja_JP": ja
        case "de_DE": de
        case "ar_SA": ar
        default: english
        }
    }

    var app: String { say("Lantern", ja: "ランタン", de: "Laterne", ar: "الفانوس") }
    var books: String { say("Books", ja: "本", de: "Bücher", ar: "كتب") }
    var themes: String { say("Themes", ja: "テーマ", de: "Designs", ar: "السمات") }
    var coins: String { say("Coins", ja: "コイン", de: "Münzen", ar: "عملات") }
    var membership: String {
        say("Membership", ja: "メンバーシップ", de: "Mitgliedschaft", ar: "العضوية")
    }

    func book(_ number: Int) -> String {
        let english = ["one", "two", "three", "four", "five", "six"][number]
        let german = ["eins", "zwei", "drei", "vier", "fünf", "sechs"][number]
        let japanese = ["一", "二", "三", "四", "五", "六"][number]
        return say(
            "The Lighthouse, part \(english)", ja: "灯台 第\(japanese)部",
            de: "Der Leuchtturm, Teil \(german)", ar: "المنارة، الجزء \(number + 1)")
    }

    var bookText: String {
        say(
            "A book by nobody in particular. Two chapters and four pictures, to read offline.",
            ja: "だれが書いたともない本。二つの章と四枚の絵を、いつでも読めます。",
            de: "Ein Buch von niemand Bestimmtem. Zwei Kapitel und vier Bilder, auch ohne Netz.",
            ar: "كتاب لمؤلف مجهول. فصلان وأربع صور للقراءة دون اتصال.")
    }

    func theme(_ number: Int) -> String {
        let english = [
            "Sepia", "Sports, summer campaign", "High contrast", "Large serif letters", "Paper",
            "Night", "Stars of the southern sky",
        ][number]
        let japanese = ["セピア", "夏のスポーツ", "ハイコントラスト", "大きな明朝体", "紙", "夜", "南の空の星"][number]
        let german = [
            "Sepia", "Sport, Sommeraktion", "Hoher Kontrast", "Große Serifenschrift", "Papier",
            "Nacht", "Sterne des Südhimmels",
        ][number]
        let arabic = [
            "بني داكن", "رياضة الصيف", "تباين عالٍ", "حروف كبيرة", "ورق", "ليل", "نجوم الجنوب",
        ][number]
        return say(english, ja: japanese, de: german, ar: arabic)
    }

    var themeText: String {
        say(
            "Colours that rest the eyes.", ja: "目にやさしい色。", de: "Farben, die die Augen schonen.",
            ar: "ألوان تريح العين.")
    }

    func coins(_ amount: Int) -> String {
        say(
            "\(amount) coins", ja: "コイン \(amount)枚", de: "\(amount) Münzen", ar: "\(amount) عملة")
    }

    var plus: String { say("Lantern Plus", ja: "ランタン Plus", de: "Laterne Plus", ar: "فانوس بلس") }
    var plusYear: String {
        say(
            "Lantern Plus, yearly", ja: "ランタン Plus 年額", de: "Laterne Plus, jährlich",
            ar: "فانوس بلس سنوي")
    }
    var plusText: String {
        say("All books.", ja: "すべての本。", de: "Alle Bücher.", ar: "كل الكتب.")
    }
    var pass: String { say("Season pass", ja: "シーズンパス", de: "Saisonkarte", ar: "بطاقة الموسم") }
}
