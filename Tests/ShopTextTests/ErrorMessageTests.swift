import Foundation
import ShopText
import StoreModel
import Testing

@Suite("what errors say")
struct ErrorMessageTests {
    /// Every error code, read from the sources, so that a code without texts is found.
    private static let codes: [StoreError.Code] = {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
        return paths.flatMap { path in
            let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
            guard text.contains("extension StoreError.Code {") else { return [StoreError.Code]() }
            return text.matches(of: /static let [A-Za-z]+ = Self\("([A-Za-z]+)"\)/)
                .map { StoreError.Code(String($0.1)) }
        }
    }()

    private static let english = Strings.english
    private static let japanese = Strings(locale: "ja_JP")

    private static func error(_ code: StoreError.Code) -> StoreError {
        StoreError(
            code, productID: "x.y", transactionID: TransactionID(7), subject: "the subject",
            found: "what was found", expected: "what was expected", cause: "the cause")
    }

    @Test("the codes are found in the sources")
    func codesAreFound() {
        #expect(Self.codes.count >= 41)
        #expect(Set(Self.codes).isSuperset(of: Fault.Call.purchase.errors))
    }

    @Test("every code has its own English words, and says what was not lost [C4]", arguments: codes)
    func english(code: StoreError.Code) {
        let message = Self.english.message(for: Self.error(code))
        #expect(!message.happened.contains("no name here"))
        #expect(message.happened.hasSuffix(".") || message.happened.hasSuffix("?"))
        #expect(!message.line.contains("nil") && !message.line.contains("Optional"))
        let others = Self.codes.filter { $0 != code }.map {
            Self.english.message(for: Self.error($0)).happened
        }
        #expect(!others.contains(message.happened), "another code says the same")
        // A refused name has lost nothing, so this error needs no sentence about that.
        if code != .invalidName { #expect(!message.kept.isEmpty) }
    }

    @Test("a failure of the clock, a spend or a package is told in words of no purchase")
    func ofNoPurchase() {
        let codes: [StoreError.Code] = [
            .storeFull, .deviceFull, .systemError, .unknown, .storeReadOnly, .dueNotRecorded, "new",
        ]
        for code in codes {
            let error = StoreError(code, subject: "clock", found: 0, expected: 1, cause: "a cause")
            let line = Self.english.message(for: error).line
            for word in ["purchase failed", "charged", "downloaded", "this one"] {
                #expect(!line.contains(word), "\(line)")
            }
        }
        let payment = StoreError(.systemError, paymentID: PaymentID(UUID()), cause: "a cause")
        #expect(Self.english.message(for: payment).kept == "You weren't charged.")
    }

    @Test("an address in an advised command is in quotes where a shell needs them")
    func quotedAddress() {
        let address = "postgresql://db/shop?a=b&store=team"
        for strings in [Self.english, Self.japanese] {
            let moved = strings.message(for: StoreError(.storeMoved, subject: address))
            #expect(moved.next.contains("--store '\(address)'") && moved.happened.contains(address))
            let copy = strings.message(for: StoreError(.copyUnfinished, subject: address))
            #expect(copy.next.contains("store copy '\(address)' HERE"))
            let folder = strings.message(for: StoreError(.storeMoved, subject: "/s/store"))
            #expect(folder.next.hasSuffix("--store /s/store"))
        }
    }

    @Test("an older store that cannot be written is told from one that is too old to be read")
    func olderReadOnly() {
        let tooOld = Self.english.message(for: StoreError(.storeOlder, subject: "/s/store.sqlite"))
        let error = StoreError(.storeOlder, subject: "/s/store.sqlite", found: 1)
        let older = Self.english.message(for: error)
        #expect(older.happened.hasSuffix("/s/store.sqlite cannot be written."))
        #expect(older.next.contains("copy its folder") && older.next != tooOld.next)
        let japanese = Self.japanese.message(for: error)
        #expect(japanese.next.contains("コピー") && japanese.happened.contains("/s/store.sqlite"))
    }

    @Test("a transaction that is not verified is restored, any other signed text refreshed")
    func notVerified() {
        var error = StoreError(
            .verificationFailed, transactionID: TransactionID(7), subject: "transaction",
            found: "invalidSignature")
        let screen = ErrorReader.screen(product: nil, namesConsole: true)
        #expect(Self.english.message(for: error).next.hasSuffix("storefront restore"))
        #expect(
            Self.english.message(for: error, to: screen).next
                == "Press r to restore your purchases.")
        error.transactionID = nil
        error.subject = "receipt"
        #expect(Self.english.message(for: error).next.hasSuffix("storefront receipt refresh"))
    }

