import Foundation
import Testing

extension KillRound {
    private struct Sale {
        var id: String
        var product: String
        var coins: Int
        var isConsumable: Bool
        /// The revoked part of the sale, in thousandths of a percent; nil if it is not revoked.
        var takenBack: Int?
        var purchaseDate: Int
        var expiresDate: Int?

        var coinsLeft: Int { coins - coins * (takenBack ?? 0) / 100_000 }
    }

    /// Completes all pending work, then checks that the records agree.
    func audit() async throws -> [String] {
        try await completePendingWork()
        let sales = try await readSales()
        tally.sales += sales.count
        try await checkPromises(sales)
        checkRenewals(sales)
        try checkSpends()
        try await checkValues()
        try await checkRequests(sales)
        try checkDeliveries(sales)
        try await checkSignedFiles(sales)
        try await checkFamily()
        // Whatever the family is after the kills, it can be completed, and shares every purchase.
        for words in [["create", "me"], ["join", "kai", "--organizer", "me"]] {
            _ = try await box.run(["operator", "family"] + words)
        }
        try await checkFamily()
        try await checkContent()
        return problems
    }

    /// Launches each device, and sends each payment and spend with an id of this test once more.
    private func completePendingWork() async throws {
        // A payment that a launch resent while Ask to Buy was on rightly waits for approval.
        recordPromises(try await box.run("operator", "approve", "--all", "--json"))
        try await box.succeed("operator", "faults", "--clear")
        for device in Self.devices {
            // A device that was never used has no network to turn on; the command is refused.
            _ = try await box.run("operator", "network", device, "on")
        }
        // A purchase that is still pending was interrupted: the customer resolves it.
        for line in try await box.run("requests", "--json").json {
            recordPromises(
                try await box.run("requests", "resolve", line["requestId"].text ?? "", "--json"))
        }
        // The device that claims a purchase from outside the app delivers it.
        for line in try await box.run(
            "transactions", "--unfinished", "--json"
        ).json
        where line["type"].text == "Consumable" && line["device"] == .null {
            let id = line["transactionId"].text ?? ""
            let answer = try await box.run("claim", id, "--device", Self.devices[0])
            if answer.code != 0 { problems.append("claim \(id): \(answer.whole)") }
        }
        for words in sent.sorted(by: { $0.key < $1.key }).map(\.value) {
            let answer = try await box.run(words)
            recordPromises(answer)
            if answer.code != 0 {
                problems.append("sent again: \(words) \(answer.code) \(answer.whole)")
            }
        }
        for words in spends.sorted(by: { $0.key < $1.key }).map(\.value) {
            let answer = try await box.run(words)
            recordPromises(answer)
            if ![0, 12].contains(answer.code) {
                problems.append("spent again: \(words) \(answer.code) \(answer.whole)")
            }
        }
        for device in Self.devices {
            let answer = try await box.run("restore", "--device", device)
            if answer.code != 0 { problems.append("restore on \(device): \(answer.errors)") }
            // A payment from before a move of the clock counts as old: a person drops it.
            for line in try await box.run("payments", "--device", device, "--json").json
            where line["state"].text == "held" {
                let id = line["paymentId"].text ?? ""
                recordPromises(
                    try await box.run("payments", "drop", id, "--device", device, "--json"))
            }
            // The command takes later refunds into the device's records.
            _ = try await box.run("purse", "--device", device)
        }
        let unfinished = try await box.run("transactions", "--unfinished")
        if !unfinished.output.isEmpty { problems.append("unfinished: \(unfinished.output)") }
    }

    private func readSales() async throws -> [Sale] {
        let answer = try await box.run("transactions", "--json")
        return answer.json.map { line in
            let product = line["productId"].text ?? ""
            let each = product.hasPrefix("lantern.coins.") ? Int(product.dropFirst(14)) ?? 0 : 0
            return Sale(
                id: line["transactionId"].text ?? "", product: product,
                coins: each * (line["quantity"].number ?? 0),
                isConsumable: line["type"].text == "Consumable",
                takenBack: line["revocationDate"].number == nil
                    ? nil : line["revocationPercentage"].number ?? 100_000,
                purchaseDate: line["purchaseDate"].number ?? 0,
                expiresDate: line["expiresDate"].number)
        }
    }

    /// No period is missing or recorded twice: each begins at the end of the one before, or later.
    private func checkRenewals(_ sales: [Sale]) {
        let periods = sales.filter { $0.expiresDate != nil }.sorted {
            $0.purchaseDate < $1.purchaseDate
        }
        tally.renewals += max(0, periods.count - 1)
        for (earlier, later) in zip(periods, periods.dropFirst()) {
            let isOver = earlier.takenBack != nil || later.purchaseDate >= earlier.expiresDate ?? 0
            if !isOver || later.purchaseDate == earlier.purchaseDate {
                problems.append("periods \(earlier.id) and \(later.id) overlap")
            }
        }
    }

