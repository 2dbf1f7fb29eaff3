import Foundation
@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The server's screen as it is drawn, clicked and told in lines.
@Suite struct ServerViewTests {
    private static let sizes = [Screens.smallest, Screens.usual, Size(columns: 200, rows: 50)]

    private static func drawing(_ state: ShopState, _ size: Size) -> ShopDrawing {
        ShopDrawing(
            state, size: size, capabilities: Screens.capabilities(),
            formatters: Screens.formatters)
    }

    @Test("each notification is a row with its type and its state", arguments: sizes)
    func notifications(_ size: Size) {
        let words = [
            ("en_US", ["NOTIFICATIONS 4", "will be sent again", "sent", "waiting", "no address"]),
            ("ja_JP", ["通知 4", "失敗、再送予定", "送信済み", "待機中", "送信先なし"]),
        ]
        for (locale, states) in words {
            let state = SampleScreen.server.state(locale: locale, size: size)
            let text = Screens.draw(state, size).text
            for word in states + ["DID_CHANGE_REN", "SUBSCRIBED", "DID_RENEW", "TEST"] {
                #expect(text.contains(word), "\(word) in \(locale)\n\(text)")
            }
        }
    }

    @Test("without an address its key is named, and the help has no buttons", arguments: sizes)
    func noAddress(_ size: Size) throws {
        var state = SampleScreen.server.state(locale: "en_US", size: size)
        var snapshot = SampleServer.snapshot
        snapshot.settings?.url = nil
        state.take([.server(.arrived(snapshot, waiting: 0))], on: size)
        let text = Screens.draw(state, size).text
        let isWhole = size != Screens.smallest
        #expect(text.contains("Notifications are sent nowhere.") == isWhole, "\(text)")
        #expect(text.contains("a sets an address."), "\(text)")
        let large = Size(columns: 200, rows: 50)
        state.take([.helpToggled], on: large)
        let help = Screens.draw(state, large).lines
        let own = try #require(help.firstIndex { $0.contains("SERVER") })
        let other = try #require(help.firstIndex { $0.contains("THE SHOP") })
        #expect(own < other, "the screen's own keys come first")
        #expect(!ServerScreen.keys.contains { $0.title(state) == .keyNextButton })
    }

    @Test("a request that was refused has the seven digits of its error", arguments: sizes)
    func errorCode(_ size: Size) {
        var state = SampleScreen.server.state(locale: "en_US", size: size)
        var snapshot = SampleServer.snapshot
        snapshot.requests[0].status = 404
        snapshot.requests[0].errorCode = 4_040_010
        state.take(
            [.server(.arrived(snapshot, waiting: 0)), .server(.listCycled)], on: size)
        #expect(Screens.draw(state, size).text.contains("404 4040010"))
        state.take([.confirmed], on: size)
        #expect(Screens.draw(state, size).text.contains("404 4040010"))
    }

    @Test("the details of a request say why its token was refused", arguments: sizes)
    func tokenRefusal(_ size: Size) {
        for (locale, word) in [("en_US", "bundle id"), ("ja_JP", "バンドルID")] {
            var state = SampleScreen.server.state(locale: locale, size: size)
            var snapshot = SampleServer.snapshot
            snapshot.requests[0].status = 401
            snapshot.requests[0].tokenRefusal = .otherBundle
            state.take(
                [.server(.arrived(snapshot, waiting: 0)), .server(.listCycled), .confirmed],
                on: size)
            let text = Screens.draw(state, size).text
            #expect(text.contains(word), "\(text)")
        }
    }

