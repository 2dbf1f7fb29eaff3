import StoreModel

extension English {
    static func text(_ text: ColumnText) -> String {
        switch text {
        case .columnRole: "ROLE"
        case .columnShares: "SHARES"
        case .columnSharedBy: "SHARED BY"
        case .columnTransaction: "TRANSACTION"
        case .columnDate: "DATE"
        case .columnProduct: "PRODUCT"
        case .columnIdentifier: "ID"
        case .columnPrice: "PRICE"
        case .columnPeriod: "PERIOD"
        case .columnState: "STATE"
        case .columnRequest: "REQUEST"
        case .waitsFor(.askToBuy): "approval"
        case .waitsFor(.authentication): "the bank"
        case .waitsFor(.interrupted): "the customer"
        case .waitsForRefund(let reason): "a refund: \(reason)"
        case .refundAskedState: "refund asked"
        case .refundReason(.unintended): "bought by mistake"
        case .refundReason(.broken): "does not work"
        case .refundReason(.unsatisfied): "not as expected"
        case .refundReason(.other): "another reason"
        case .backendSays(let answer): says(answer)
        case .eventUnverified: "not verified"
        case .countEvery: "all"
        case .columnWaitsFor: "WAITS FOR"
        case .columnAsked: "ASKED"
        case .columnAccount: "ACCOUNT"
        case .columnDevice: "DEVICE"
        case .columnPayment: "PAYMENT"
        case .columnQueued: "QUEUED"
        case .columnPackage: "PACKAGE"
        case .columnVersion: "VERSION"
        case .columnSize: "SIZE"
        case .columnPath: "PATH"
        case .columnNumber: "NUMBER"
        case .columnEvent: "EVENT"
        case .columnDetail: "DETAIL"
        case .columnTrial: "TRIAL"
        case .columnArea: "AREA"
        case .columnTitle: "TITLE"
        case .columnEvidence: "EVIDENCE"
        case .columnCount: "COUNT"
        case .columnCall: "CALL"
        case .columnError: "ERROR"
        case .columnCurrency: "CURRENCY"
        case .columnSold: "SOLD"
        case .columnSales: "SALES"
        case .columnRefunded: "REFUNDED"
        case .columnDay: "DAY"
        case .columnTerritory: "TERRITORY"
        case .columnQuantity: "QUANTITY"
        case .columnProceeds: "PROCEEDS"
        case .columnNotice: "NOTICE"
        case .columnValue: "VALUE"
        case .columnAccounts: "ACCOUNTS"
        case .noticeKind(.appAccountToken): "one token"
        case .noticeKind(.applicationUsername): "one user name"
        case .noticeKind(.device): "one device"
        case .restoredRow: "restored"
        case .hereRow: "was here"
        case .deliveredRow: "delivered"
        case .unfinishedState: "unfinished"
        case .until(let date): "until \(date)"
        case .renews(let date): "renews \(date)"
        case .sharedByFamily: "shared by the family"
        case .deliveredOn(let device): "to be delivered on \(device)"
        case .refundedOn(let part, let date): "refunded\(part.map { " (\($0))" } ?? "") \(date)"
        case .upgradedOn(let date): "plan changed \(date), the rest refunded"
        case .revokedOn(let part, let date): "revoked\(part.map { " (\($0))" } ?? "") \(date)"
        case .unverifiedState(let reason): "not verified: \(reason)"
        case .columnOffer: "OFFER"
        case .columnTerms: "TERMS"
        case .columnCodes: "CODES"
        case .subscriptionGraceEnds(let date): "payment failed; access until \(date)"
        }
    }

