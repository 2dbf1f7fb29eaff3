package import Foundation

/// A file of a downloaded package.
package struct ContentFile: Hashable, Sendable {
    /// Unique within the product.
    package var contentID: String
    package var version: String
    /// Relative to the package, with `/` as separator. Untrusted: not made safe to show.
    package var path: String
    /// For showing and for other programs. To read the file use `ShopDevice.readContent`, which
    /// follows no link.
    package var absolutePath: String
    /// In bytes, when it was listed.
    package var length: Int64
    /// Judged by the file's name and its first bytes.
    package var kind: ContentKind
    /// As `ContentTitle` finds it in a text file; nil without one. Untrusted, like `path`.
    package var title: String?
    /// What opening its package still costs (`HostedContent.cost`); nil once that is spent.
    package var cost: Grant?

    package init(
        contentID: String, version: String, path: String, absolutePath: String, length: Int64,
        kind: ContentKind, title: String? = nil
    ) {
        self.title = title
        self.contentID = contentID
        self.version = version
        self.path = path
        self.absolutePath = absolutePath
        self.length = length
        self.kind = kind
    }
}

/// The type of a file's content, as far as it can be shown or opened.
package enum ContentKind: Hashable, Sendable {
    /// Text that can be read line by line (`PlainText`), such as txt, md and json.
    case text
    /// A picture, with its size if its header gives one.
    case image(ImageFormat, PixelSize?)
    case other

    /// The formats of pictures that are recognized.
    package enum ImageFormat: String, Hashable, Sendable, CaseIterable { case png, jpeg, gif, svg }

    /// The size of a picture.
    package struct PixelSize: Hashable, Sendable {
        /// In pixels, as the file states it; at least 1.
        package var width: Int
        /// In pixels, as the file states it; at least 1.
        package var height: Int
    }
}

extension ContentKind.PixelSize {
    /// Nil unless both are at least 1.
    fileprivate init?(_ width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        self.init(width: width, height: height)
    }
}

// MARK: - Recognizing

extension ContentKind {
    /// How many bytes of a file `init(name:start:)` needs to recognize it.
    package static let startLength = 16 * 1024
    /// How many bytes of a file `init(name:start:)` needs to find the size of most JPEGs, which
    /// follows the camera's data (EXIF).
    package static let startLengthOfJPEG = 256 * 1024

    private static let textNames: Set<String> = [
        "txt", "text", "md", "markdown", "json", "csv", "tsv", "log", "xml", "html", "htm", "yaml",
        "yml", "toml", "ini", "rst", "tex", "srt", "vtt",
    ]

    /// The kind of a file by its name and its first bytes. PNG, JPEG and GIF are recognized by
    /// their first bytes, under any name; SVG by its name and its first tag. A file with the name
    /// ending of a text is text in any encoding, unless it has NUL bytes; a file without an ending
    /// is text if its first bytes are valid UTF-8.
    ///
    /// - Parameter start: the first `startLength` bytes of the file, or more, or all of it.
    package init(name: String, start: Data) {
        let bytes = [UInt8](start)
        let ending = Self.ending(of: name)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .image(.png, Self.sizeOfPNG(bytes))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .image(.jpeg, Self.sizeOfJPEG(bytes))
        } else if bytes.starts(with: Array("GIF87a".utf8))
            || bytes.starts(with: Array("GIF89a".utf8))
        {
            self = .image(.gif, Self.sizeOfGIF(bytes))
        } else if ending == "svg", let tag = Self.tagOfSVG(bytes) {
            self = .image(.svg, Self.sizeOfSVG(tag))
        } else if let ending, Self.textNames.contains(ending), !bytes.prefix(4096).contains(0) {
            self = .text
        } else if ending == nil, Self.isText(bytes) {
            self = .text
        } else {
            self = .other
        }
    }

    /// After the last dot, in lower case; nil without one.
    private static func ending(of path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return nil }
        return name[name.index(after: point)...].lowercased()
    }

    /// Valid UTF-8 without NUL. The last character may be cut off.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(4096)
        guard !start.contains(0) else { return false }
        for cut in 0..<min(4, start.count + 1)
        where String(validating: start.dropLast(cut), as: UTF8.self) != nil {
            return true
        }
        return false
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Width and height are the first fields of the first chunk, `IHDR`.
    private static func sizeOfPNG(_ bytes: [UInt8]) -> PixelSize? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return PixelSize(number(bytes[16..<20]), number(bytes[20..<24]))
    }

    /// Width and height follow the signature, the lower byte first.
    private static func sizeOfGIF(_ bytes: [UInt8]) -> PixelSize? {
        guard bytes.count >= 10 else { return nil }
        return PixelSize(
            Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
    }

    /// The segment that begins a frame (SOF) has height and width; segments before it are skipped
    /// by their lengths.
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> PixelSize? {
        var at = 2
        while at + 9 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            switch marker {
            // Fill bytes before a marker (0xFF), and markers without a segment.
            case 0xFF: at += 1
            case 0x01, 0xD0...0xD7: at += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return PixelSize(
                    number(bytes[(at + 7)..<(at + 9)]), number(bytes[(at + 5)..<(at + 7)]))
            // The image data begins (SOS) or the file ends (EOI) without a frame: the size is
            // unknown.
            case 0xD9, 0xDA: return nil
            default:
                let length = number(bytes[(at + 2)..<(at + 4)])
                guard length >= 2 else { return nil }
                at += 2 + length
            }
        }
        return nil
    }

    /// `<svg …>`; nil if there is none.
    private static func tagOfSVG(_ bytes: [UInt8]) -> Substring? {
        let text = String(decoding: bytes.prefix(16 * 1024), as: UTF8.self)
        guard let start = text.firstRange(of: "<svg")?.upperBound,
            let end = text[start...].firstIndex(of: ">"),
            let after = text[start...].first, after.isWhitespace || after == ">" || after == "/"
        else { return nil }
        return text[start..<end]
    }

    /// By the attributes `width` and `height` in pixels, else by `viewBox`.
    private static func sizeOfSVG(_ tag: Substring) -> PixelSize? {
        func pixels(_ text: Substring?) -> Int? {
            guard let text else { return nil }
            let digits = text.hasSuffix("px") ? text.dropLast(2) : text
            guard let value = Double(digits), (1...1_000_000).contains(value) else { return nil }
            return Int(value.rounded())
        }
        let stated = PixelSize(
            pixels(attribute("width", of: tag)), pixels(attribute("height", of: tag)))
        if let stated { return stated }
        let box =
            attribute("viewBox", of: tag)?
            .split { $0.isWhitespace || $0 == "," } ?? []
        guard box.count == 4 else { return nil }
        return PixelSize(pixels(box[2]), pixels(box[3]))
    }

    private static func attribute(_ name: String, of tag: Substring) -> Substring? {
        var rest = tag
        while let found = rest.firstRange(of: name) {
            let isWhole = rest[..<found.lowerBound].last?.isWhitespace ?? false
            rest = rest[found.upperBound...]
            let value = rest.drop { $0.isWhitespace }
            guard isWhole, value.first == "=" else { continue }
            let quoted = value.dropFirst().drop { $0.isWhitespace }
            guard let quote = quoted.first, quote == "\"" || quote == "'" else { continue }
            return quoted.dropFirst().prefix { $0 != quote }
        }
        return nil
    }
}