    /// Every spend that was acknowledged is recorded once, on one device.
    private func checkSpends() throws {
        var found: [String] = []
        for device in Self.devices {
            let path = "\(box.store)/devices/\(device)/me/device.sqlite"
            guard access(path, F_OK) == 0 else { continue }
            found += try Database(path).rows("SELECT hex(id) FROM spends").map { $0[0] }
        }
        tally.spends += found.count
        if found.count != Set(found).count { problems.append("a spend was made twice") }
        for id in spent where !found.contains(id.replacing("-", with: "").uppercased()) {
            problems.append("spend \(id) is lost")
        }
    }

    /// Every device reads the same values, none of them older than an acknowledged one.
    private func checkValues() async throws {
        // The first device may have changes to send, which the second one then reads.
        _ = try await box.run("values", "--device", Self.devices[1])
        for device in Self.devices {
            let lines = try await box.run("values", "--device", device, "--json").json
            for (key, promised) in valuesPromised {
                let line = lines.first { $0["key"].text == key }
                let found = line?["value"].text.flatMap(Int.init) ?? 0
                if found < promised {
                    problems.append("\(key) is \(found) on \(device), \(promised) was promised")
                }
            }
        }
    }

    /// A resolved request is sold, and a withdrawn one is not. A requested refund is recorded, and
    /// is pending at most once and only while its sale is not refunded.
    private func checkRequests(_ sales: [Sale]) async throws {
        let ids = Set(sales.map(\.id))
        tally.requests += resolved.count + withdrawn.count + refundsAsked.count
        for id in resolved where !ids.contains(id) { problems.append("resolved \(id) is lost") }
        for id in withdrawn where ids.contains(id) {
            problems.append("\(id) was taken back, and sold")
        }
        let asked = try await box.run("operator", "events", "--json").json
            .filter { $0["event"].text == "refundRequested" }
            .compactMap { $0["transactionId"].text }
        for id in refundsAsked where !asked.contains(id) {
            problems.append("the request for a refund of \(id) is lost")
        }
        let waiting = try await box.run("operator", "refund-requests", "--json").json
            .compactMap { $0["transactionId"].text }
        if waiting.count != Set(waiting).count { problems.append("a refund waits twice") }
        for sale in sales where sale.takenBack != nil && waiting.contains(sale.id) {
            problems.append("\(sale.id) was taken back, and its refund waits")
        }
    }

    /// The receipt and the record of unlocks are verified; the receipt lists all but consumables.
    private func checkSignedFiles(_ sales: [Sale]) async throws {
        let lasting = Set(sales.filter { !$0.isConsumable }.map(\.id))
        for device in Self.devices {
            let verified = try await box.run("receipt", "verify", "--device", device, "--json")
            if verified.code != 0 { problems.append("receipt of \(device): \(verified.whole)") }
            let listed = try await box.run("receipt", "show", "--device", device, "--json")
                .object["inApp"].items.compactMap { $0["transactionId"].text }
            let missing = lasting.subtracting(listed)
            if !missing.isEmpty { problems.append("the receipt of \(device) lacks \(missing)") }
            let unlocks = try await box.run("unlocks", "--device", device, "--json")
            if unlocks.code != 0 { problems.append("unlocks of \(device): \(unlocks.whole)") }
        }
    }

    /// A member has exactly the products that the organizer shares, each once; others have none.
    private func checkFamily() async throws {
        let family = try await box.run("family", "--json").object
        let members = family["members"].items
        let isMember = members.contains { $0["account"].text == "kai" }
        let keptBack = members.first { $0["account"].text == "me" }?["keptBack"].items ?? []
        let shareable: Set = Set(
            try await box.run("products", "--json").object["products"].items
                .filter { $0["familyShareable"].bool == true }
                .compactMap { $0["productId"].text }
        ).subtracting(keptBack.compactMap(\.text))
        let owned = Set(
            try await box.run("entitlements", "--json").json.compactMap { $0["productId"].text })
        let shares = try await box.run("entitlements", "--account", "kai", "--json").json
            .compactMap { $0["productId"].text }
        tally.shares += shares.count
        if shares.count != Set(shares).count { problems.append("shared twice: \(shares)") }
        let expected = isMember ? owned.intersection(shareable) : []
        if Set(shares) != expected {
            problems.append("kai has \(shares), and should have \(expected.sorted())")
        }
    }

