// Faults of the store's server, which an app's backend meets (`Fault.Call.endpoints`,
// `Fault.Call.notification`).

extension Fault.Call {
    /// How an endpoint can answer: with the errors that the App Store Server API allows for it, by
    /// their seven digits, likely ones first; late; or cut off in the middle.
    var answers: [StoreError.Code] {
        let likely: [StoreError.Code] = [
            "4290000", "4040002", "5000001", .lateAnswer, .cutOffAnswer, "5000000", "4000000",
            "4040001", "4040003", "4040004",
        ]
        return likely + ownAnswers
    }

    private static let ofAnyTransaction: [StoreError.Code] = [
        "4000006", "4040010", "4040005", "4040006",
    ]
    private static let ofExtensions: [StoreError.Code] = ["4000009", "4000010", "4000011"]

    private var ownAnswers: [StoreError.Code] {
        switch self {
        case .transactionInfo, .finishTransaction: Self.ofAnyTransaction + ["4000048"]
        case .transactionHistory:
            Self.ofAnyTransaction + [
                "4000005", "4000013", "4000015", "4000016", "4000021", "4000022", "4000023",
                "4000024", "4000025", "4000026", "4000030",
            ]
        case .subscriptionStatuses: Self.ofAnyTransaction + ["4000031"]
        case .refundHistory: Self.ofAnyTransaction + ["4000005"]
        case .appTransactionInfo: Self.ofAnyTransaction + ["4040019"]
        case .setAppAccountToken:
            Self.ofAnyTransaction + ["4000048", "4000183", "4000185", "4000187"]
        case .extendRenewalDate:
            Self.ofExtensions + [
                "4000008", "4000048", "4030004", "4030005", "4030007", "4040005", "4040006",
            ]
        case .extendForAll: Self.ofExtensions + ["4000023", "4000027", "4000028"]
        case .extensionStatus: ["4000011", "4000023", "4040009"]
        case .consumption:
            Self.ofAnyTransaction + [
                "4000032", "4000033", "4000034", "4000035", "4000036", "4000037", "4000038",
                "4000039", "4000040", "4000041", "4000042", "4000043", "4000047", "4000048",
                "4000185",
            ]
        case .testNotification: ["4040007"]
        case .testNotificationStatus: ["4000020", "4040008"]
        case .notificationHistory:
            Self.ofAnyTransaction + [
                "4000012", "4000013", "4000014", "4000015", "4000016", "4000017", "4000018",
                "4000019",
            ]
        default: []
        }
    }

    /// How an attempt to send a notification can end, or come otherwise than it should.
    static let waysOfSending: [StoreError.Code] = {
        let disorders: [StoreError.Code] = [
            .deliveredTwice, .deliveredLate, .deliveredOutOfOrder, .notDelivered,
        ]
        let signatures: [StoreError.Code] = [
            .revokedCertificate, .invalidCertificateChain, .wrongApp, .wrongEnvironment,
        ]
        let results = SendAttemptResult.allCases.filter { $0 != .success }
        return disorders + results.map { StoreError.Code($0.rawValue) } + signatures
    }()
}

extension Fault {
    /// Whether it holds back a notification until the next one has been sent.
    package var waitsForNext: Bool {
        call == .notification
            && (error == .deliveredOutOfOrder
                || error == .deliveredLate && delayMilliseconds == nil)
    }

    /// Whether the time for which it was set is over.
    package func isOver(at now: Timestamp) -> Bool { until.map { $0 <= now } ?? false }
}

extension StoreError.Code {
    /// The server answers after `Fault.delayMilliseconds` of elapsed time, or when a client has
    /// given up.
    package static let lateAnswer = Self("lateAnswer")
    /// The connection ends in the middle of the answer.
    package static let cutOffAnswer = Self("cutOffAnswer")
    /// A notification is lost, although the store takes it for received.
    package static let notDelivered = Self("notDelivered")
    // Named as in `VerificationError`.
    package static let wrongApp = Self("wrongApp")
    package static let wrongEnvironment = Self("wrongEnvironment")

    /// An error of the App Store Server API (`errorCode`); nil for any other.
    package var apiError: Int? {
        Int(rawValue).flatMap { (4_000_000...5_999_999).contains($0) ? $0 : nil }
    }

    /// Nil for any other error.
    package var verificationError: VerificationError? { VerificationError(rawValue: rawValue) }

    /// The result with which a fault ends an attempt to send a notification; nil for another fault.
    package var attemptResult: SendAttemptResult? { SendAttemptResult(rawValue: rawValue) }
}
