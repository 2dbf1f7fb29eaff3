"""Requests that the server refuses: each with its code, tokens without a word."""
import base64
import hmac
import json
import time
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

DAY = 24 * 60 * 60 * 1000
NOBODY = "999999999"
EXTENSION = {"extendByDays": 3, "extendReasonCode": 1, "requestIdentifier": "r"}
MASS = EXTENSION | {"productId": "lantern.membership.plus.year"}
CONSUMPTION = {"customerConsented": True, "sampleContentProvided": False, "deliveryStatus": "DELIVERED"}
CONSUMPTION_1 = {
    "customerConsented": True, "consumptionStatus": 1, "platform": 1, "sampleContentProvided": False,
    "deliveryStatus": 0, "appAccountToken": "", "accountTenure": 1, "playTime": 1,
    "lifetimeDollarsRefunded": 1, "lifetimeDollarsPurchased": 1, "userStatus": 1, "refundPreference": 1}
ABSENT = object()


def changed(body, **members):
    return {key: each for key, each in (body | members).items() if each is not ABSENT}


def table(store, ids, other_revision):
    """Method, path, query, body, and the code; several where the field's documentation names none."""
    lamp, now = ids["lamp"], store.now()
    of_lamp = f"/inApps/v2/history/{lamp}"
    for wrong in ("abc", "-1", "1000001x"):
        yield "GET", f"/inApps/v1/transactions/{wrong}", {}, None, 4000006
        yield "GET", f"/inApps/v2/history/{wrong}", {}, None, 4000006
        yield "GET", f"/inApps/v1/subscriptions/{wrong}", {}, None, 4000006
        yield "GET", f"/inApps/v2/refund/lookup/{wrong}", {}, None, 4000006
        yield "GET", f"/inApps/v1/transactions/appTransactions/{wrong}", {}, None, 4000006
    for path in ("v1/transactions", "v2/history", "v1/subscriptions", "v2/refund/lookup"):
        yield "GET", f"/inApps/{path}/{NOBODY}", {}, None, 4040010
    yield "GET", f"/inApps/v1/transactions/appTransactions/{NOBODY}", {}, None, {4040010, 4040019}
    yield "GET", f"/inApps/v1/transactions/{ids['app']}", {}, None, 4000048

    for name, value, code in (
            ("revision", "x", 4000005), ("revision", other_revision, 4000005),
            ("startDate", "x", 4000015), ("endDate", "x", 4000016), ("sort", "UP", 4000021),
            ("productType", "GAME", 4000022), ("inAppOwnershipType", "MINE", 4000026),
            ("revoked", "perhaps", 4000030), ("productId", "", 4000023),
            ("subscriptionGroupIdentifier", "", 4000024)):
        yield "GET", of_lamp, {name: value}, None, code
    yield "GET", of_lamp.replace("v2", "v1"), {"excludeRevoked": "perhaps"}, None, 4000025
    yield "GET", of_lamp, {"startDate": now, "endDate": now - 1}, None, 4000013
    yield "GET", f"/inApps/v2/refund/lookup/{lamp}", {"revision": "x"}, None, 4000005
    yield "GET", f"/inApps/v1/subscriptions/{lamp}", {"status": "9"}, None, 4000031
    yield "GET", f"/inApps/v1/subscriptions/{lamp}", {"status": "x"}, None, 4000031

    extend = "/inApps/v1/subscriptions/extend/"
    chain = ids["subscription"]
    for days in (0, 91, -1, "3", 1.5, ABSENT):
        yield "PUT", extend + chain, {}, changed(EXTENSION, extendByDays=days), 4000009
        yield "POST", extend + "mass", {}, changed(MASS, extendByDays=days), 4000009
    for reason in (4, -1, "1", ABSENT):
        yield "PUT", extend + chain, {}, changed(EXTENSION, extendReasonCode=reason), 4000010
        yield "POST", extend + "mass", {}, changed(MASS, extendReasonCode=reason), 4000010
    for name in ("", "x" * 129, 7, ABSENT):
        yield "PUT", extend + chain, {}, changed(EXTENSION, requestIdentifier=name), 4000011
        yield "POST", extend + "mass", {}, changed(MASS, requestIdentifier=name), 4000011
    yield "PUT", extend + "abc", {}, EXTENSION, 4000008
    yield "PUT", extend + NOBODY, {}, EXTENSION, 4040005
    yield "PUT", extend + ids["ended"], {}, EXTENSION, 4030004
    yield "PUT", extend + chain, {}, EXTENSION, 4030005
    yield "PUT", extend + ids["sharedSubscription"], {}, EXTENSION, 4030007
    yield "POST", extend + "mass", {}, changed(MASS, productId=ABSENT), 4000023
    yield "POST", extend + "mass", {}, changed(MASS, storefrontCountryCodes=[]), 4000027
    yield "POST", extend + "mass", {}, changed(MASS, storefrontCountryCodes=["XX"]), 4000028
    yield "GET", extend + f"mass/{MASS['productId']}/{uuid.UUID(int=1)}", {}, None, 4040009

    def token(transaction):
        return f"/inApps/v1/transactions/{transaction}/appAccountToken"
    good = {"appAccountToken": str(uuid.UUID(int=1))}
    for wrong in ("x", "", 7, ABSENT):
        yield "PUT", token(lamp), {}, changed(good, appAccountToken=wrong), 4000183
    yield "PUT", token(ids["share"]), {}, good, 4000185
    yield "PUT", token(ids["renewal"]), {}, good, 4000187
    yield "PUT", token("abc"), {}, good, {4000006, 4000008}
    yield "PUT", token(NOBODY), {}, good, {4040010, 4040005}
    yield "POST", "/inApps/v1/transactions/abc/finish", {}, None, 4000006
    yield "POST", f"/inApps/v1/transactions/{NOBODY}/finish", {}, None, 4040010

    second = f"/inApps/v2/transactions/consumption/{ids['coins'][1]}"
    for name, values, code in (
            ("customerConsented", (False, "yes", ABSENT), 4000035),
            ("sampleContentProvided", ("no", ABSENT), 4000041),
            ("deliveryStatus", ("LOST", 0, ABSENT), 4000036)):
        for value in values:
            yield "PUT", second, {}, changed(CONSUMPTION, **{name: value}), code
    yield "PUT", second.replace(ids["coins"][1], "abc"), {}, CONSUMPTION, 4000006
    yield "PUT", second.replace(ids["coins"][1], NOBODY), {}, CONSUMPTION, 4040010
    first = second.replace("/v2/", "/v1/")
    for name, value, code in (
            ("accountTenure", 8, 4000032), ("appAccountToken", "x", 4000033),
            ("consumptionStatus", 4, 4000034), ("customerConsented", False, 4000035),
            ("deliveryStatus", 6, 4000036), ("lifetimeDollarsPurchased", 8, 4000037),
            ("lifetimeDollarsRefunded", 8, 4000038), ("platform", 3, 4000039), ("playTime", 8, 4000040),
            ("sampleContentProvided", "no", 4000041), ("userStatus", 5, 4000042)):
        yield "PUT", first, {}, changed(CONSUMPTION_1, **{name: value}), code
    yield "PUT", first.replace(ids["coins"][1], lamp), {}, CONSUMPTION_1, {4000043, 4000047}

    past = "/inApps/v1/notifications/history"
    times = {"startDate": now - DAY, "endDate": now}
    for body, code in (
            (changed(times, startDate=ABSENT), 4000015), (changed(times, startDate="x"), 4000015),
            (changed(times, endDate=ABSENT), 4000016), (changed(times, endDate="x"), 4000016),
            (changed(times, startDate=now, endDate=now - 1), 4000013),
            (changed(times, startDate=now - 181 * DAY), 4000012),
            (changed(times, notificationType="NEWS"), 4000018),
            (changed(times, notificationType="TEST", transactionId=lamp), 4000019),
            (changed(times, transactionId="abc"), 4000006)):
        yield "POST", past, {}, body, code
    yield "POST", past, {"paginationToken": "x"}, times, 4000014
    yield "GET", "/inApps/v1/notifications/test/x", {}, None, 4000020
    yield "POST", "/inApps/v1/notifications/test", {}, None, 4040007
    for path in (extend + "mass", past):
        for data in (b"", b"{", b"[]", b"\xff", b"[" * 5_000):
            yield "POST", path, {}, data, 4000000