    @Test("a sale that is not verified, or whose record was altered, is named")
    func namesTheSale() {
        for code: StoreError.Code in [.verificationFailed, .recordAltered] {
            let error = StoreError(
                code, productID: "x.y", transactionID: TransactionID(7), subject: "deliveries",
                found: "invalidSignature")
            for strings in [Self.english, Self.japanese] {
                let shell = strings.message(for: error)
                let screen = strings.message(
                    for: error, to: .screen(product: "Sepia", namesConsole: true))
                #expect(shell.happened.contains("\"x.y\""))
                #expect(screen.happened.contains("Sepia") && !screen.line.contains("deliveries"))
                #expect(screen.happened.contains("7") && !screen.next.isEmpty)
            }
        }
    }

    @Test(
        "kept records that were altered are called by words, not by their names in the file",
        arguments: [
            "contact", "entitlements", "settings", "catalog", "products", "family",
            "subscriptions", "requests", "unfinished", "history", "unlocks.jws", "reports",
            "backendList",
        ])
    func keptRecords(name: String) {
        let error = StoreError(.recordAltered, subject: name)
        let english = Self.english.message(for: error)
        #expect(!english.happened.contains("(") && !english.happened.contains("a record on"))
        #expect(!english.next.isEmpty)
        let japanese = Self.japanese.message(for: error).happened
        #expect(!japanese.contains(name))
    }

