import Basics
import Testing

@Suite("words of command lines that messages advise")
struct ShellWordTests {
    @Test("a word that a shell takes as it is has no quotes")
    func plain() {
        for word in ["/home/a/store", "postgresql://db:5432/shop", "a-b_c.d", "店", "a~b"] {
            #expect(ShellWord.quoted(word) == word)
        }
    }

    @Test("any other word is in quotes, and so are its quotes")
    func quoted() {
        for word in [
            "postgresql://db/shop?store=team", "postgresql://db/shop?a=b&store=c", "a b", "$HOME",
            "~/store", "", "a;b", "a\nb",
        ] {
            #expect(ShellWord.quoted(word) == "'\(word)'")
        }
        #expect(ShellWord.quoted("it's") == #"'it'\''s'"#)
    }
}
