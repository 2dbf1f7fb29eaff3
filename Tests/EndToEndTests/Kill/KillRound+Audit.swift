import Foundation
import Testing

extension KillRound {
    private struct Sale {
        var id: String
        var product: String
        var coins: Int
        var isConsumable: Bool
        /// In thousandths of a percent; nil while nothing was taken back.
        var takenBack: Int?
        var purchaseDate: Int
        var expiresDate: Int?

        /// What is left of the coins it granted.
        var coinsLeft: Int { coins - coins * (takenBack ?? 0) / 100_000 }
    }

    /// Lets everything come to rest, then compares what was promised, sold, granted and downloaded.
    func audit() async throws -> [String] {
        try await comeToRest()
        let sales = try await readSales()
        tally.sales += sales.count
        try await checkPromises(sales)
        checkRenewals(sales)
        try checkSpends()
        try checkDeliveries(sales)
        try await checkContent()
        return problems
    }

    /// A launch of each device, and each payment of ours once more.
    private func comeToRest() async throws {
        // A payment that was cut off may have been sent again by a launch while purchases had to
        // wait for approval: then it waits too, as it should.
        take(try await box.run("operator", "approve", "--all", "--json"))
        for words in sent.sorted(by: { $0.key < $1.key }).map(\.value) {
            let answer = try await box.run(words)
            take(answer)
            if answer.code != 0 {
                problems.append("sent again: \(words) \(answer.code) \(answer.whole)")
            }
        }
        for words in spends.sorted(by: { $0.key < $1.key }).map(\.value) {
            let answer = try await box.run(words)
            take(answer)
            if ![0, 12].contains(answer.code) {
                problems.append("spent again: \(words) \(answer.code) \(answer.whole)")
            }
        }
        for device in Self.devices {
            let answer = try await box.run("restore", "--device", device)
            if answer.code != 0 { problems.append("restore on \(device): \(answer.errors)") }
            // A payment whose sender was killed before the clock was moved is old by now: a person
            // decides, and drops it.
            for line in try await box.run("payments", "--device", device, "--json").json
            where line["state"].text == "held" {
                let id = line["payment"]["id"].text ?? ""
                take(try await box.run("payments", "drop", id, "--device", device, "--json"))
            }
            // What was refunded since is in the records then.
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

    /// No period of a subscription is missing and none is there twice: each run begins where the one
    /// before it ended, or later.
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

    /// What was said to be spent is written down, once, on one device.
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

    /// P1 and the first half of P2: each acknowledged payment is one sale, and no payment is two.
    private func checkPromises(_ sales: [Sale]) async throws {
        let ids = Set(sales.map(\.id))
        if ids.count != sales.count { problems.append("a transaction is listed twice") }
        var sold: [String: [String]] = [:]
        var renewed: [String] = []
        for event in try await box.run("operator", "events").json {
            let sale = event["change"]["sold"]["_0"]
            guard let id = sale["id"].text else { continue }
            guard let payment = sale["payment"].text else {
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

    /// The second half of P2, read past the program: what was granted is what was sold.
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

    /// What is downloaded is what the store hosts, byte by byte, and nothing half is left.
    private func checkContent() async throws {
        for device in Self.devices {
            for row in try await box.run("downloads", "--device", device, "--json").json {
                let download = row["download"]
                let name = "\(download["productID"]) \(download["contentID"]) on \(device)"
                switch download["state"].text {
                case "cancelled": continue
                // Deleted on purpose stands in the record; content that is missing without that
                // is told as deleted too, and would be a loss.
                case "deleted" where try isRecordedAsDeleted(download, on: device): continue
                case "finished": break
                default: problems.append("\(name) is \(download["state"])")
                }
                guard let path = row["path"].text, let hosted = hosted(download) else { continue }
                let difference = FolderContents(path).differences(FolderContents(hosted))
                if !difference.isEmpty { problems.append("\(name) differs in \(difference)") }
            }
        }
        let partial = box.partialFiles
        if !partial.isEmpty { problems.append("left over: \(partial)") }
    }

    private func isRecordedAsDeleted(_ download: JSON, on device: String) throws -> Bool {
        guard let product = download["productID"].text, let content = download["contentID"].text
        else { return false }
        return try Database("\(box.store)/devices/\(device)/me/device.sqlite").rows(
            """
            SELECT 1 FROM downloads
            WHERE product = '\(product)' AND content = '\(content)' AND state = 'deleted'
            """
        ).count == 1
    }

    private func hosted(_ download: JSON) -> String? {
        guard let product = download["productID"].text, let content = download["contentID"].text
        else { return nil }
        let folders = [
            "lantern.book.lighthouse.1 text": "lighthouse-1",
            "lantern.book.lighthouse.2 text": "lighthouse-2/text",
            "lantern.book.lighthouse.2 pictures": "lighthouse-2/pictures",
        ]
        return folders["\(product) \(content)"].map { Program.content + "/" + $0 }
    }
}
