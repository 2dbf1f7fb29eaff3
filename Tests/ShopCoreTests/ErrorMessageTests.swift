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

    @Test func aCodeNobodyKnowsStillGetsASentence() {
        #expect(StoreError(.init("brandNew")).message.line.contains("brandNew"))
    }
}
