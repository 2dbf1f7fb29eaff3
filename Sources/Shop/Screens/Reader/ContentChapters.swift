package import StoreModel

/// The files of a product's content as chapters: a file and its translations are one chapter. A
/// translation lies in a folder named after its language, such as `ja/01-the-boat.txt` or
/// `pt-BR.lproj/notes.txt`, under the path of the file that it translates.
package struct ContentChapters: Hashable, Sendable {
    /// One chapter in all its languages.
    package struct Chapter: Hashable, Sendable {
        /// The package that the chapter is in (`ContentFile.contentID`).
        package let contentID: String
        /// The path of the file within its package, without the folder of a language.
        package let path: String
        /// The index of the file in each language; the empty tag is the content's language.
        fileprivate(set) var files: [String: Int]

        /// The language of the content first.
        package var languages: [String] { files.keys.sorted() }

        /// The file's index; otherwise the one in the original language, otherwise the first.
        func file(in language: String) -> Int {
            files[language] ?? files[""] ?? languages.first.flatMap { files[$0] } ?? 0
        }
    }

    /// In the order of their files.
    package private(set) var chapters: [Chapter] = []
    private var places: [(chapter: Int, language: String)] = []

    /// - Parameter files: the files of one product, in the order in which they are read.
    package init(_ files: [ContentFile]) {
        let known = Set(files.map { Name(of: $0, path: $0.path) })
        var numbers: [Name: Int] = [:]
        // The files in the language of the content come first, so that they order the chapters.
        for isTranslation in [false, true] {
            for (index, file) in files.enumerated() {
                let (language, path) = Self.split(file, known)
                guard isTranslation == !language.isEmpty else { continue }
                let name = Name(of: file, path: path)
                if let number = numbers[name] {
                    chapters[number].files[language] = index
                } else {
                    numbers[name] = chapters.count
                    chapters.append(
                        Chapter(contentID: file.contentID, path: path, files: [language: index]))
                }
            }
        }
        places = Array(repeating: (0, ""), count: files.count)
        for (number, chapter) in chapters.enumerated() {
            for (language, index) in chapter.files { places[index] = (number, language) }
        }
    }

    /// Nil if there is no such file.
    package func chapter(of file: Int) -> Int? {
        places.indices.contains(file) ? places[file].chapter : nil
    }

    /// Empty for the language of the content.
    package func language(of file: Int) -> String {
        places.indices.contains(file) ? places[file].language : ""
    }

    /// The tag for a person's language, such as `ja_JP`; nil if the chapter is not translated.
    func language(of chapter: Int, for person: String) -> String? {
        let own = Self.code(person)
        return chapters[chapter].languages.first { !$0.isEmpty && Self.code($0) == own }
    }

    private struct Name: Hashable {
        var package: String
        var path: String

        init(of file: ContentFile, path: String) {
            package = file.contentID
            self.path = path
        }
    }

    /// A folder counts as a language only if a file of the same path exists outside it, so that no
    /// other folder with a two-letter name is mistaken for one.
    private static func split(_ file: ContentFile, _ known: Set<Name>) -> (String, String) {
        guard let slash = file.path.firstIndex(of: "/") else { return ("", file.path) }
        let rest = String(file.path[file.path.index(after: slash)...])
        guard let language = tag(String(file.path[..<slash])),
            known.contains(Name(of: file, path: rest))
        else { return ("", file.path) }
        return (language, rest)
    }

    /// Two letters, optionally with a region; nil if the name is not a tag.
    private static func tag(_ folder: String) -> String? {
        let name = folder.hasSuffix(".lproj") ? String(folder.dropLast(6)) : folder
        let parts: [Substring] = name.split(omittingEmptySubsequences: false) { "-_".contains($0) }
        let isTag = parts.enumerated().allSatisfy { number, part in
            part.allSatisfy { $0.isASCII && $0.isLetter }
                && (number == 0 ? part.count == 2 : (2...4).contains(part.count))
        }
        return isTag && parts.count <= 3 ? name : nil
    }

    /// The two letters of a language tag.
    private static func code(_ tag: String) -> String {
        String(tag.prefix { $0.isLetter }).lowercased()
    }
}

extension ContentChapters {
    package static func == (one: Self, other: Self) -> Bool { one.chapters == other.chapters }

    package func hash(into hasher: inout Hasher) { hasher.combine(chapters) }
}