    @Test(
        "where there is room, a row tells when the next attempt follows, and the last the address")
    func attempts() throws {
        for (locale, words) in [
            ("en_US", ["SUBSCRIBED.INITIAL_BUY", "will be sent again", "next Nov 22"]),
            ("ja_JP", ["SUBSCRIBED.INITIAL_BUY", "失敗、再送予定", "次回"]),
        ] {
            let state = SampleScreen.server.state(locale: locale, size: Screens.usual)
            let lines = Screens.draw(state, Screens.usual).lines
            let row = try #require(lines.first { $0.contains("▌") })
            for word in words { #expect(row.contains(word), "\(row)") }
            #expect(lines.contains { $0.contains(SampleServer.address) })
        }
    }

    @Test("each request is a row with its status and its time", arguments: sizes)
    func requests(_ size: Size) {
        for locale in ["en_US", "ja_JP"] {
            var state = SampleScreen.server.state(locale: locale, size: size)
            state.take([.server(.listCycled)], on: size)
            let lines = Screens.draw(state, size).lines
            for (path, status) in [("GET /inApps/v1/t", "200"), ("POST /inApps", "500")] {
                let row = lines.first { $0.contains(path) && $0.contains(status) }
                #expect(row != nil, "\(lines.joined(separator: "\n"))")
            }
            #expect(lines.contains { $0.contains("4.2") } == (size != Screens.smallest))
        }
    }

    @Test("the details name the attempts, the verdict and the decoded parts", arguments: sizes)
    func details(_ size: Size) {
        for (locale, words) in [
            (
                "en_US",
                ["Attempt 1", "SOCKET_ISSUE", "503", "verified on this device", "SIGNED PAYLOAD"]
            ),
            ("ja_JP", ["送信1回目", "SOCKET_ISSUE", "503", "このデバイスで検証済み", "署名された内容"]),
        ] {
            var state = SampleScreen.serverDetails.state(locale: locale, size: size)
            var text = Screens.draw(state, size).text
            for _ in 0..<30 {
                state.take([.selectionMoved(.down)], on: size)
                text += "\n" + Screens.draw(state, size).text
            }
            if locale == "en_US", size == Screens.usual {
                #expect(text.contains("no connection (SOCKET_ISSUE)  3 ms"), "\(text)")
            }
            for word in words + ["\"SUBSCRIBED\"", "\"book.two\""] {
                #expect(text.contains(word), "\(word)\n\(text)")
            }
        }
    }

    @Test("a part that is not verified is said to be so, by its code")
    func notVerified() {
        var state = SampleScreen.serverDetails.state(locale: "en_US", size: Screens.large)
        var details = SampleServer.details
        details.problem = .revokedCertificate
        state.take([.server(.inspected(details))], on: Screens.large)
        let text = Screens.draw(state, Screens.large).text
        #expect(text.contains("not verified") && text.contains("revokedCertificate"), "\(text)")
    }

    @Test("beside the list the details are in sight at once; elsewhere they replace it")
    func beside() {
        for (size, isBeside) in [(Screens.usual, false), (Size(columns: 200, rows: 50), true)] {
            let list = SampleScreen.server.state(locale: "en_US", size: size)
            #expect(Screens.draw(list, size).text.contains("Attempt 1") == isBeside)
            let details = SampleScreen.serverDetails.state(locale: "en_US", size: size)
            #expect(Screens.draw(details, size).text.contains("REQUESTS 3") == isBeside)
        }
    }

    @Test("the number of a notification is never broken, also where its column is narrow")
    func wholeNumber() {
        let state = SampleScreen.server.state(locale: "en_US", size: Screens.large)
        let text = Screens.draw(state, Screens.large).text
        #expect(text.contains(SampleServer.failing.id.uuidString.lowercased()), "\(text)")
    }

    @Test("the header counts the notifications of a backend that does not answer")
    func header() {
        for (size, text) in [
            (Screens.usual, "2 unsent"), (Screens.large, "2 notifications wait"),
        ] {
            var state = SampleShop.full()
            state.shop.hasServer = true
            #expect(!Screens.draw(state, size).lines[0].contains(text))
            state.take([.server(.arrived(nil, waiting: 2))], on: size)
            #expect(Screens.draw(state, size).lines[0].contains(text))
            state.shop.isPresenting = true
            #expect(!Screens.draw(state, size).lines[0].contains(text))
        }
    }

    @Test("in 40 columns the row above the list counts them, whatever else is counted")
    func unsentInFewColumns() {
        let size = Screens.smallest
        for (locale, words) in [
            ("en_US", ["4 unsent", "1234 unsent", "NOTIFICATIONS 200"]),
            ("ja_JP", ["未送信 4", "未送信 1234", "通知 200"]),
        ] {
            var state = SampleScreen.server.state(locale: locale, size: size)
            state.snapshot.whyOffline = .networkIsOff
            state.faults = [Fault(id: 1, call: .purchase, error: .unknown, remaining: 12)]
            state.take([.server(.arrived(SampleServer.snapshot, waiting: 4))], on: size)
            #expect(Screens.draw(state, size).lines[1].contains(words[0]))
            var many = SampleServer.snapshot
            many.notifications = (1...200).map {
                SampleServer.item($0, NotificationKind(.didRenew))
            }
            many.requests = Array(repeating: SampleServer.requests[0], count: 200)
            state.take([.server(.arrived(many, waiting: 1234))], on: size)
            let frame = Screens.draw(state, size)
            for word in words.dropFirst() {
                #expect(frame.lines[1].contains(word), "\(frame.text)")
            }
            state.shop.isPresenting = true
            #expect(!Screens.draw(state, size).lines[1].contains("1234"))
        }
    }

    @Test("the typed address is drawn to its end, with the cursor there", arguments: sizes)
    func address(_ size: Size) throws {
        var state = SampleScreen.server.state(locale: "en_US", size: size)
        let typed = SampleServer.address + "/end"
        state.take([.server(.addressChosen), .server(.addressTyped(typed))], on: size)
        let frame = Screens.draw(state, size)
        let cursor = try #require(frame.cursor)
        #expect(frame.isCursorVisible)
        #expect(frame.lines[cursor.row].contains("notifications/end"), "\(frame.text)")
    }

    @Test("a click on a row selects it, one on the other list's name shows that")
    func clicks() throws {
        let size = Screens.usual
        var state = SampleScreen.server.state(locale: "en_US", size: size)
        func click(_ text: String) throws {
            let drawing = Self.drawing(state, size)
            let row = try #require(drawing.frame.lines.firstIndex { $0.contains(text) })
            let line = drawing.frame.lines[row]
            let found = try #require(line.range(of: text))
            let column = line.distance(from: line.startIndex, to: found.lowerBound)
            let action = try #require(drawing.action(at: Position(column: column, row: row)))
            state.take([action], on: size)
        }
        try click("DID_RENEW")
        #expect(state.server.selectedNotification == SampleServer.sent)
        try click("REQUESTS")
        #expect(state.server.list == .requests)
        try click("POST")
        #expect(state.server.selectedRequest == SampleServer.requests[1])
    }

    @Test("a screen without anything says what to do")
    func empty() {
        var state = SampleShop.full()
        state.shop.hasServer = true
        state.take([.server(.opened)], on: Screens.usual)
        #expect(Screens.draw(state, Screens.usual).text.contains("Reading the events"))
        state.take([.server(.arrived(ServerSnapshot(), waiting: 0))], on: Screens.usual)
        var text = Screens.draw(state, Screens.usual).text
        #expect(text.contains("There are no notifications") && text.contains("sent nowhere"))
        state.take([.server(.listCycled)], on: Screens.usual)
        text = Screens.draw(state, Screens.usual).text
        #expect(text.contains("No requests."))
        state.take(
            [.server(.failed(.readServer(isWhole: true), StoreError(.storeBusy)))],
            on: Screens.usual)
        #expect(!Screens.draw(state, Screens.usual).text.contains("No requests."))
    }

    @Test("an address of another machine is named as such")
    func otherHost() {
        var snapshot = SampleServer.snapshot
        snapshot.obstacle = .otherHost
        var state = SampleScreen.server.state(locale: "en_US", size: Screens.usual)
        state.take([.server(.arrived(snapshot, waiting: 2))], on: Screens.usual)
        #expect(
            Screens.draw(state, Screens.usual).text.contains("was set on another machine: 2 notif"))
    }

