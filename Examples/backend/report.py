"""What is read from the records: messages for a user, and figures for the business."""
from collections import Counter
from datetime import datetime, timezone

from records import DAY, SUBSCRIPTION, refunded_part

# Expirations older than this are no news.
NEWS = 30 * DAY
ENDINGS = {1: "as you asked", 2: "because the payment failed", 3: "since you did not agree to its price",
           4: "since it is not for sale any more"}


def day(date):
    return datetime.fromtimestamp(date / 1000, timezone.utc).strftime("%d %B %Y")


def messages(records, user):
    """What a user should be told now. It follows from the state: trouble that is over is not told."""
    now, found = records.now(), []
    for row in records.subscriptions(user):
        plan, until, text = row["productId"], row["expiresDate"], None
        if row["status"] == 4:
            text = (f"Your payment for {plan} failed. You keep it until "
                    f"{day(row['gracePeriodExpiresDate'])}; check your payment method until then.")
        elif row["status"] == 3:
            text = (f"Your payment for {plan} failed, and it is paused since {day(until)}. "
                    "It goes on by itself once your payment method works.")
        elif row["status"] == 2 and until > now - NEWS:
            why = ENDINGS.get(row["expirationIntent"], "")
            text = f"Your {plan} ended on {day(until)} {why}".rstrip() + "."
        elif row["status"] == 1 and row["priceIncreaseStatus"] == 0:
            text = (f"The price of {plan} rises to {row['renewalPrice'] / 1000:.2f} {row['currency']} "
                    f"on {day(row['renewalDate'] or until)}. It ends then unless you agree.")
        elif row["status"] == 1 and row["autoRenewStatus"] == 0:
            text = f"Your {plan} ends on {day(until)} and does not renew."
        if text:
            found.append({"productId": plan, "status": row["status"], "message": text})
    return found


def report(records, days=30):
    """Revenue, lifetime value, the two product lists compared, and the churn of some days."""
    now = records.now()
    revenue, products, users, lists = {}, {}, {}, {"A": {}, "B": {}}
    for row in records.sales():
        price = row["price"] or 0
        returned = round(price * refunded_part(row))
        currency = row["currency"] or "?"
        total = revenue.setdefault(currency, {"sold": 0, "refunded": 0})
        total["sold"] += price
        total["refunded"] += returned
        for sums in (products.setdefault(row["productId"], {}),
                     row["name"] and users.setdefault(row["name"], {}),
                     row["list"] and lists[row["list"]]):
            if sums is not None:
                sums[currency] = sums.get(currency, 0) + price - returned
    counts = records.rows("SELECT list, count(*) AS users FROM users GROUP BY list")
    listed = {row["list"]: row["users"] for row in counts}
    buyers = Counter(records.list_for(name) for name in users)
    return {
        "at": now, "revenue": revenue, "products": products,
        "lifetimeValue": {"users": users, "mean": mean(users)},
        "lists": {name: {"users": listed.get(name, 0), "buyers": buyers[name], "revenue": sums}
                  for name, sums in lists.items()},
        "churn": churn(records, now - days * DAY, now)}


def mean(users):
    """Of the users who have bought, by currency: amounts of two currencies do not add up."""
    sums = Counter()
    for spent in users.values():
        sums.update(spent)
    return {currency: round(amount / len(users)) for currency, amount in sums.items()}


def churn(records, start, end):
    """Of those who subscribed at the start, how many do no longer at the end, and why."""
    first, last, why = set(), set(), {}
    for row in records.sales():
        if row["type"] != SUBSCRIPTION:
            continue
        chain = row["originalTransactionId"]
        until = row["revocationDate"] or row["expiresDate"]
        if row["status"] == 4 and not row["revocationDate"]:
            until = max(until, row["gracePeriodExpiresDate"] or 0)
        for date, subscribers in ((start, first), (end, last)):
            if row["purchaseDate"] <= date < until:
                subscribers.add(chain)
        why[chain] = "billing" if row["expirationIntent"] == 2 or row["status"] == 3 else "voluntary"
    lost = Counter(why[chain] for chain in first - last)
    return {"from": start, "subscribers": len(first), "lost": dict(lost), "subscribersNow": len(last),
            "rate": round(sum(lost.values()) / len(first), 4) if first else None}
