#!/usr/bin/env python3
"""A backend that grants what is bought: reads every event of the store, in order, and grants each
transaction once, however often it is started.

usage: deliver.py LEDGER.json [--follow]

$STOREFRONT names the program, $STOREFRONT_STORE the store. A signed text is believed only after
`storefront verify` has checked its chain and signature.
"""
import json
import os
import subprocess
import sys

STOREFRONT = os.environ.get("STOREFRONT", "storefront")


def verified(signed):
    """The payload of a signed transaction; None if it is not verified."""
    answer = subprocess.run(
        [STOREFRONT, "verify", "-", "--json"], input=signed, capture_output=True, text=True)
    return json.loads(answer.stdout).get("payload") if answer.returncode == 0 else None


def load(path):
    try:
        with open(path) as file:
            return json.load(file)
    except FileNotFoundError:
        return {"granted": {}, "revoked": []}


def save(path, state):
    """By a rename: a reader finds the old file or the new one, whole."""
    with open(path + ".new", "w") as file:
        json.dump(state, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def main(path, *options):
    state = load(path)
    events = subprocess.Popen(
        [STOREFRONT, "operator", "events", *options], stdout=subprocess.PIPE, text=True)
    for line in events.stdout:
        event = json.loads(line)
        # Sales, renewals, shares, refunds and whatever else changes a transaction carry it signed.
        transaction = event.get("transaction")
        if transaction is None:
            continue
        payload = verified(transaction["signedTransactionInfo"])
        if payload is None:
            print("not verified:", event.get("transactionId"), file=sys.stderr)
            continue
        id = payload["transactionId"]
        if payload.get("revocationDate") is not None:
            if id not in state["revoked"]:
                state["revoked"].append(id)
                print("revoked", id, payload["productId"])
        elif id not in state["granted"]:
            state["granted"][id] = payload["productId"]
            print("granted", id, payload["productId"])
        save(path, state)
    return events.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
