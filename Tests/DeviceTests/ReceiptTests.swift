import DurableFiles
import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite("receipts and what the store signs broken", .timeLimit(.minutes(10)))
struct ReceiptTests {
    private func sale(
        _ product: ProductID, in home: Home, device: DeviceName = "phone"
    ) async throws -> TransactionID {
        try #require(try await home.session(device).purchase(.of(product)).number)
    }

    private func numbers(_ kept: KeptReceipt?) throws -> [TransactionID] {
        try #require(kept).verified.get().inApp.map(\.transactionId)
    }

    @Test("a consumable is listed until it is finished, everything else for good [A6]")
    func contents() async throws {
        let home = try await Home()
        let device = try await home.open()
        #expect(try await device.receipt() == nil)
        let theme = try await sale(SampleCatalog.theme, in: home)
        let coins = try await sale(SampleCatalog.coins, in: home)
        let before = try await device.refreshReceipt(ReceiptOptions())
        #expect(try numbers(before) == [theme, coins])
        let payload = try before.verified.get()
        #expect(payload.receiptType == "ProductionSandbox")
        #expect(!payload.isExpired(at: .latest) && !payload.isVolumePurchase)
        #expect(payload.inApp.allSatisfy { $0.signedDate == payload.receiptCreationDate })

        _ = try await device.finish(theme)
        _ = try await device.finish(coins)
        await device.writeReceipt()
        #expect(try numbers(try await device.receipt()) == [theme])
        _ = try await home.store.console.perform(
            .refund(theme, .rest, reason: .other))
        let refunded = try await device.refreshReceipt(ReceiptOptions())
        #expect(try refunded.verified.get().inApp.first?.revocationDate != nil)
    }

    @Test("refreshing makes no transaction and finishes nothing [A6]")
    func refreshIsHarmless() async throws {
        let home = try await Home()
        let device = try await home.open()
        _ = try await sale(SampleCatalog.coins, in: home)
        let entries = try await home.store.entries().count
        for options in [
            ReceiptOptions(), ReceiptOptions(isExpired: true), ReceiptOptions(isRevoked: true),
            ReceiptOptions(isVolumePurchase: true),
        ] {
            let kept = try await device.refreshReceipt(options)
            let payload = try kept.verified.get()
            #expect(payload.isExpired(at: .latest) == options.isExpired)
            #expect((payload.revocationDate != nil) == options.isRevoked)
            #expect(payload.isVolumePurchase == options.isVolumePurchase)
            #expect(try await device.receipt() == kept)
        }
        #expect(try await home.store.entries().count == entries)
        #expect(try await device.deliveries().isEmpty)
    }