    static func text(_ text: PurchaseLineText) -> String {
        switch text {
        case .changeTakenBackLine(let name, let next):
            "You keep \(name): the change to \(next) is withdrawn."
        case .boughtLine(let item, let price, let transaction, let isLeft):
            "Bought \(item) for \(price), transaction \(transaction)"
                + (isLeft ? "; left unfinished." : ".")
        case .autoRenewOnAgainLine(let name): "Auto-renew of \(name) was off and is on again."
        case .planForLaterLine(let name, let transaction, let from):
            "\(name) \(begins(from, after: transaction))"
        case .billingPlanForLaterLine(let name, let plan, let transaction, let from):
            "\(name) is \(paid(plan)) from \(from ?? "the next renewal") on; "
                + continues(transaction)
        case .ownedLineFor(let name, let transaction):
            "Already owned: \(name), transaction \(transaction). You weren't charged."
        case .takenBackLineFor(let name, let transaction, let date, let isRefunded):
            takenBack(name, transaction, date, isRefunded: isRefunded)
        case .pendingLine(let name, let request, let reason): pending(name, request, reason)
        case .joinedRequestLine:
            "It was asked for before: one answer decides all payments of that request."
        case .claimedElsewhereLine(let device): "\(device) has claimed it and delivers it."
        case .notBelievedLine(let reason):
            "Its transaction could not be verified here (\(reason)): nothing was delivered."
        case .unknownLine(let name, let cause, let command):
            "It is not known whether \(name) was bought: its payment may have been recorded, or may "
                + "still be sent\(because(cause)). Ask again with the same id, which never charges "
                + "twice: \(command)"
        case .stillPendingLine(let cause):
            "The request still waits, but its answer cannot be waited for here"
                + (cause.map { ": \($0)" } ?? ".")
        case .notDeliveredLine(let cause):
            "Its delivery could not be recorded yet" + (cause.map { ": \($0)" } ?? ".")
                + " It is delivered at the next launch."
        case .notCompleteLine(let item, let product, let isPaused):
            "You own \(item); its download is "
                + (isPaused ? "paused" : "not complete")
                + ". Resume it with: storefront downloads resume \(product)"
        case .interruptedLine(let name):
            "Interrupted. You own \(name); the rest of its delivery follows at the next launch."
        case .notTried(let products): "Not tried: \(products.joined(separator: ", "))."
        case .soldButNotDelivered(let device):
            "It is sold. Another shop delivers for \(device) and has not done so yet; is it stopped? "
                + "It continues when that one does, or ends."
        case .sentAgainSold(let item, let transaction):
            "It is sold: \(item), transaction \(transaction)."
        case .sendingAgainLine(let item, let age):
            "Sending again: \(item), asked for \(age) ago by a process that ended before its answer."
        case .notSentLine(let item, let age, let advice):
            "Not sent: \(item), asked for \(age) ago by a process that ended before its answer. You "
                + "weren't charged for it. \(self.text(advice))"
        case .buyOrDrop(let buy, let drop): "Buy it with: \(buy); drop it with: \(drop)"
        case .productInvalid(let id): "invalid: \(id) is not sold here."
        case .paymentsOffFor(let account): "Payments are off for account \"\(account)\"."
        case .noPaymentsQueued: "No payments are waiting."
        case .beingSent: "being sent"
        case .notAnswered: "no answer yet"
        case .soldUnfinished(let transaction):
            "sold as \(transaction), unfinished: the next launch delivers it"
        case .heldNotSent: "held, not sent"
        case .ago(let age): "\(age) ago"
        case .droppedLine(let id): "Dropped \(id). You weren't charged for it."
        case .droppedFailed(let id): "Dropped \(id): it had failed. You weren't charged for it."
        case .notDroppedSold(let payment, let transaction):
            "Not dropped: \(payment) was sold as \(transaction). It is delivered at the next launch."
        case .notDroppedPending(let payment, let request):
            "Not dropped: \(payment) waits for an answer as request \(request)."
        case .unverifiedUnfinished(let transaction, let reason):
            "Transaction \(transaction) of this device could not be verified (\(reason)): it is not "
                + "delivered, and is offered again at the next launch."
        case .unverifiedNotRestored(let count):
            count == 1
                ? "1 transaction could not be verified and was not restored."
                : "\(count) transactions could not be verified and were not restored."
        case .nothingNew: "Nothing new to restore."
        case .restoredCount(let count): "Restored \(self.count(count, "purchase"))."
        case .deliveredCount(let count): "Delivered \(self.count(count, "purchase"))."
        case .undeliveredLine(let count, let deliver):
            "\(self.count(count, "purchase")) not delivered on this device yet. Deliver with: \(deliver)"
        case .unclaimedLine(let count, let claim):
            "\(self.count(count, "purchase")) made outside the app, for the device that claims it: "
                + claim.joined(separator: "; ")
        case .noHistory: "Nothing like this has happened yet."
        case .nothingFound: "No transaction that is known here matches."
        case .nothingSold(let account): "Nothing was sold to account \"\(account)\" yet."
        case .allFinished: "Everything is finished."
        case .afterRestored(let count): "after \(self.count(count, "purchase"))"
        case .restoredBeforeFailure(let count):
            "\(self.count(count, "purchase")) came back before the restore failed."
        case .restoreLostNothing:
            "Nothing is lost: the account keeps what it bought, and what is on this device stays. "
                + "Restore again when the network is on."
        case .finishedLine(let id): "Finished \(id)."
        case .finishQueued(let id): "\(id) will be finished when this device is online again."
        case .consumablesNotRestored:
            "Consumables, such as coins, are not restored: each belongs to the device that bought it."
        case .noPromoted: "No purchase that was begun outside the app is held on this device."
        case .promotedDropped(let product): "Dropped \(product), which was begun outside the app."
        case .unreadableEntitlement(let transaction, let product, let reason):
            "\(transaction)  \(product)  not verified: \(reason)"
        case .unlocksLine(let names, let hasProducts, let asOf, let until):
            unlocked(names, hasProducts: hasProducts, asOf: asOf, until: until)
        case .finishedBefore(let id): "\(id) was finished before."
        case .anotherDevicesLine(let id): "\(id) is another device's to deliver and finish."
        case .noEntitlements: "No entitlements."
        case .purseEmpty: "Nothing in it yet."
        case .purseNotCurrent:
            "The store cannot be written: what was refunded since this device was used last is still "
                + "counted."
        case .noValues: "There is no such value."
        case .valueChanged(let key, true): "Every device of the account has the new \(key)."
        case .valueChanged(let key, false):
            "This device has the new \(key); the others get it when it reaches the store again."
        case .spentLine(let amount, let unit, let left): "Spent \(amount) \(unit); \(left) left."
        case .claimedLine(let transaction, let device): "Claimed \(transaction) for \(device)."
        case .offerForLaterLine(let name, let transaction, let from):
            "The offer of \(name) \(begins(from, after: transaction))"
        }
    }

