import Basics
import Testing

@Suite struct MemoTests {
    @Test("a memo computes the value of a key once")
    func once() {
        let memo = Memo<Int, String>(limit: 10)
        var made = 0
        for _ in 0..<3 {
            let text = memo.value(7) {
                made += 1
                return "seven"
            }
            #expect(text == "seven")
        }
        #expect(made == 1)
    }

    @Test("a memo never exceeds its limit, and keeps a key that is used all the time")
    func bounded() {
        let memo = Memo<Int, Int>(limit: 10)
        memo[0] = 100
        for number in 1...1_000 {
            memo[number] = number
            #expect(memo[0] == 100)
            #expect(memo.count <= 10)
        }
        #expect(memo[500] == nil)
        memo.forgetAll()
        #expect(memo.count == 0)
    }

    @Test("who computes a value that another has kept meanwhile gets the kept one")
    func atOnce() {
        let memo = Memo<Int, String>(limit: 10)
        let text = memo.value(7) {
            #expect(memo.value(7) { "first" } == "first")
            return "second"
        }
        #expect(text == "first")
        #expect(memo[7] == "first")
    }

    @Test("a computation that throws leaves nothing in the memo")
    func failing() {
        struct Failure: Error {}
        let memo = Memo<Int, Int>(limit: 10)
        #expect(throws: Failure.self) {
            try memo.value(1) { () throws(Failure) in throw Failure() }
        }
        #expect(memo.value(1) { 2 } == 2)
    }
}
