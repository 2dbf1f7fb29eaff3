@testable import Shop
import Testing

@Suite struct GlyphTests {
    @Test("a progress bar has its columns whatever the progress")
    func aBarIsAsWideAsItsColumnsWhateverTheProgress() {
        for isASCII in [false, true] {
            let glyphs = Glyphs(isASCII: isASCII)
            for thousandth in -10...1010 {
                #expect(glyphs.bar(Double(thousandth) / 1000, columns: 9).count == 9)
            }
        }
        #expect(Glyphs(isASCII: false).bar(0.5, columns: 3) == "█▌ ")
        #expect(Glyphs(isASCII: true).bar(0.5, columns: 4) == "##..")
    }
}
