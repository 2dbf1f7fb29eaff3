import Basics
import Foundation
@testable import Shop
import StoreModel
import Testing

/// Reading downloaded content, and the reading position.
@Suite struct ReaderTests {
    private static let text = SampleShop.story(paragraphs: 50)

    /// The rows around the first visible one, with one row for each line.
    private func rows(_ line: Int) -> TextRows {
        TextRows(
            places: (0..<99).map { TextPlace(line: $0) }, top: line, last: TextPlace(line: 90))
    }

    private func reading(_ place: ReadingPlace? = nil) -> ShopProbe {
        var probe = ShopProbe(SampleShop.full())
        probe.open("book.one")
        probe.happen(.confirmed)
        probe.happen(
            .reader(.opened(SampleShop.opened("book.one", text: Self.text, place: place))))
        return probe
    }

    private func place(_ path: String, line: Int) -> ReadingPlace {
        let offset = PlainText(.init(Self.text.utf8)).lines(line..<(line + 1))[0].offset
        return ReadingPlace(
            productID: "book.one", contentID: "text", path: path, offset: Int64(offset))
    }

    @Test("Read opens the reader above the page [A10]")
    func readOpensTheReader() {
        var probe = ShopProbe(SampleShop.full())
        probe.open("book.one")
        let name = probe.state.name(of: "book.one")
        probe.send(.confirmed, [.openContent("book.one", nil)]) {
            $0.page.choice = .read
            $0.navigation.open(.reader("book.one"))
            $0.reader = ReaderPart(product: "book.one", name: name)
        }
        probe.happen(.wentBack)
        #expect(probe.state.screen == .product("book.one"))
        #expect(probe.state.reader == nil)
    }

    /// The page of a product whose content was removed from this device.
    private func removed() -> ShopProbe {
        var probe = ShopProbe(SampleShop.full())
        probe.refresh {
            $0.downloads["book.one"]?.state = .deleted
            $0.downloads["book.one"]?.installed = [:]
        }
        probe.open("book.one")
        return probe
    }

    /// The account's snapshot after the device has downloaded the content again.
    private func fetched(_ probe: ShopProbe) -> AccountSnapshot {
        var snapshot = probe.state.snapshot
        snapshot.downloads["book.one"]?.state = .finished
        snapshot.downloads["book.one"]?.installed = ["text": "1.2"]
        return snapshot
    }