    private static func begins(_ date: String?, after transaction: String) -> String {
        "begins \(date.map { "on \($0)" } ?? "at the next renewal"); \(continues(transaction))"
    }

    private static func continues(_ transaction: String) -> String {
        "\(transaction) continues until then. You weren't charged."
    }

    private static func takenBack(
        _ name: String, _ transaction: String, _ date: String, isRefunded: Bool
    ) -> String {
        "\(isRefunded ? "Refunded" : "Revoked"): this payment bought \(name) as transaction "
            + "\(transaction), which was \(isRefunded ? "refunded" : "revoked") at \(date). You "
            + "weren't charged again. Buy it anew without --payment."
    }

    private static func pending(
        _ name: String, _ request: String, _ reason: RequestReason
    ) -> String {
        switch reason {
        case .askToBuy:
            "Pending: \(name), waiting for approval as request \(request). You haven't been charged."
        case .authentication:
            "Pending: \(name), waiting for the bank as request \(request). You haven't been charged."
        case .interrupted:
            "Interrupted: \(name), waiting as request \(request). You haven't been charged. Resolve it "
                + "with: storefront requests resolve \(request)"
        }
    }

    private static func unlocked(
        _ names: [String], hasProducts: Bool, asOf: String, until: String?
    ) -> String {
        (names.isEmpty
            ? hasProducts ? "What is owned unlocks no named feature" : "Nothing is unlocked"
            : "Unlocked: \(names.joined(separator: ", "))")
            + " (as of \(asOf)" + (until.map { ", until \($0))" } ?? ")")
    }

    private static func says(_ answer: ConsumptionAnswer) -> String {
        let delivery =
            switch answer.deliveryStatus {
            case .delivered: "delivered"
            case .qualityIssue: "not delivered, for its quality"
            case .wrongItem: "another item delivered"
            case .serverOutage: "not delivered, the server was down"
            case .other: "not delivered"
            }
        let used = answer.consumptionPercentage.map { "\($0 / 1000)% used" }
        let preference: String? =
            switch answer.refundPreference {
            case .decline: "prefers no refund"
            case .grantFull: "prefers a full refund"
            case .grantProrated: "prefers a refund in part"
            case nil: nil
            }
        return "backend: "
            + [delivery, used, preference].compactMap(\.self).joined(separator: ", ")
    }