    // MARK: - In lines

    @Test("in lines a number opens a notification, words send a test and set an address")
    func lines() throws {
        var presenter = LinearPresenter(
            capabilities: Screens.capabilities(colors: .mono), formatters: Screens.formatters)
        var state = SampleScreen.server.state(locale: "en_US", size: Screens.usual)
        var effects: [ShopEffect] = []
        func type(_ line: String) throws {
            _ = presenter.tell(state)
            guard case .actions(let actions) = presenter.answer(to: line, in: state) else {
                Issue.record("\(line) does nothing: \(presenter.page(state).lines)")
                return
            }
            effects = actions.flatMap { action in
                state.reduce(
                    action,
                    ShopMoment(
                        now: SampleShop.now, paymentID: SampleShop.payment(9),
                        viewport: presenter.viewport(state)))
            }
        }
        let page = presenter.page(state)
        let number = try #require(page.choices.firstIndex { $0.text.contains("DID_RENEW") }) + 1
        try type("\(number)")
        #expect(state.server.isInspecting)
        #expect(state.server.selectedNotification == SampleServer.sent)
        #expect(presenter.page(state).lines.contains { $0.contains("SUCCESS") })
        try type("<")
        try type("send a test")
        #expect(effects == [.changeServer(.test)])
        try type("set the address")
        #expect(state.focus == .addressLine)
        try type("http://127.0.0.1:4000/a")
        #expect(effects == [.changeServer(.send(to: "http://127.0.0.1:4000/a"))])
        try type("requests")
        #expect(state.server.list == .requests)
        #expect(presenter.page(state).lines.contains { $0.contains("500, 4.2 ms") })
    }
}
