import Foundation
import ShopCore
import StoreModel
import Testing

@Suite("what errors say")
struct ErrorMessageTests {
    /// Every code there is, as the model's sources name them: none can be added without words.
    private static let codes: [StoreError.Code] = {
        let model = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/StoreModel")
        let files = FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil)
        let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.lastPathComponent.hasPrefix("StoreError") }
        return paths.flatMap { path in
            let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
            return text.matches(of: /static let [A-Za-z]+ = Self\("([A-Za-z]+)"\)/)
                .map { StoreError.Code(String($0.1)) }
        }
    }()

    private static func error(_ code: StoreError.Code) -> StoreError {
        StoreError(
            code, productID: "x.y", transactionID: TransactionID(7), subject: "the subject",
            found: "what was found", expected: "what was expected", cause: "the cause")
    }

    @Test("the codes are found in the sources")
    func codesAreFound() {
        #expect(Self.codes.count >= 41)
        #expect(Set(Self.codes).isSuperset(of: StoreError.Code.injectable))
    }

    @Test("every code has English words of its own, and says what was not lost", arguments: codes)
    func english(code: StoreError.Code) {
        let message = Self.error(code).message
        #expect(!message.happened.contains("no name here"))
        #expect(message.happened.hasSuffix(".") || message.happened.hasSuffix("?"))
        #expect(!message.line.contains("nil") && !message.line.contains("Optional"))
        let others = Self.codes.filter { $0 != code }.map { Self.error($0).message.happened }
        #expect(!others.contains(message.happened), "another code says the same")
        // A name is refused before anything could be lost.
        if code != .invalidName { #expect(!message.kept.isEmpty) }
    }

    @Test("every code has Japanese words, and says what was not lost", arguments: codes)
    func japanese(code: StoreError.Code) {
        let message = Self.error(code).message(inJapanese: true)
        for text in [message.happened, message.kept, message.next] where !text.isEmpty {
            #expect(text.contains(/[\p{Hiragana}\p{Katakana}\p{Han}]/), "\(text)")
        }
        if code != .invalidName { #expect(!message.kept.isEmpty) }
    }

    @Test("a purchase that failed was not charged", arguments: StoreError.Code.injectable)
    func notCharged(code: StoreError.Code) {
        #expect(StoreError(code, productID: "x.y").message.kept == "Nothing was charged.")
        #expect(StoreError(code).message(inJapanese: true).kept == "請求はありません。")
    }

    @Test("a download that stopped never speaks of charges, in any language")
    func downloads() {
        let codes: [StoreError.Code] =
            StoreError.Code.injectable + [
                .deviceFull, .storeFull, .storeBusy, .storeReplaced, .storeUnreadable,
                .storeReadOnly, .storeNewer, .deviceUnreadable, .contentMismatch,
                .contentUnavailable, .init("brandNew"),
            ]
        for code in codes {
            let error = StoreError(code, productID: "x.y", cause: "because")
            let english = error.downloadMessage().line
            #expect(!english.contains("charged"), "\(code)")
            #expect(error.downloadMessage().next.isEmpty == (code == .notEntitled), "\(code)")
            let japanese = error.downloadMessage(inJapanese: true).line
            #expect(!japanese.contains("請求") && !japanese.isEmpty, "\(code)")
        }
        let full = StoreError(.deviceFull).downloadMessage(command: "do it").line
        #expect(full.hasSuffix("Make room, then go on with: do it"))
    }

    @Test("a code nobody knows still gets a sentence")
    func unknownCode() {
        #expect(StoreError(.init("brandNew")).message.line.contains("brandNew"))
    }
}