def requests_that_are_refused(checks, store, ids):
    client = store.client
    other = client.raw("GET", f"/inApps/v2/history/{ids['ended']}").json()["revision"]
    for method, path, query, body, wanted in table(store, ids, other):
        data = body if isinstance(body, bytes) else None
        answer = client.raw(method, path, query, body if data is None else None, data)
        try:
            error = answer.json()
        except ValueError:
            error = {}
        wanted = wanted if isinstance(wanted, set) else {wanted}
        code = error.get("errorCode") if isinstance(error, dict) else None
        shown = json.dumps(body, default=repr) if data is None else repr(data[:20])
        checks.true(
            f"{'/'.join(map(str, sorted(wanted)))} {method} {path} {query or ''} {shown[:90]}",
            code in wanted and answer.status_code == code // 10_000
            and answer.headers.get("Content-Type") == "application/json"
            and set(error) == {"errorCode", "errorMessage"} and error["errorMessage"],
            f"{answer.status_code} {answer.headers.get('Content-Type')} {answer.text[:200]}")
    # A call that only the token names an account for.
    unknown = client.raw("GET", f"/inApps/v2/history/{int(ids['app']) - 1}").json()
    checks.true("no account has the number of an app transaction",
                unknown.get("errorCode") in (4040001, 4040010), unknown)

    for method, path, status in (
            ("GET", "/inApps/v1/nothing", 404), ("GET", "/inApps/v3/history/1", 404),
            ("GET", "/inApps/v1/messaging/message/list", 404),
            ("GET", "/inApps/v1/messaging/image/list", 404),
            ("PUT", "/inApps/v1/messaging/realtime/url", 404),
            ("POST", "/advancedCommerce/v1/subscription/cancel/1", 404),
            ("DELETE", f"/inApps/v1/transactions/{ids['lamp']}", 405),
            ("GET", "/inApps/v1/notifications/history", 405)):
        answer = client.raw(method, path)
        checks.equal(f"{method} {path}", (answer.status_code, answer.content), (status, b""))