    @Test("Read asks whether removed content is downloaded again, and no fetches nothing [E6]")
    func removedContentIsOffered() throws {
        var probe = removed()
        let product = try #require(probe.state.productList.product("book.one"))
        #expect(probe.state.pageButtons(for: product).prefix(2) == [.read, .download])
        #expect(probe.happen(.confirmed) == [])
        #expect(
            probe.state.sheet == .question(QuestionSheet(.fetchToRead("book.one"))))
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.sheet == nil && probe.state.screen == .product("book.one"))
        probe.happen(.accountArrived(fetched(probe)))
        #expect(probe.state.reader == nil, "nobody asked for it")
    }

    @Test("removed content that was fetched to be read opens when it is here, once [E6]")
    func fetchedContentOpens() {
        for isMetered in [false, true] {
            var probe = removed()
            var snapshot = probe.state.snapshot
            snapshot.settings.isMetered = isMetered
            probe.happen(.accountArrived(snapshot))
            probe.happen(.confirmed)
            probe.happen(.choiceMoved(1))
            // The question has named the size, so a metered connection needs no second question.
            #expect(
                probe.happen(.confirmed)
                    == [
                        isMetered
                            ? .content(.consentToDownload, "book.one")
                            : .content(.resumeDownloads, "book.one")
                    ])
            let effects = probe.happen(.accountArrived(fetched(probe)))
            #expect(effects.contains(.openContent("book.one", nil)))
            #expect(probe.state.screen == .reader("book.one"))
            probe.happen(.wentBack)
            #expect(
                !probe.happen(.accountArrived(probe.state.snapshot)).contains {
                    $0 == .openContent("book.one", nil)
                })
            #expect(probe.state.screen == .product("book.one"))
        }
    }

    @Test("what was fetched to be read stays closed for a person who looks at something else")
    func fetchedContentWaits() {
        var probe = removed()
        probe.happen(.confirmed)
        probe.happen(.choiceMoved(1))
        probe.happen(.confirmed)
        probe.happen(.helpToggled)
        probe.happen(.accountArrived(fetched(probe)))
        #expect(probe.state.reader == nil)
        probe.happen(.helpToggled)
        probe.happen(.accountArrived(probe.state.snapshot))
        #expect(probe.state.reader == nil, "it does not open later either")
    }

    /// The last chapter of book.one, and the files of the book.
    private func atTheEnd() -> ShopProbe {
        var probe = reading()
        let last = SampleShop.opened("book.one", text: Self.text)
        for number in last.files.indices {
            var content = last
            content.number = number
            probe.happen(.reader(.opened(content)))
            if probe.state.nextToRead != nil { break }
        }
        return probe
    }

    @Test("after the last chapter the next book offers itself, and Back returns to the text [B10]")
    func nextBookOffersItself() {
        #expect(reading().state.nextToRead == nil, "there are chapters before")
        var probe = atTheEnd()
        #expect(probe.state.nextToRead?.id == "book.two")
        #expect(
            probe.happen(.choiceMoved(1)).contains {
                if case .remember = $0 { true } else { false }
            })
        #expect(probe.state.screen == .product("book.two") && probe.state.focus == .page)
        probe.happen(.wentBack)
        #expect(probe.state.screen == .reader("book.one"))
        #expect(probe.state.reader?.text != nil)
    }

    @Test("after the last chapter a book that is here is read on")
    func nextBookIsReadOn() {
        var probe = atTheEnd()
        probe.refresh {
            $0.downloads["book.two"]?.state = .finished
            $0.downloads["book.two"]?.installed = ["text": "1.0"]
            $0.delivered.insert("book.two")
        }
        #expect(probe.happen(.choiceMoved(1)).contains(.openContent("book.two", nil)))
        #expect(probe.state.screen == .reader("book.two"))
    }

    @Test("the next book is the next product with content of the section, and the last has none")
    func nextBookOfTheSection() {
        let list = SampleShop.full().productList
        let books = list.products.filter { list.section(of: $0.id) == list.section(of: "book.one") }
        let withContent = books.filter { !$0.hostedContent.isEmpty }
        #expect(withContent.count > 2)
        for (book, next) in zip(withContent, withContent.dropFirst()) {
            #expect(list.nextWithContent(after: book.id)?.id == next.id)
        }
        #expect(withContent.last.flatMap { list.nextWithContent(after: $0.id) } == nil)
        #expect(list.nextWithContent(after: "not.for.sale") == nil)
    }

    @Test("the reader begins where the file was left")
    func theReaderBeginsWhereItWasLeft() {
        let probe = reading(place("02-the-log.txt", line: 30))
        #expect(probe.state.reader?.number == 1)
        #expect(probe.state.reader?.top.line == 30)
    }

    @Test("a file that was only opened is the one that is opened next time")
    func anOpenedFileIsRemembered() {
        var probe = reading(place("02-the-log.txt", line: 30))
        #expect(
            probe.happen(.wentBack)
                == [.remember(place("02-the-log.txt", line: 30)), .closeContent])
    }

    @Test("scrolling saves the place at most every three seconds, and leaving saves it at last")
    func scrollingSavesThePlace() {
        var probe = reading()
        probe.viewport.text = rows(0)
        probe.elapsed = .seconds(3)
        #expect(
            probe.happen(.selectionMoved(.down)) == [.remember(place("01-the-boat.txt", line: 1))])
        probe.viewport.text = rows(1)
        probe.elapsed = .seconds(5)
        #expect(probe.happen(.selectionMoved(.down)) == [])
        #expect(probe.state.unsavedPlace == place("01-the-boat.txt", line: 2))
        #expect(
            probe.happen(.wentBack)
                == [.remember(place("01-the-boat.txt", line: 2)), .closeContent])
    }

    @Test("a movement stays between the beginning and the last page")
    func aMovementStaysInTheText() {
        var probe = reading()
        for (movement, line) in [
            (Movement.last, 90), (.down, 41), (.up, 39), (.first, 0), (.pageUp, 23),
            (.rows(3), 43), (.rows(500), 90),
        ] {
            probe.viewport = Viewport(rows: 18, text: rows(40))
            probe.happen(.selectionMoved(movement))
            #expect(probe.state.reader?.top.line == line, "\(movement)")
        }
    }

    @Test("another file is opened by its number, and the place in this one is saved")
    func anotherFileIsOpened() throws {
        var probe = reading()
        probe.viewport.text = rows(0)
        probe.happen(.selectionMoved(.pageDown))
        let files = try #require(probe.state.reader?.files)
        #expect(
            probe.happen(.choiceMoved(1)) == [
                .remember(place("01-the-boat.txt", line: 17)), .openContent("book.one", files[1]),
            ])
        // Before the answer, the reader asks for no third file.
        #expect(probe.happen(.choiceMoved(1)) == [])
    }

    @Test("content that is deleted while it is read stays until the reader is left")
    func deletedContentStays() {
        var probe = reading()
        probe.refresh { $0.downloads["book.one"]?.installed = [:] }
        #expect(probe.state.reader?.isDeleted == true)
        #expect(probe.state.reader?.text?.lineCount == 99)
        #expect(probe.state.screen == .reader("book.one"))
    }

    @Test("an answer that comes after the reader was left changes nothing")
    func aLateAnswerChangesNothing() {
        var probe = reading()
        probe.happen(.wentBack)
        probe.send(.reader(.opened(SampleShop.opened("book.one", text: "late"))))
        probe.send(.reader(.failed("book.one", StoreError(.deviceUnreadable))))
    }

    // MARK: - Chapters and languages

    private static func files(_ paths: [String]) -> [ContentFile] {
        paths.map {
            ContentFile(
                contentID: "text", version: "1", path: $0, absolutePath: "/" + $0, length: 9,
                kind: .text)
        }
    }

    @Test("a file and its translations are one chapter, and no other folder is a language")
    func translationsAreOneChapter() {
        let chapters = ContentChapters(
            Self.files([
                "01.txt", "02.txt", "ab/03.txt", "de-AT.lproj/01.txt", "ja/01.txt", "notes/01.txt",
            ])
        ).chapters
        #expect(chapters.map(\.path) == ["01.txt", "02.txt", "ab/03.txt", "notes/01.txt"])
        #expect(chapters.map(\.languages) == [["", "de-AT", "ja"], [""], [""], [""]])
    }

    /// Opens a book, whose first chapter also exists in Japanese, at a position.
    private func translated(
        language: String = "en_US", _ place: ReadingPlace? = nil
    ) -> (ShopProbe, [ShopEffect]) {
        var probe = ShopProbe(SampleShop.full(locale: language))
        probe.open("book.one")
        probe.happen(.confirmed)
        let content = SampleShop.opened(
            "book.one", text: Self.text, place: place, isTranslated: true)
        let effects = probe.happen(.reader(.opened(content)))
        return (probe, effects)
    }

    private func file(_ path: String) -> ContentFile? {
        SampleShop.opened("book.one", text: Self.text, isTranslated: true).files
            .first { $0.path == path }
    }

    private func opened(_ path: String) -> ShopAction {
        var content = SampleShop.opened("book.one", text: Self.text, isTranslated: true)
        content.number = content.files.firstIndex { $0.path == path } ?? 0
        return .reader(.opened(content))
    }

    @Test("content begins in the person's own language, and goes on where and as it was left")
    func contentBeginsInThePersonsLanguage() throws {
        let japanese = try #require(file("ja/01-the-boat.txt"))
        #expect(translated(language: "ja_JP").1 == [.openContent("book.one", japanese)])
        #expect(translated(language: "en_US").1 == [])
        #expect(translated(language: "ja_JP", place("01-the-boat.txt", line: 3)).1 == [])
    }

    @Test(
        "L reads the chapter in its next language, and a later chapter without it in the original")
    func theLanguageIsChosen() throws {
        var (probe, _) = translated()
        let japanese = try #require(file("ja/01-the-boat.txt"))
        #expect(probe.happen(.reader(.languageChanged)).last == .openContent("book.one", japanese))
        probe.happen(opened("ja/01-the-boat.txt"))
        #expect(probe.state.reader?.chapter == 0 && probe.state.reader?.language == "ja")
        let second = try #require(file("02-the-log.txt"))
        #expect(probe.happen(.choiceMoved(1)).last == .openContent("book.one", second))
        probe.happen(opened("02-the-log.txt"))
        #expect(probe.happen(.reader(.languageChanged)) == [])
        // Back in a chapter that exists in the chosen language, that language is opened.
        #expect(probe.happen(.choiceMoved(-1)).last == .openContent("book.one", japanese))
    }

    @Test("Enter lists the chapters, and the chosen one is opened")
    func aChapterIsChosenFromTheContents() throws {
        var (probe, _) = translated()
        probe.happen(.confirmed)
        #expect(probe.state.sheet == .chapters(ChapterSheet(chosen: 0)))
        probe.happen(.selectionMoved(.down))
        let second = try #require(file("02-the-log.txt"))
        let effects = probe.happen(.confirmed)
        #expect(effects.last == .openContent("book.one", second) && probe.state.sheet == nil)
        probe.happen(opened("02-the-log.txt"))
        // A click opens a chapter, too; Esc keeps the present one open.
        probe.happen(.confirmed)
        let picture = try #require(file("tower.png"))
        #expect(
            probe.happen(.chapterSheet(.pointed(2))).last == .openContent("book.one", picture))
        probe.happen(opened("tower.png"))
        probe.happen(.confirmed)
        #expect(probe.happen(.wentBack) == [] && probe.state.sheet == nil)
        #expect(probe.state.reader?.chapter == 2)
    }

    @Test("content of one chapter has no list of chapters")
    func oneChapterIsNoList() {
        var probe = reading()
        var content = SampleShop.opened("book.one", text: Self.text)
        content.files = [content.files[0]]
        probe.happen(.reader(.opened(content)))
        probe.send(.confirmed)
    }
}
