#!/bin/sh
# A checklist of purchases for a CI: every outcome is made to happen on purpose, in a store of its
# own that is gone afterwards. Exit codes tell the outcomes apart (storefront buy --help).
set -eu
storefront=${STOREFRONT:-storefront}
STOREFRONT_STORE=$(mktemp -d)/store
export STOREFRONT_STORE
trap 'rm -rf "$(dirname "$STOREFRONT_STORE")"' EXIT

# Runs a command that must end with an exit code: expect CODE WORDS...
expect() {
    code=$1
    shift
    answer=0
    "$storefront" "$@" > /dev/null 2>&1 || answer=$?
    if [ "$answer" -ne "$code" ]; then
        echo "storefront $*: exit $answer, expected $code" >&2
        exit 1
    fi
}

# Whether the account may use a product now.
owns() { "$storefront" entitlements --json | grep -q "\"productId\":\"$1\""; }

expect 0 buy lantern.theme.sepia
owns lantern.theme.sepia

# A payment that the store declines charges nothing, and can be tried again.
expect 0 operator fail-next paymentDeclined
expect 12 buy lantern.coins.10
expect 0 buy lantern.coins.10

# Ask to Buy: the purchase waits, and is sold when it is approved.
expect 0 operator ask-to-buy on
expect 10 buy lantern.tool.lamp
request=$("$storefront" requests --json | sed -n 's/.*"requestId":"\([0-9]*\)".*/\1/p')
expect 0 operator approve "$request"
expect 0 operator ask-to-buy off
owns lantern.tool.lamp

# A refund takes back what was bought.
sale=$("$storefront" transactions --product lantern.theme.sepia --json \
    | sed -n 's/.*"transactionId":"\([0-9]*\)".*/\1/p')
expect 0 operator refund "$sale"
if owns lantern.theme.sepia; then
    echo "refunded, and still owned" >&2
    exit 1
fi
echo "Every outcome was as expected."