    /// P1, and half of P2: each acknowledged payment is one sale, and none is sold twice.
    private func checkPromises(_ sales: [Sale]) async throws {
        let ids = Set(sales.map(\.id))
        if ids.count != sales.count { problems.append("a transaction is listed twice") }
        var sold: [String: [String]] = [:]
        var renewed: [String] = []
        for event in try await box.run("operator", "events").json {
            guard event["event"].text == "sold", event["account"].text == "me",
                let id = event["transactionId"].text
            else { continue }
            guard let payment = event["paymentId"].text else {
                renewed.append(id)
                continue
            }
            sold[payment, default: []].append(id)
        }
        if Set(sold.values.joined() + renewed) != ids {
            problems.append("events and transactions differ")
        }
        for (payment, ids) in sold where ids.count > 1 {
            problems.append("payment \(payment) was sold as \(ids)")
        }
        for (payment, id) in acknowledged where sold[payment] != [id] {
            problems.append("acknowledged \(payment) as \(id), found \(sold[payment] ?? [])")
        }
        for payment in sent.keys where sold[payment]?.count != 1 {
            problems.append("sent \(payment), found \(sold[payment] ?? [])")
        }
        for id in approved where !ids.contains(id) { problems.append("approved \(id) is lost") }
        for book in Self.books {
            let owned = sales.count { $0.product == book && $0.takenBack == nil }
            if owned > 1 { problems.append("\(book) was sold twice") }
        }
    }

    /// The second half of P2, read from the databases: every sale was granted, and nothing else.
    private func checkDeliveries(_ sales: [Sale]) throws {
        var granted: [String] = []
        var coins = 0
        for device in Self.devices {
            let path = "\(box.store)/devices/\(device)/me/device.sqlite"
            guard access(path, F_OK) == 0 else { continue }
            let database = try Database(path)
            granted += try database.rows(
                "SELECT id FROM deliveries WHERE kind = 'Consumable' AND is_void = 0"
            ).map { $0[0] }
            coins += try database.number("SELECT amount FROM balances WHERE unit = 'coins'")
            coins += try database.number("SELECT sum(amount) FROM spends WHERE unit = 'coins'")
            for row in try database.rows("SELECT CAST(body AS TEXT) FROM queue") {
                problems.append("still queued on \(device): \(row[0])")
            }
        }
        let sold = sales.filter(\.isConsumable)
        if granted.count != Set(granted).count { problems.append("delivered on two devices") }
        let missing = Set(sold.map(\.id)).symmetricDifference(granted)
        if !missing.isEmpty { problems.append("sold or delivered only: \(missing.sorted())") }
        let sum = sold.reduce(0) { $0 + $1.coinsLeft }
        if coins != sum {
            problems.append("\(sum) coins were sold and not refunded, \(coins) granted or spent")
        }
    }

    /// Downloaded content equals the hosted content byte for byte, and no partial file is left.
    private func checkContent() async throws {
        for device in Self.devices {
            for row in try await box.run("downloads", "--device", device, "--json").json {
                let download = row
                let name = "\(download["productId"]) \(download["contentId"]) on \(device)"
                switch download["state"].text {
                case "cancelled": continue
                // The records name a deletion by a person. Content that is missing without one is
                // listed as deleted, too, but it is a loss.
                case "deleted" where try isRecordedAsDeleted(download, on: device): continue
                case "finished": break
                default: problems.append("\(name) is \(download["state"])")
                }
                guard let path = row["path"].text, let hosted = hosted(download) else { continue }
                let difference = FolderContents(path + "/Contents").differences(
                    FolderContents(hosted))
                if !difference.isEmpty { problems.append("\(name) differs in \(difference)") }
            }
        }
        let partial = box.partialFiles
        if !partial.isEmpty { problems.append("left over: \(partial)") }
    }

    private func isRecordedAsDeleted(_ download: JSON, on device: String) throws -> Bool {
        guard let product = download["productId"].text, let content = download["contentId"].text
        else { return false }
        return try Database("\(box.store)/devices/\(device)/me/device.sqlite").rows(
            """
            SELECT 1 FROM downloads
            WHERE product = '\(product)' AND content = '\(content)' AND state = 'deleted'
            """
        ).count == 1
    }

    private func hosted(_ download: JSON) -> String? {
        guard let product = download["productId"].text, let content = download["contentId"].text
        else { return nil }
        let folders = [
            "lantern.book.lighthouse.1 text": "lighthouse-1",
            "lantern.book.lighthouse.2 text": "lighthouse-2/text",
            "lantern.book.lighthouse.2 pictures": "lighthouse-2/pictures",
        ]
        return folders["\(product) \(content)"].map { Program.content + "/" + $0 }
    }
}
