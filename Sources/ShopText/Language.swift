package import StoreModel

/// A language of the program: a table beside each enum of keys. The compiler finds a missing key;
/// `LanguageTests` finds an unused one.
package protocol Language: Sendable {
    /// ISO 639, as in `--language`.
    static var code: String { get }
    /// The text between two sentences: a space in English, none in Japanese.
    static var sentenceGap: String { get }
    /// Whether a terminal that shows only ASCII cannot show this language.
    static var needsUnicode: Bool { get }
    /// The words of the texts of the screens.
    static func text(_ text: ListText) -> String
    static func text(_ text: KeyText) -> String
    static func text(_ text: QuestionText) -> String
    static func text(_ text: ButtonText) -> String
    static func text(_ text: PaletteText) -> String
    static func text(_ text: LibraryText) -> String
    static func text(_ text: ProductText) -> String
    static func text(_ text: OfferText) -> String
    static func text(_ text: PageText) -> String
    static func text(_ text: SubscriptionText) -> String
    static func text(_ text: EventText) -> String
    static func text(_ text: LogText) -> String
    static func text(_ text: PaymentText) -> String
    static func text(_ text: ConsoleText) -> String
    static func text(_ text: ReceiptText) -> String
    static func text(_ text: TourText) -> String
    /// The words about a person's settings, on screens and of commands.
    static func text(_ text: SettingText) -> String
    static func text(_ text: LinearText) -> String
    static func text(_ text: TrialsText) -> String
    /// The words about the store's own server, on screens and of commands.
    static func text(_ text: ServerText) -> String
    /// The words of the parts of an error's message.
    static func text(_ text: BuyingErrorText) -> String
    static func text(_ text: SaleErrorText) -> String
    static func text(_ text: StoreErrorText) -> String
    static func text(_ text: DownloadErrorText) -> String
    static func text(_ text: KeptText) -> String
    static func text(_ text: AdviceText) -> String
    /// The message, without `kept`, about an error that reads the same in the shop and at a shell.
    /// Nil for a code whose sentences `ErrorTexts` chooses, and for an unknown one;
    /// `ErrorMessageTests` finds a code without words.
    static func message(about facts: ErrorFacts) -> ErrorMessage?
    /// The words of the texts of the command line.
    static func text(_ text: ColumnText) -> String
    static func text(_ text: PurchaseLineText) -> String
    static func text(_ text: DownloadLineText) -> String
    static func text(_ text: SubscriptionLineText) -> String
    static func text(_ text: StoreLineText) -> String
    static func text(_ text: DocumentLineText) -> String
    /// The same as a line of the palette, which stands far from its key: a sentence.
    static func sentence(_ text: KeyText) -> String
    /// A message of the message row; `strings` formats its dates, prices and sizes.
    static func text(_ text: StatusText, _ strings: Strings) -> String
    /// A message in so few words that a row of 40 columns holds the keys that it names: the end is
    /// cut off. Nil for a message whose beginning says enough.
    static func short(_ text: StatusText, _ strings: Strings) -> String?
    /// The reason why a key does nothing.
    static func text(_ reason: Refusal, _ strings: Strings) -> String
    /// The first sentence about a delivered purchase.
    static func bought(_ purchase: Bought, _ strings: Strings) -> String
    /// The second sentence: the transaction, and the state of the content.
    static func receipt(_ purchase: Bought, _ strings: Strings) -> String
    /// An operator's action in a console's list of them; `name` is what it is about.
    static func offer(_ action: OperatorAction, _ name: String, _ strings: Strings) -> String
    /// The message after an action of the operator was carried out.
    static func done(_ done: OperatorDone, _ strings: Strings) -> String
    /// The line of a command that carried out an operation on a product's content.
    static func done(_ operation: ContentOperation, _ product: String) -> String
}

extension Language {
    static func sentence(_ text: KeyText) -> String { self.text(text) }
}

/// All languages of the program. A new language is a table beside each English one, and a line here.
package enum Languages {
    /// Every language; the first is the fallback for the others.
    package static let all: [any Language.Type] = [English.self, Japanese.self]

    /// The language of a locale or a language code: `ja`, `ja_JP`, `ja-JP.UTF-8`. English if the
    /// program has no such language.
    package static func named(_ identifier: String) -> any Language.Type {
        exactly(identifier) ?? English.self
    }

    /// The language of a locale or a language code; nil if the program has no such language.
    package static func exactly(_ identifier: String) -> (any Language.Type)? {
        let code = identifier.prefix { $0.isLetter }.lowercased()
        return all.first { $0.code == code }
    }
}