    static func text(_ text: DownloadLineText) -> String {
        switch text {
        case .packedLine(let path, let files, let bytes, let packed):
            "Packed \(count(files, "file")), \(Measures.bytes(bytes)), as \(Measures.bytes(packed)): \(path)"
        case .servingLine(let address, let products):
            "Serving content of \(count(products, "product")) at \(address). End with Ctrl-C."
        case .packageProblem(let path, let found, let expected):
            "error: " + (path.map { "\($0): " } ?? "") + "\(found); expected \(expected)"
        case .packageInvalidLine(let problems):
            "Invalid: \(count(problems, "problem"))."
        case .packageValidLine(let product, let package, let files, let bytes):
            "Valid: \(product), package \(package), \(count(files, "file")), \(Measures.bytes(bytes))."
        case .updateLine(let product, let package, let from, let to, let bytes):
            "\(product) \(package): \(from) → \(to), \(Measures.bytes(bytes))"
        case .noUpdates: "Everything on this device is up to date."
        case .lookAtTerritory(let code): "Look there with: storefront products --territory \(code)"
        case .upToDate(let product): "\(product) is up to date."
        case .noDownloadFaults(let device): "Nothing goes wrong with the downloads of \(device)."
        case .downloadFaults(let device, let faults):
            "Downloads of \(device): \(list(faults))."
        case .contentOpenAlready(let package): "\(package) is open already. Nothing was spent."
        case .noContentHere: "No content is on this device."
        case .contentRemoved(let product, let package, let bytes):
            "Removed \(product) \(package), \(Measures.bytes(bytes)). You can download it again any time."
        case .spaceLine(let space):
            "\(count(space.packages, "package")), \(Measures.bytes(space.bytes))"
                + (space.partialBytes > 0
                    ? ", and \(Measures.bytes(space.partialBytes)) on the way" : "")
                + (space.freeBytes.map { "; \(Measures.bytes($0)) free" } ?? "")
        case .noPackages: "No packages were put into this store."
        case .bytes(let bytes): Measures.bytes(bytes)
        case .watchingLine(let device, let delivers):
            "Watching \(device). "
                + (delivers
                    ? "This process delivers for it." : "Another process delivers for it.")
                + " Ctrl-C ends."
        case .downloadsGoOn(let names):
            "Not downloaded yet: \(names.joined(separator: ", ")). The downloads continue when you open the "
                + "shop again, or now with: storefront downloads run"
        case .watchDelivers: "this process delivers from now on"
        case .watchDownload: "download"
        case .watchProblem: "problem"
        case .noDownloads: "No downloads on this device."
        case .nobodyDownloads:
            "No process downloads for this device now. What is waiting continues when the shop is "
                + "opened, or with: storefront downloads resume ID"
        case .staysPaused(let product):
            "\(product) stays paused. Resume it with: storefront downloads resume \(product)"
        case .downloadedAlready(let product): "\(product) is downloaded already."
        case .standsStill(let product, let seconds, isElsewhere: false):
            "No data of \(product) for \(seconds) s. Continue with: storefront downloads run"
        case .standsStill(let product, let seconds, isElsewhere: true):
            "Another process of this device downloads \(product): no data for \(seconds) s. "
                + "End that process, or wait longer: storefront downloads run --patience SECONDS"
        case .salesStayOpen(let seconds):
            "A purchase could not be completed for \(seconds) s. What is open: storefront transactions --unfinished"
        case .updateCancelledLine(let product, let version):
            "Update of \(product) cancelled; version \(version) stays."
        case .besideUpdate(let version, let state): "downloaded; \(version) \(state)"
        case .downloadSettings(let settings):
            DeviceSwitch.allCases.map { state(of: $0, settings) }.joined(separator: sentenceGap)
        case .waitsForConsent(let product, let bytes):
            "\(product) waits: the connection is metered, and it has \(Measures.bytes(bytes)). Download it with: storefront downloads resume \(product) --metered"
        case .askMetered(let product, let bytes):
            "The connection is metered. Download \(Measures.bytes(bytes)) for \(product)? [y/N] "
        case .finishCancels(let product, let package):
            "Finishing cancels the download of \(product) \(package); it can be downloaded again."
        case .bytesToDownload(let bytes): "\(Measures.bytes(bytes)) to download again"
        case .bytesOf(let received, let expected):
            "\(Measures.bytes(received)) of \(Measures.bytes(expected))"
        case .downloadState(let state):
            switch state {
            case .waiting: "waiting"
            case .active: "downloading"
            case .paused: "paused"
            case .failed: "failed"
            case .finished: "downloaded"
            case .cancelled: "cancelled"
            case .deleted: "removed"
            }
        case .downloadNeedsConsent: "waiting (metered connection)"
        case .downloadNotWorkedOn: "waiting (not running)"
        case .downloadWaitsForRoom: "waiting (disk full)"
        }
    }

