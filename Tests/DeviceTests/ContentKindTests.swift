import Foundation
@testable import StoreModel
import Testing

@Suite("kinds of content") struct ContentKindTests {
    private typealias Case = (name: String, start: [UInt8], kind: ContentKind)

    private static func size(_ width: Int, _ height: Int) -> ContentKind.PixelSize {
        ContentKind.PixelSize(width: width, height: height)
    }

    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        + Array("IHDR".utf8) + [0, 0, 2, 128, 0, 0, 1, 224, 8, 6, 0, 0, 0]
    /// A camera's APP1 segment, two bytes of padding, then the frame header of 640 by 480.
    private static func jpeg(cameraBytes: Int) -> [UInt8] {
        let length = cameraBytes + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]
            + Array(repeating: 7, count: cameraBytes)
            + [0xFF, 0xFF, 0xC2, 0, 17, 8, 0x01, 0xE0, 0x02, 0x80, 3]
    }

    @Test(
        "a text is titled by its first heading, or by the last of the headings that it begins with",
        arguments: [
            ("# The boat\n\nIt went.", "The boat"), ("intro\n\n## One\ntext", "One"),
            ("The Lighthouse\n\n1. The boat\n\nIt went every Thursday.", "1. The boat"),
            ("\n\u{FEFF}灯台\n\n一 船\n\n船は出た。\n", "一 船"),
            ("ATLAS\n\nSheet one, in fathoms.\n\nSkerrow is low.", "ATLAS"),
            ("It went every Thursday.\n\nThen not.", nil), ("one line", nil), ("", nil),
            ("wrapped text that\ngoes on here\n\nend.", nil), ("----\n\ntext.", nil),
            (String(repeating: "long ", count: 30) + "\n\ntext.", nil), ("#tag\n", nil),
        ])
    func titles(text: String, title: String?) {
        #expect(ContentTitle.of(Data(text.utf8), isWhole: true) == title)
    }

    @Test("the last line of a start is not taken for a heading, and bytes are no text")
    func titlesOfStarts() {
        #expect(ContentTitle.of(Data("Title\n\nSecond li".utf8), isWhole: false) == nil)
        #expect(ContentTitle.of(Data("Title\n\nA sentence.\nx".utf8), isWhole: false) == "Title")
        #expect(ContentTitle.of(Data([0x41, 0, 0x0A, 0x0A]), isWhole: true) == nil)
    }

    @Test("a file's kind follows from its name and its first bytes")
    func kinds() {
        let gif = Array("GIF89a".utf8) + [0x40, 0x01, 0xC8, 0x00, 0]
        let cases: [Case] = [
            ("a.txt", Array("hello".utf8), .text), ("a.MD", Array("# A".utf8), .text),
            ("a.json", Array("{}".utf8), .text), ("LICENSE", Array("MIT".utf8), .text),
            ("a.txt", [], .text), ("ja/01.txt", Array("灯台".utf8).dropLast(), .text),
            ("a.txt", [0x61, 0x00], .other), ("a.txt", [0xFF, 0x00, 0xFE], .other),
            ("a.bin", Array("hello".utf8), .other), (".hidden", Array("x".utf8), .text),
            ("a.txt", Array("x\u{1B}[31m".utf8), .text),
            ("a.txt", Array("caf".utf8) + [0xE9, 0x0A], .text), ("a.md", [0xC3, 0x28], .text),
            ("data", [0xC3, 0x28, 0xA0, 0x61], .other),
            ("a.png", Self.png, .image(.png, Self.size(640, 480))),
            ("a.txt", Self.png, .image(.png, Self.size(640, 480))),
            ("a.png", Array(Self.png.prefix(12)), .image(.png, nil)),
            ("a.png", Array("no picture".utf8), .other),
            ("a.gif", gif, .image(.gif, Self.size(320, 200))),
            ("a.gif", Array(gif.prefix(7)), .image(.gif, nil)),
            ("a.jpg", Self.jpeg(cameraBytes: 9), .image(.jpeg, Self.size(640, 480))),
            ("a.jpg", [0xFF, 0xD8, 0xFF, 0xE1, 0, 1, 0, 0, 0, 0, 0, 0], .image(.jpeg, nil)),
            ("a.jpg", [0xFF, 0xD8, 0xFF], .image(.jpeg, nil)),
        ]
        for one in cases {
            let kind = ContentKind(name: one.name, start: Data(one.start))
            #expect(kind == one.kind, "\(one.name) \(one.start.prefix(12))")
        }
    }

    @Test(
        "an SVG is told by its tag, its size by its attributes",
        arguments: [
            (#"<svg width="40" height="30px">"#, ContentKind.image(.svg, Self.size(40, 30))),
            (
                #"<?xml version="1.0"?><svg xmlns="x" viewBox="0 0 20.4, 10">"#,
                .image(.svg, Self.size(20, 10))
            ),
            (
                #"<svg width="100%" height="100%" viewBox='0 0 8 9'>"#,
                .image(.svg, Self.size(8, 9))
            ),
            (#"<svg stroke-width="4" height="3">"#, .image(.svg, nil)),
            (#"<svg width="-4" height="3">"#, .image(.svg, nil)),
            (#"<svg width="nan" height="1e99">"#, .image(.svg, nil)),
            ("<svg/>", .image(.svg, nil)), ("<svgfoo>", .other), ("nothing", .other),
        ])
    func svg(text: String, kind: ContentKind) {
        #expect(ContentKind(name: "a.svg", start: Data(text.utf8)) == kind)
    }

    @Test("a JPEG whose size lies behind 60 KiB of the camera's data still says it")
    func farSize() {
        let start = Data(Self.jpeg(cameraBytes: 60_000))
        let short = start.prefix(ContentKind.startLength)
        #expect(ContentKind(name: "a", start: Data(short)) == .image(.jpeg, nil))
        #expect(
            ContentKind(name: "a", start: start.prefix(ContentKind.startLengthOfJPEG))
                == .image(.jpeg, Self.size(640, 480)))
    }
}