def tokens_that_are_refused(checks, store, ids):
    """401 and nothing said, whatever is wrong; the right one is accepted before and after."""
    client, now = store.client, int(time.time())
    with open(store.key, "rb") as file:
        key = serialization.load_pem_private_key(file.read(), None)
    claims = {"iss": store.issuer_id, "bid": "com.example.lantern", "aud": "appstoreconnect-v1",
              "iat": now, "exp": now + 300}
    head = {"alg": "ES256", "kid": store.key_id, "typ": "JWT"}

    def signed(header=None, signer=key, body=None, **members):
        text = segment(changed(head, **(header or {}))) + "." + segment(
            changed(claims, **members) if body is None else body)
        pair = decode_dss_signature(signer.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return text + "." + segment(b"".join(number.to_bytes(32, "big") for number in pair))

    def segment(value):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        return base64.urlsafe_b64encode(data).decode().rstrip("=")
    good = signed()
    header, payload, signature = good.split(".")
    secret = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    of_secret = f"{segment(head | {'alg': 'HS256'})}.{payload}"
    of_secret += "." + segment(hmac.digest(secret, of_secret.encode(), "sha256"))
    twice = json.dumps(head).replace("{", '{"kid": "AAAAAAAAAA", ').encode()
    other_key = ec.generate_private_key(ec.SECP256R1())
    tokens = {
        "none": None, "empty": "", "no JWT": "abc", "two parts": f"{header}.{payload}",
        "four parts": good + ".x", "no signature": f"{header}.{payload}.",
        "another's signature": f"{header}.{payload}.{signed(iat=now - 1).split('.')[2]}",
        "changed claims": f"{header}.{segment(claims | {'exp': now + 400})}.{signature}",
        "another key": signed(signer=other_key), "an unknown kid": signed({"kid": "AAAAAAAAAA"}),
        "no kid": signed({"kid": ABSENT}), "a kid that is a number": signed({"kid": 7}),
        "alg none": f"{segment(head | {'alg': 'none'})}.{payload}.", "no alg": signed({"alg": ABSENT}),
        "alg HS256 with the public key": of_secret, "alg ES384": signed({"alg": "ES384"}),
        "critical extensions": signed({"crit": ["exp"]}),
        "two kids": f"{segment(twice)}.{payload}.{signature}",
        "another issuer": signed(iss=str(uuid.UUID(int=1))), "no issuer": signed(iss=ABSENT),
        "another app": signed(bid="com.example.other"), "no app": signed(bid=ABSENT),
        "another audience": signed(aud="appstore"), "no audience": signed(aud=ABSENT),
        "expired": signed(iat=now - 600, exp=now - 60), "no expiry": signed(exp=ABSENT),
        "61 minutes": signed(exp=now + 61 * 60), "a year": signed(exp=now + 365 * 86_400),
        "from the future": signed(iat=now + 600, exp=now + 900),
        "a huge one": signed(padding="x" * 20_000), "an expiry in words": signed(exp="soon"),
        "claims that are a list": signed(body=b"[]"),
        "claims that are not UTF-8": signed(body=b"\xff"), "claims that are deep": signed(
            body=b"[" * 5_000)}
    path = f"/inApps/v1/transactions/{ids['lamp']}"

    def answer(authorization):
        return client.raw("GET", path, headers={"Authorization": authorization}, recorded=False)
    checks.equal("a token made by hand is accepted", answer("Bearer " + good).status_code, 200)
    checks.equal("one without iat is accepted", answer("Bearer " + signed(iat=ABSENT)).status_code, 200)
    checks.equal("one of 59 minutes is accepted",
                 answer("Bearer " + signed(exp=now + 59 * 60)).status_code, 200)
    for name, token in tokens.items():
        got = answer("" if token is None else "Bearer " + token)
        checks.equal(f"401: {name}", (got.status_code, got.content), (401, b""))
    checks.equal("401: another scheme", answer("Basic " + good).status_code, 401)

    revoked = store.program.run("operator", "api-keys", "create", "--out", store.key + "2",
                                recorded=False)[0]
    with open(store.key + "2", "rb") as file:
        second = serialization.load_pem_private_key(file.read(), None)
    token = signed({"kid": revoked["keyId"]}, second)
    checks.equal("a second key", answer("Bearer " + token).status_code, 200)
    store.program.run("operator", "api-keys", "revoke", revoked["keyId"], recorded=False)
    checks.equal("401: a revoked key, at once", answer("Bearer " + token).status_code, 401)
    checks.equal("the first key stays", answer("Bearer " + good).status_code, 200)