    static func text(_ text: SubscriptionLineText) -> String {
        switch text {
        case .renewalSettings(let settings, let rate):
            "Rate: \(rate) (\(settings.rate.name)); "
                + (settings.renewalsMax.map { "at most \(count($0, "renewal"))" }
                    ?? "renewals without end")
                + (settings.limitPerDay.map { ", \($0) in 24 hours" } ?? "")
                + "; payments for renewals \(settings.failsBilling ? "fail" : "succeed"); "
                + (settings.hasGracePeriod
                    ? "a grace period after a failed one." : "no grace period.")
        case .noIssues: "No issues were published."
        case .issueToRead: "to download"
        case .issueNotOwned: "subscribers only"
        case .noSubscriptions: "No subscriptions."
        case .subscriptionRevoked: "revoked"
        case .subscriptionNeverEnds: "never ends"
        case .subscriptionState(let state):
            switch state {
            case .subscribed: "active"
            case .expired: "expired"
            case .inBillingRetryPeriod: "payment failed"
            case .inGracePeriod: "grace period"
            case .revoked: "refunded"
            }
        case .subscriptionRenews(let date, let price, let product):
            "renews on \(date)" + (product.map { " as \($0)" } ?? "")
                + (price.map { " for \($0)" } ?? "")
        case .subscriptionRenewedAhead(let date, let until, let price):
            "renews on \(date), already charged; next on \(until)"
                + (price.map { " for \($0)" } ?? "")
        case .subscriptionEnds(let date): "ends on \(date)"
        case .subscriptionEndsNotForSale(let date): "ends on \(date), no longer sold"
        case .subscriptionEndedAtLimit: "ended: the limit of renewals was reached"
        case .subscriptionThen(let product, let plan):
            "then " + [product, plan.map { paid($0) }].compactMap(\.self).joined(separator: ", ")
        case .billingPlanName(.upFront): "payment up front"
        case .billingPlanName(.monthly): "monthly payments"
        case .subscriptionPays(let date, let price):
            "next payment on \(date)" + (price.map { " for \($0)" } ?? "")
                + "; ends with the commitment"
        case .subscriptionCommitment(let number, let count, let date):
            "payment \(number) of \(count) until \(date)"
        case .subscriptionRetried(let price):
            "no access; renews" + (price.map { " for \($0)" } ?? "") + " once the payment succeeds"
        case .subscriptionEnded(let reason): reason.map { "ended: \(ended($0))" } ?? "ended"
        case .subscriptionProblem(let problem, let id, let product):
            switch problem {
            case .billingFailed:
                "The payment for \(id) fails. Pay it with: storefront operator resolve-billing \(id)"
            case .priceConsentNeeded:
                "The price of \(id) goes up; without consent it ends with its period. "
                    + "Consent with: storefront operator price-increase consent \(id)"
            case .productUnavailable:
                "The product of \(id), \(product), is no longer sold: it ends with its period. "
                    + "Buy another plan to continue. If the catalog has it, sell it again with: "
                    + "storefront operator publish \(product) approved"
            }
        case .timeline(let what):
            switch what {
            case .subscribed: "subscribed"
            case .resubscribed: "subscribed again"
            case .changedPlan: "changed the plan to this"
            case .renewed: "renewed"
            case .recovered: "recovered: the failed renewal was paid"
            case .gap(0): "less than a day without it"
            case .gap(let days): days == 1 ? "1 day without it" : "\(days) days without it"
            case .autoRenew(let isOn): isOn ? "auto-renew on" : "auto-renew off"
            case .event(let kind): Self.text(EventText.subscriptionEvent(kind))
            case .expired(let reason): reason.map { "expired: \(ended($0))" } ?? "expired"
            case .revised(.refunded): "refunded"
            case .revised(.revoked): "revoked"
            case .revised(.refundReversed): "refund reversed"
            case .revised(.expiryMoved): "end moved"
            case .revised(.upgraded): "ended by a change of plan; the rest was refunded"
            case .revised(.tokenSet): "the app's token set"
            }
        case .noOffers(let product): "\(product) has no offers here."
        case .offerAppliesByItself: "applies by itself"
        case .timelineUntil(let date): "until \(date)"
        case .timelineFrom(let date): "from \(date)"
        case .timelineFromUntil(let from, let until): "\(from) until \(until)"
        case .expiredAtRenewalLimit: "expired: the limit of renewals was reached"
        case .renewsAs(let product, let to): "\(product), then \(to)"
        case .activeFromUntil(let from, let until): "active from \(from) until \(until)"
        case .activeFrom(let from): "active from \(from), without an end"
        }
    }

