import ShopCore
import StoreModel
import Testing

@Suite struct ErrorMessageTests {
    @Test(arguments: StoreError.Code.injectable)
    func everyFailureOfAPurchaseSaysThatNothingWasCharged(_ code: StoreError.Code) {
        let message = StoreError(code, productID: "x.y").message
        #expect(message.kept == "Nothing was charged.")
        #expect(!message.happened.contains("no name here"))
    }

    @Test(arguments: StoreError.Code.injectable)
    func everyFailureOfAPurchaseHasWordsInJapanese(_ code: StoreError.Code) {
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

    @Test func aCodeNobodyKnowsStillGetsASentence() {
        #expect(StoreError(.init("brandNew")).message.line.contains("brandNew"))
    }
}
