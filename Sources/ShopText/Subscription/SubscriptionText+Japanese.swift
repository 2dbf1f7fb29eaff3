extension Japanese {
    static func text(_ text: SubscriptionText) -> String {
        switch text {
        case .changesLine(let day, let name, let price):
            "\(day)まで利用中。その後は\(name)" + (price.map { "（\($0)）" } ?? "") + "に変わります。"
        case .paymentFailsLine(let day):
            "次の期間の支払いができません。\(day)までは利用できます。支払いは再度試みられます。"
        case .graceLine(let day):
            "支払いができませんでした。"
                + (day.map { "\($0)までは利用できます。支払うと継続します。" } ?? "支払うと継続します。")
        case .retryingLine: "支払いができなかったため、現在は利用できません。支払うと再び利用できます。"
        case .sharedGraceLine(let day):
            "所有者の支払いができませんでした。" + (day.map { "\($0)までは利用できます。" } ?? "")
        case .sharedRetryingLine:
            "所有者の支払いができなかったため、支払われるまで利用できません。"
        case .priceIncreaseLine(let day, let price):
            (price.map { "価格が\($0)に上がります。" } ?? "価格が上がります。")
                + "\(day)までに同意しない場合、サブスクリプションは終了します。"
        case .notForSaleLine(let day):
            "このプランは販売を終了しました。\(day)まで利用できます。続けるには別のプランを選んでください。"
        case .priceConsentLine(let day, let price):
            "価格 (\(price)) への同意が必要です。\(day)までに同意しない場合、サブスクリプションは終了します。"
        case .expiredAtLimitLine(let day):
            (day ?? "") + "期限切れ（更新回数の上限）。"
        case .expiredLine(let reason, let day):
            (day ?? "") + "期限切れ" + (reason.map { "（\(ended($0))）。" } ?? "。")
        case .refundedLine(let day): (day.map { "\($0)に" } ?? "") + "返金されました。"
        case .revokedLine(let day):
            (day.map { "\($0)に" } ?? "") + "取り消されました。"
        case .plannedLine(let name, let day):
            "\(day)に\(name)からこのプランに変わります。それまで請求はありません。"
        case .changeLine(let kind, let name, let day?, _):
            "\(name)からの\(change(kind))。支払い済みの期間が終わる\(day)に始まり、それまで請求はありません。"
        case .changeLine(let kind, let name, nil, let refund):
            "\(name)からの\(change(kind))。すぐに始まり、"
                + (refund.map { "\(name)の残り約\($0)が返金されます。" } ?? "\(name)は終了します。")
        case .perMonthPrice(let price): "月\(price)"
        case .comparedFact: "比較"
        case .chargedNow: "今の請求"
        case .nothingCharged: "なし"
        case .givenBack: "返金"
        case .givenBackOf(let price, let name): "\(name)の残り約\(price)（すぐ終了）"
        case .aboutPrice(let price): "約\(price)"
        case .priceFrom(let price, let day): "\(day)から\(price)"
        case .planEndsNow(let name): "\(name)はすぐ終了"
        case .yourPlanFact: "現在"
        case .planUntil(let name, let day): "\(name)、\(day)まで"
        case .then: "その後"
        case .planFrom(let name, let price, let day): "\(day)から\(name)、\(price)"
        case .takenBackFact: "取り消し"
        case .renewsFor(let day, let price): "\(day)に\(price)で更新"
        case .needsAttention: "確認が必要"
        case .endedHeading: "終了"
        case .periodFact: "期間"
        case .periodFromTo(let from, let until): "\(from)〜\(until)"
        case .nextRenewalFact: "次の更新"
        case .noRenewal: "なし（自動更新オフ）"
        case .noRenewalNotForSale: "なし（販売終了）"
        case .renewalOn(let day, let name, let price): "\(day)、\(name)、\(price)"
        case .renewalWhenPaid(let name, let price):
            "支払いが成功したとき、" + name + (price.map { "、\($0)" } ?? "")
        case .subscriberSince: "登録日"
        case .plansHeading: "プラン"
        case .timelineHeading: "これまでの記録"
        case .noTimeline: "まだありません。"
        case .sharedPlanLine(let account):
            "\(account ?? "ファミリーのメンバー")が共有し、管理しています。"
        case .sharedNoMoreLine(let account):
            "\(account ?? "ファミリーのメンバー")からの共有は終了しました。"
        case .billingFact: "支払い"
        }
    }
}