    static func text(_ text: StoreLineText) -> String {
        switch text {
        case .serverListening(let address):
            "The App Store Server API of this store is at \(address). End with Ctrl-C."
        case .requestsNotListed(let number):
            "\(count(number, "request")) answered, but not listed: this output was not read in time."
        case .apiKeyMade(let id, let issuer, let file):
            "Key id \(id), issuer id \(issuer). "
                + (file.map { "Its private half is in \($0): the store does not keep it." }
                    ?? "Keep its private half: the store does not, and it is not shown again.")
        case .apiKeyRevoked(let id): "Key \(id) is revoked: its tokens are refused from now on."
        case .noAPIKeys: "There are no keys. Make one with: storefront operator api-keys create"
        case .notification(let text): Self.text(text)
        case .apiKeyState(let isRevoked): isRevoked ? "revoked" : "valid"
        case .noRequestsLine: "No requests are waiting."
        case .noRequestsToAnswer(let account):
            "No requests are waiting that account \"\(account)\" answers."
        case .requestNotSold(let request, let reason): "Request \(request) was not sold. \(reason)"
        case .nothingWasWaiting: "Nothing was waiting."
        case .noFamilyLine(let account): "Account \"\(account)\" is in no family."
        case .noFamiliesLine: "There is no family."
        case .noNoticesLine: "Nothing to notice about accounts."
        case .noSharesLine(let account): "Nobody shares anything with account \"\(account)\"."
        case .familyRole(_, isOrganizer: true): "organizer"
        case .familyRole(.adult, _): "adult"
        case .familyRole(.child, _): "child"
        case .familyShares(all: false, _): "nothing"
        case .familyShares(all: true, let keptBack):
            keptBack.isEmpty ? "all purchases" : "all but \(keptBack)"
        case .doneWithdrawn(let id): "Withdrew request \(id). Nothing was charged."
        case .doneRefundRequested(let id): "Asked for a refund of \(id): the store decides."
        case .noRefundRequested: "Nobody asks for a refund."
        case .doneClockStopped: "The store's clock is stopped."
        case .doneClockRunning: "The store's clock is running."
        case .doneNowIs(let date): "It is \(date) in the store."
        case .doneRenewed(let count, let orMore):
            count == 1 && !orMore
                ? "1 subscription renewed." : "\(count) renewals\(orMore ? " or more" : "")."
        case .doneRenewals:
            "How subscriptions renew is set."
        case .doneRate(let rate): "Subscriptions bought from now on pass at this rate: \(rate)."
        case .doneBilling(fails: true): "Payments for renewals fail from now on."
        case .doneBilling(fails: false): "Payments for renewals succeed from now on."
        case .doneGrace(isOn: true): "A failed renewal is followed by a grace period."
        case .doneGrace(isOn: false): "A failed renewal is followed by no grace period."
        case .doneRenewalLimit(.count(let number), inDay: false):
            "A subscription renews at most \(count(number, "time")) without a break."
        case .doneRenewalLimit(.none, inDay: false):
            "A subscription renews as often as its rate allows."
        case .doneRenewalLimit(.endless, inDay: false): "A subscription renews without end."
        case .doneRenewalLimit(.count(let number), inDay: true):
            "A subscription renews at most \(count(number, "time")) in 24 hours."
        case .doneRenewalLimit(.none, inDay: true), .doneRenewalLimit(.endless, inDay: true):
            "A subscription renews any number of times in 24 hours."
        case .happened(let product, let what, let account): "\(product): \(what) (\(account))."
        case .sharesNothing(let account, let product):
            "Account \"\(account)\" shares none of its purchases, so \(product) is not shared. Share "
                + "them with: storefront operator family share \(account) on"
        case .signedInAs(let account, let environment):
            "Signed in to the App Store as \(account), environment \(environment)."
        case .signedOutOf(let account):
            "\(account) is signed out of the App Store on this device. What it owns stays."
        case .signInPrompt(let account, let environment):
            "Sign in to the App Store as \(account), environment \(environment)? [y/N] "
        case .networkIsOn(let device): "The device \(device) is online."
        case .networkIsOff(let device, let time):
            "The device \(device) is offline: nothing it does reaches the store"
                + (time.map { ". It is online again in \($0)." } ?? ".")
        case .networkIsSlow(let device, let time):
            "The device \(device) is online, and each answer takes \(time) longer."
        case .networkOffAfterPayment(let device):
            "The device \(device) goes offline when the store has recorded its next payment, before "
                + "it hears the answer."
        case .offlineSince(let date):
            "This device is offline. This is what it knew at \(date)."
        case .clockIs(let date, let isStopped): "\(date)  \(isStopped ? "stopped" : "running")"
        case .nextOnClock(let date, let kind, let product, let account, let isDue):
            "\(date)  \(isDue ? "overdue" : "next"): \(step(kind, of: product)), \(account)"
        case .renewingUntil(let end, let at):
            "Renewing what is due until \(end); now at \(at)."
        case .deviceGoesOn(let device, let account, let unknown):
            "\(device) of \(account) continues from here. "
                + (unknown == 0
                    ? "The store knows everything it was granted."
                    : "\(unknown) of its purchases \(unknown == 1 ? "is" : "are") unknown to the "
                        + "store; what they granted stays.")
        case .resetTells(let store, let devices, let bytes, let catalog):
            "This removes the store at \(store), \(Measures.bytes(bytes)): all sales and accounts, "
                + "and \(count(devices, "device")) with all downloads. The keys stay, and the catalog: "
                + catalog
        case .resetPrompt: "Empty the store? [y/N] "
        case .resetDone(let store):
            "The store at \(store) is empty. The next command makes a new one."
        case .resetDeclined: "Nothing was removed."
        case .noStoreToReset(let store): "There is no store at \(store). Nothing was removed."
        case .store(let text): Self.text(text)
        case .noTakings: "Nothing was sold yet."
        case .notBehind: "This store has everything that its devices have read."
        case .waitingForLock(let process):
            "Waiting for \(process.map { "process \($0)" } ?? "another process"), which has locked a "
                + "file of the store."
        case .migrating(let percent): "Bringing the store up to this version: \(percent) %"
        case .clockBehind(let seconds):
            "This computer's clock is \(seconds) s behind what this store has recorded: the store's "
                + "time runs on from there, and its dates never go back."
        case .outputLost(let reason):
            "The answer could not be written: \(reason). What was done stays done."
        case .reportsTo(nil, _): "The app has no backend on this device: nothing is reported."
        case .reportsTo(let address?, waiting: 0):
            "Transactions are reported to \(address). None waits."
        case .reportsTo(let address?, let waiting):
            "Transactions are reported to \(address). \(count(waiting, "report")) "
                + "\(waiting == 1 ? "waits" : "wait"), sent while a shop, watch or buy runs."
        case .listOf(let date): "This is the app's list of \(date)."
        }
    }