    @Test("advice about an account names it where the command named it, and says you elsewhere")
    func namesTheAccount() {
        let error = StoreError(.transactionNotFound, transactionID: TransactionID(7))
        #expect(Self.english.message(for: error).happened == "You have no transaction 7.")
        #expect(
            Self.english.message(for: error, to: .shell(account: "kai")).happened
                == "Account \"kai\" has no transaction 7.")
        for code in Self.codes {
            for account in [nil, "kai"] {
                let line = Self.english.message(
                    for: Self.error(code), to: .shell(account: account)
                ).line
                #expect(!line.contains("his account"), "\(line)")
            }
        }
    }

    @Test("every code has Japanese words, and says what was not lost", arguments: codes)
    func japanese(code: StoreError.Code) {
        let message = Self.japanese.message(for: Self.error(code))
        #expect(!message.happened.contains(code.rawValue), "the sentence about an unknown code")
        for text in [message.happened, message.kept, message.next] where !text.isEmpty {
            #expect(text.contains(/[\p{Hiragana}\p{Katakana}\p{Han}]/), "\(text)")
        }
        if code != .invalidName { #expect(!message.kept.isEmpty) }
    }

    @Test("a purchase that failed was not charged", arguments: Fault.Call.purchase.errors)
    func notCharged(code: StoreError.Code) {
        let error = StoreError(code, productID: "x.y")
        #expect(Self.english.message(for: error).kept == "You weren't charged.")
        #expect(Self.japanese.message(for: error).kept == "請求はありません。")
    }

    @Test("a download that stopped never speaks of charges, in any language")
    func downloads() {
        let codes: [StoreError.Code] =
            Fault.Call.purchase.errors + [
                .deviceFull, .storeFull, .storeBusy, .storeReplaced, .storeUnreadable,
                .storeReadOnly, .storeNewer, .deviceUnreadable, .contentMismatch,
                .contentUnavailable, .init("brandNew"),
            ]
        for code in codes {
            let error = StoreError(code, productID: "x.y", cause: "because")
            let message = Self.english.downloadMessage(for: error)
            let english = message.line
            #expect(!english.contains("charged"), "\(code)")
            #expect(message.next.isEmpty == (code == .notEntitled), "\(code)")
            let japanese = Self.japanese.downloadMessage(for: error).line
            #expect(!japanese.contains("請求") && !japanese.isEmpty, "\(code)")
        }
        let full = Self.english.downloadMessage(
            for: StoreError(.deviceFull), commands: DownloadCommands(of: "x.y")
        ).line
        let commands = "storefront downloads"
        #expect(
            full.hasSuffix(
                "Remove other content with: \(commands) resume x.y --make-room; or make room, then "
                    + "resume it with: \(commands) resume x.y; or cancel it with: \(commands) "
                    + "cancel x.y"))
    }

    @Test(
        "content that is here is not said to be waited for, whatever keeps it from being recorded")
    func contentHere() {
        let commands = DownloadCommands(of: "x.y")
        for code: StoreError.Code in [
            .deviceFull, .storeFull, .storeBusy, .deviceUnreadable, .init("brandNew"),
        ] {
            let error = StoreError(code, productID: "x.y")
            let line = Self.english.downloadMessage(
                for: error, isHere: true, commands: commands
            ).line
            #expect(line.hasPrefix("The content is here, but its purchase cannot be finished yet"))
            #expect(!line.contains("resume") && !line.contains("charged"), "\(line)")
            let japanese = Self.japanese.downloadMessage(for: error, isHere: true).line
            #expect(japanese.hasPrefix("内容はダウンロード済み"), "\(japanese)")
        }
        let full = Self.english.downloadMessage(
            for: StoreError(.storeFull), isHere: true, commands: commands)
        #expect(full.next.hasSuffix("finish it with: storefront downloads run"))
    }

    @Test("a code nobody knows still gets a sentence")
    func unknownCode() {
        #expect(Self.english.message(for: StoreError(.init("brandNew"))).line.contains("brandNew"))
    }

    @Test("figures are values in the program and texts in JSON, equal when they are read again")
    func figures() throws {
        let day = Timestamp(milliseconds: 1_797_840_000_000)
        let errors = [
            StoreError(.deviceFull, found: 7, expected: Int64.max),
            StoreError(.clockBackwards, found: day),
            StoreError(.productUnavailable, reason: .availableFrom, found: day, expected: "007"),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(errors)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"[{"code":"deviceFull","expected":"9223372036854775807","found":"7"},"#
                + #"{"code":"clockBackwards","found":"1797840000000"},"#
                + #"{"code":"productUnavailable","expected":"007","found":"1797840000000","#
                + #""subject":"availableFrom"}]"#)
        let read = try JSONDecoder().decode([StoreError].self, from: json)
        #expect(read == errors && read[2].reason == .availableFrom)
        #expect(read.map(\.found?.number) == [7, day.milliseconds, day.milliseconds])
        #expect(read[2].expected == .text("007"), "no program writes a number so")
    }

    @Test("on a screen a product has its name, and keys are offered instead of commands")
    func onScreen() {
        let reader = ErrorReader.screen(product: "The Lighthouse", namesConsole: true)
        let gone = Self.english.message(for: Self.error(.productUnavailable), to: reader)
        #expect(gone.line == "The Lighthouse is no longer for sale. You weren't charged.")
        for code in Self.codes {
            let message = Self.english.message(for: Self.error(code), to: reader)
            #expect(!message.happened.contains("x.y"), "\(code)")
        }
        let forbidden = Self.english.message(for: Self.error(.purchaseNotAllowed), to: reader)
        #expect(!forbidden.next.contains("storefront"))
    }

    @Test(
        "a product that is not for sale says since when, or until when, or its state",
        arguments: [
            ("availableFrom", "1796083200000", "Sepia is for sale from 2026-12-01T00:00:00Z."),
            ("availableUntil", "1796083200000", "Sepia was for sale until 2026-12-01T00:00:00Z."),
            ("publicationState", "ready", "Sepia is not for sale: it is in the state \"ready\"."),
        ])
    func notForSale(subject: String, found: String, text: String) {
        let error = StoreError(
            .productUnavailable, productID: "x.y", subject: subject, found: found)
        let message = Self.english.message(
            for: error, to: .screen(product: "Sepia", namesConsole: true))
        #expect(message.happened == text)
        #expect(message.kept == "You weren't charged.")
        #expect(
            Self.japanese.message(for: error, to: .screen(product: "Sepia", namesConsole: true))
                .happened != text)
    }

    @Test("a customer is not sent to a console that is not there")
    func forCustomers() {
        let reader = ErrorReader.screen(product: "The Lighthouse", namesConsole: false)
        for code in Self.codes {
            let line = Self.english.message(for: Self.error(code), to: reader).line
            #expect(!line.lowercased().contains("console"), "\(code)")
        }
    }

    @Test("a line begins with the cause, because its end may be cut")
    func causeFirst() {
        let message = Self.english.message(for: StoreError(.paymentDeclined))
        #expect(message.line.hasPrefix("The payment was declined. You weren't charged."))
    }
}