    @Test("the receipt is written after a delivery, in the background")
    func written() async throws {
        let home = try await Home()
        let (made, making) = AsyncStream.makeStream(of: Void.self)
        let device = try await home.launch { script in
            script.changeReceipt = { receipt in
                making.yield()
                return receipt
            }
        }
        let outcome = try await device.buy(.of(SampleCatalog.theme))
        var iterator = made.makeAsyncIterator()
        while true {
            _ = await iterator.next()
            await device.writeReceipt()
            if let kept = try await device.receipt(), try numbers(kept) == [outcome.number] {
                break
            }
        }
        let path = try #require(try await device.receipt()).path
        await device.close()
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o077 == 0)
    }

    @Test("a receipt that was altered or comes from another device is not verified")
    func altered() async throws {
        let home = try await Home()
        let (phone, tablet) = (try await home.open(), try await home.open("tablet"))
        let kept = try await phone.refreshReceipt(ReceiptOptions())
        let others = try await tablet.refreshReceipt(ReceiptOptions())
        #expect(kept.path != others.path)

        for (text, reason) in [
            (others.signed.rawValue, VerificationError.invalidDeviceVerification),
            (kept.signed.rawValue.dropLast(8) + "AAAAAAAA", .invalidSignature),
            ("garbage", .invalidEncoding), ("", .invalidEncoding),
        ] {
            try Data(text.utf8).write(to: URL(filePath: kept.path))
            #expect(try await phone.receipt()?.verified == .failure(reason))
        }
        let again = try await phone.refreshReceipt(ReceiptOptions())
        #expect(try await phone.receipt() == again)
    }

    @Test("a link in place of the receipt is not followed, and is replaced")
    func link() async throws {
        let home = try await Home()
        let device = try await home.open()
        let kept = try await device.refreshReceipt(ReceiptOptions())
        let elsewhere = home.folder.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: kept.path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: kept.path, withDestinationPath: elsewhere)
        let error = await #expect(throws: StoreError.self) { try await device.receipt() }
        #expect(error?.code == .deviceUnreadable)
        let before = try Data(contentsOf: URL(filePath: elsewhere))
        let again = try await device.refreshReceipt(ReceiptOptions())
        #expect(try await device.receipt() == again)
        #expect(try Data(contentsOf: URL(filePath: elsewhere)) == before)
    }

    @Test("a receipt or app transaction that the store forges is refused, and the old one stays")
    func forgedByStore() async throws {
        let home = try await Home()
        let other = try await home.open("tablet")
        let others = try await other.refreshReceipt(ReceiptOptions()).signed
        let othersApp = try await other.appTransaction().signed
        let good = try await home.open().refreshReceipt(ReceiptOptions())
        let device = try await home.open { script in
            script.changeReceipt = { _ in others }
            script.changeAppTransaction = { _ in othersApp }
        }
        for refuse in [
            { _ = try await device.refreshReceipt(ReceiptOptions()) },
            { _ = try await device.appTransaction() },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: StoreError.self) { try await refuse() }
            #expect(error?.code == .verificationFailed)
            #expect(error?.found == "invalidDeviceVerification")
        }
        #expect(try await device.receipt() == good)
    }

    @Test("the app transaction is kept, verified, and made anew if its file was altered")
    func appTransaction() async throws {
        let home = try await Home()
        let device = try await home.open()
        let kept = try await device.appTransaction()
        #expect(try await device.appTransaction() == kept)
        let payload = try kept.verified.get()
        #expect(payload.bundleId == TestStore.identity.bundleID)
        let id = try await sale(SampleCatalog.theme, in: home)
        let sold = TransactionVerifier.unverifiedPayload(
            of: try await home.session().transaction(id))
        #expect(payload.appTransactionId == sold?.appTransactionId)
        try Data("garbage".utf8).write(to: URL(filePath: kept.path))
        let again = try await device.appTransaction()
        #expect(again.signed != kept.signed)
        #expect(try again.verified.get().appTransactionId == payload.appTransactionId)
    }

    @Test("refreshing the app transaction asks the store; where that fails, the kept one stays")
    func refreshAppTransaction() async throws {
        let home = try await Home()
        let device = try await home.open()
        let kept = try await device.appTransaction()
        _ = try await home.store.console.perform(
            .failNext(.appTransaction, error: .systemError, count: 1))
        // Answered without the store, and so without consuming the prepared failure.
        #expect(try await device.appTransaction() == kept)
        let error = await #expect(throws: StoreError.self) {
            try await device.refreshAppTransaction()
        }
        #expect(error?.code == .systemError)
        #expect(try await device.appTransaction() == kept)
        let refreshed = try await device.refreshAppTransaction()
        #expect(refreshed.signed != kept.signed)
        #expect(try await device.appTransaction() == refreshed)
    }

    // MARK: - Broken sales

    @Test(
        "a sale that is signed broken unlocks nothing, and says why", arguments: BrokenText.allCases
    )
    func brokenSale(way: BrokenText) async throws {
        let home = try await Home()
        let signer = try TestStore.signer()
        let device = try await home.launch { script in
            script.handOut = { signed in
                TransactionVerifier.unverifiedPayload(of: signed)
                    .flatMap { try? signer.sign($0, broken: way) } ?? signed
            }
        }
        let updates = device.updates()
        _ = try await device.buy(.of(SampleCatalog.theme))
        #expect(await updates.first(\.unverified) == way.reason)
        #expect(try await device.deliveries().isEmpty)
        #expect(try await device.restore().unverifiedCount == 1)
        #expect(try await device.latestDeliveries().isEmpty)
        await device.close()
    }

    @Test("an earlier state of a sale that is read again after its refund gives nothing back")
    func olderRevision() async throws {
        let home = try await Home()
        let device = try await home.launch()
        let id = try #require(try await device.buy(.of(SampleCatalog.theme)).number)
        try await home.untilFinished()
        _ = try await home.store.console.perform(
            .refund(id, .rest, reason: .other))
        try await home.until(device) { try await device.latestDeliveries().isEmpty }
        await device.close()

        let again = try await home.open { script in
            script.feedStart = FeedCursor(epoch: 1, position: 0)
        }
        let updates = again.updates()
        try await again.launch()
        // The refund is the last event of the sale.
        let isRevised = await updates.first { update in
            if case .revised(let payload, _, _) = update {
                payload.transactionId == id
            } else {
                nil
            }
        }
        #expect(isRevised == true)
        #expect(try await again.latestDeliveries().isEmpty)
        await again.close()
    }

    // MARK: - Revoked certificates

    private func revokedSale(in home: Home) async throws -> SignedTransaction {
        let id = try await sale(SampleCatalog.theme, in: home)
        let signed = try await home.session().transaction(id)
        let payload = try #require(TransactionVerifier.unverifiedPayload(of: signed))
        return try TestStore.signer().sign(payload, broken: .revokedCertificate)
    }

    private func reason(_ result: VerificationResult<TransactionPayload>) -> VerificationError? {
        if case .unverified(_, let reason) = result { reason } else { nil }
    }

    @Test("the list of revoked certificates is kept, and holds while the store cannot be reached")
    func listIsKept() async throws {
        let home = try await Home()
        let revoked = try await revokedSale(in: home)
        #expect(reason(await (try home.open()).verify(revoked)) == .revokedCertificate)
        let cut = try await home.open { script in
            script.changeRevoked = { _ throws(StoreError) in throw StoreError(.networkError) }
        }
        #expect(reason(await cut.verify(revoked)) == .revokedCertificate)
        // A device that never received a list cannot know of the revocation.
        let new = try await home.open("tablet") { script in
            script.changeRevoked = { _ throws(StoreError) in throw StoreError(.networkError) }
        }
        #expect(reason(await new.verify(revoked)) == .invalidDeviceVerification)
    }

    @Test("an older list of the store does not replace the one that is kept")
    func olderList() async throws {
        let home = try await Home()
        let revoked = try await revokedSale(in: home)
        #expect(reason(await (try home.open()).verify(revoked)) == .revokedCertificate)
        let path = try home.deviceFolder().path + "/revoked-certificates.jws"
        let kept = try Data(contentsOf: URL(filePath: path))
        let older = try TestStore.revocationList(at: .earliest)
        let device = try await home.open { script in script.changeRevoked = { _ in older } }
        #expect(reason(await device.verify(revoked)) == .revokedCertificate)
        #expect(try Data(contentsOf: URL(filePath: path)) == kept)
    }

    @Test("a forged list and another store's are reported once and change nothing")
    func forgedList() async throws {
        let other = try StoreKeys.generate().revocationList(at: .latest)
        let good = try TestStore.revocationList(at: .latest)
        for forged in [other, SignedRevocationList(good.rawValue.dropLast(8) + "AAAAAAAA")] {
            let home = try await Home()
            let revoked = try await revokedSale(in: home)
            #expect(reason(await (try home.open()).verify(revoked)) == .revokedCertificate)
            let device = try await home.open { script in
                script.changeRevoked = { _ in forged }
            }
            let updates = device.updates()
            #expect(reason(await device.verify(revoked)) == .revokedCertificate)
            _ = await device.verify(revoked)
            #expect(await updates.first(\.trouble)?.code == .verificationFailed)
            await device.close()
            for await update in updates { Issue.record("reported again: \(update)") }
        }
    }

    @Test("a kept list that was altered is reported, and the store's is used")
    func alteredList() async throws {
        let home = try await Home()
        let revoked = try await revokedSale(in: home)
        _ = await (try home.open()).verify(revoked)
        let path = try home.deviceFolder().path + "/revoked-certificates.jws"
        try Data("garbage".utf8).write(to: URL(filePath: path))
        let device = try await home.open()
        let updates = device.updates()
        #expect(reason(await device.verify(revoked)) == .revokedCertificate)
        #expect(await updates.first(\.trouble)?.subject == path)
        #expect(try Data(contentsOf: URL(filePath: path)) != Data("garbage".utf8))
    }
}