    static func text(_ text: DocumentLineText) -> String {
        switch text {
        case .catalogNotWritten(let path):
            "The store cannot be written to: it answers with the catalog it has, not with \(path)."
        case .catalogSets(let settings, let rate):
            "The catalog's settings: " + catalogSettings(settings, rate).joined(separator: "; ")
                + "."
        case .catalogSettingsOverruled(let settings, let rate):
            "Changed in the store since, and left so until the catalog says otherwise; the catalog "
                + "still has: " + catalogSettings(settings, rate).joined(separator: "; ") + "."
        case .catalogWarnings(let count):
            "The catalog has \(self.count(count, "warning")); the history lists "
                + "\(count == 1 ? "it" : "them")."
        case .moreWarnings(let count, let path):
            "\(self.count(count, "more warning")): storefront catalog check \(path)"
        case .catalogExported(let path, let products):
            "Exported \(count(products, "product")) to \(path)."
        case .noStoreToCompare(let path):
            "There is no store at \(path) yet: nothing is there that the catalog could contradict."
        case .catalogInvalid(let errors, let warnings):
            "Invalid: \(count(errors, "error")), \(count(warnings, "warning"))."
        case .catalogValid(let products, let warnings):
            "Valid: \(count(products, "product")), \(count(warnings, "warning"))."
        case .catalogSellsNothing(let warnings):
            "Nothing to sell: the catalog opens, but its shop is empty, "
                + "\(count(warnings, "warning"))."
        case .problem(let severity, let place, let found, let expected):
            "\(severity): \(place): found \(found), expected \(expected)."
        case .inFile: "file"
        case .lineAndColumn(let place, let line, let column):
            "\(place) (line \(line)" + (column.map { ", column \($0)" } ?? "") + ")"
        case .didYouMean(let word): "Did you mean \(word)?"
        case .severityError: "error"
        case .severityWarning: "warning"
        case .catalogNotTaken(let path):
            "The catalog was not taken; the last good one stays on sale: \(path)"
        case .catalogUnusable(let path): "The catalog cannot be used: \(path)"
        case .checkItWith:
            "Nothing was changed. Check it with: storefront catalog check FILE"
        case .andMore(let count): "and \(count) more."
        case .verificationReason(let reason):
            switch reason {
            case .revokedCertificate: "Its certificate is on the store's list of revoked ones."
            case .invalidCertificateChain:
                "Its certificates do not lead to the root that is trusted here."
            case .invalidDeviceVerification: "It was signed for another device."
            case .invalidEncoding: "It is no compact JWS with a JSON header and payload."
            case .invalidSignature: "The key of its certificate did not make its signature."
            case .missingRequiredProperties: "Its payload lacks a required property."
            case .wrongApp:
                "It is correctly signed, but for another app. StoreKit has no name for this."
            case .wrongEnvironment:
                "It is correctly signed, but for another environment. StoreKit has no name for this."
            }
        case .kindTransaction: "Transaction"
        case .kindReceipt: "Receipt"
        case .kindAppTransaction: "App transaction"
        case .kindRenewalInfo: "Renewal info"
        case .kindManifest: "Manifest of content"
        case .kindRevocationList: "List of revoked certificates"
        case .kindOther: "Unknown text"
        case .verifiedLine(let kind): "\(self.text(kind)): verified."
        case .notVerifiedLine(let kind, let reason):
            "\(self.text(kind)): not verified (\(reason.rawValue))."
        case .consistentLine(let kind):
            "\(self.text(kind)): signed by the chain that it brings itself, and not verified."
        case .noRootPinned:
            "No root certificate is pinned here, so anybody may have made the chain. Name one with "
                + "--root FILE, or a store with --store DIR."
        case .partHeader: "Header"
        case .partCertificates: "Certificates"
        case .partPayload: "Payload"
        case .notDecoded: "cannot be decoded"
        case .noSignedText(let place, let found):
            "\(place) holds no signed text and no certificates: found \(found), expected a JWS, three "
                + "parts of Base64 with dots between them."
        case .noCertificates(let place):
            "none: \(place) names no certificates in its header; expected three in x5c: leaf, "
                + "intermediate and root"
        case .standardInput: "standard input"
        case .thisText: "the argument"
        case .certificateLeaf: "leaf"
        case .certificateIntermediate: "intermediate"
        case .certificateRoot: "root"
        case .certificateOther: "certificate"
        case .certificateValid(let from, let until): "valid from \(from) until \(until)"
        case .certificateSerial(let number): "serial number \(number)"
        case .certificateMarkers(let markers): "markers \(markers.joined(separator: ", "))"
        case .certificateIsPinned: "this is the pinned root"
        case .receiptPath: "file"
        case .receiptCreated: "created"
        case .receiptKind: "type"
        case .receiptApp: "app"
        case .receiptState: "state"
        case .receiptIsVerified: "verified"
        case .receiptExpired(let date): "expired \(date)"
        case .receiptRevoked(let date): "revoked \(date)"
        case .receiptEmpty: "The receipt has no transactions."
        case .receiptRefreshed(let count):
            "Refreshed the receipt: \(self.count(count, "transaction"))."
        case .appTransactionRefreshed(let number): "Refreshed the app transaction \(number)."
        case .receiptMissing:
            "This device has no receipt yet. Get one with: storefront receipt refresh"
        case .appTransactionNumber: "number"
        case .appVersion: "version"
        case .appSince: "since"
        }
    }
}
