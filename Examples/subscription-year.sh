#!/bin/sh
# A year of a subscription in seconds: a renewal, a failed payment with its grace period, recovery,
# cancellation and expiry. Prints the timeline.
set -eu
storefront=${STOREFRONT:-storefront}
STOREFRONT_STORE=$(mktemp -d)/store
export STOREFRONT_STORE
trap 'rm -rf "$(dirname "$STOREFRONT_STORE")"' EXIT

run() { "$storefront" "$@" > /dev/null; }

run operator clock stop
run operator renewals --grace on
run buy lantern.membership.plus.month
run operator clock advance 3mo

# The card is declined at the next renewal: access goes on in the grace period.
run operator renewals --billing fail
run operator clock advance 1mo
"$storefront" subscriptions
run operator renewals --billing succeed
run operator clock advance 1mo

# The customer cancels; the subscription ends with the period that is paid.
chain=$("$storefront" subscriptions --json \
    | sed -n 's/.*"originalTransactionId":"\([0-9]*\)".*/\1/p')
run operator auto-renew off "$chain"
run operator clock advance 6mo
"$storefront" subscriptions --timeline
