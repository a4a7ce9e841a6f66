"""Calls that random testing never makes, because each needs the response to the one before it.

Every response is checked against the document, like those of schemathesis. Run by contract_test.py.
"""

import base64
import hashlib
import json
import re
import struct
import urllib.parse
import urllib.request
import zlib

import schemathesis
from schemathesis.checks import CHECKS, load_all_checks


class Journey:
    """The calls of one API, in one world."""

    def __init__(self, api, base, document, control, checks):
        load_all_checks()
        self.api = api
        self.base = base
        self.schema = schemathesis.openapi.from_path(document)
        self.control = control
        self.checks = CHECKS.get_by_names(checks)
        self.counts = {}

    def token(self, user, kind="access"):
        return self.control("POST", "/tokens", {"api": self.api, "user": user, "kind": kind})["token"]

    def call(self, method, path, expected=200, *, token=None, **parts):
        """Sends one request; parts are those of a case of schemathesis."""
        headers = dict(parts.pop("headers", {}))
        if token:
            headers["Authorization"] = "Bearer " + token
        case = self.schema[path][method].Case(headers=headers, **parts)
        response = case.call(base_url=self.base, allow_redirects=False)
        name = "%s %s" % (method, path)
        if response.status_code != expected:
            raise AssertionError("%s answered %s: %s" % (name, response.status_code, response.content[:400]))
        case.validate_response(response, checks=self.checks)
        statuses = self.counts.setdefault(name, {})
        statuses[str(expected)] = statuses.get(str(expected), 0) + 1
        try:
            return json.loads(response.content)
        except ValueError:
            return response


def png(size=8):
    """A grey picture."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * size) * size)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def sawaed(journey):
    base = "/api/mobile/v1/"
    layla = journey.token("layla@sawaed.test")
    # A sign-in by mail, and a refresh with its tokens.
    address = {"email": "layla@sawaed.test"}
    for start in ("/api/mobile/auth/", base + "auth/"):
        journey.call("POST", start + "request-otp", body=address)
        journey.call("POST", start + "verify-otp", body=dict(address, code="123456"))
        journey.call("POST", start + "refresh", body={"refreshToken": journey.token(address["email"], "refresh")})
        journey.control("POST", "/clock/advance", {"by": "PT61S"})
    # Every list of the profile: a row is created, changed and deleted.
    rows = {
        "education": {"institution": "Sample University", "degree": "BSc"},
        "experience": {"title": "Volunteer", "organization": "Sample Youth Centre"},
        "projects": {"title": "Library app"},
        "awards": {"title": "Third place"},
    }
    for kind, row in rows.items():
        path = base + "profile/" + kind
        stored = journey.call("POST", path, token=layla, body=row)
        journey.call("PATCH", path + "/{id}", token=layla, path_parameters=stored, body={"title": "ترجمة"})
        journey.call("DELETE", path + "/{id}", token=layla, path_parameters=stored)
    # The picture: an upload address, the bytes, and the confirmation.
    for is_short in (False, True):
        if is_short:
            address = journey.call("POST", base + "profile/picture", token=layla, body={})["uploadUrl"]
        else:
            address = journey.call("GET", base + "profile/picture/upload-url", token=layla)["uploadUrl"]
        stored = journey.call(
            "POST", "/api/storage/upload", query=dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query)),
            body=png(), media_type="application/octet-stream", headers={"Content-Type": "image/png"},
        )
        word = "profile/picture" if is_short else "profile/picture/complete"
        journey.call("POST", base + word, token=layla, body=stored)
        journey.call("GET", "/api/storage/{storageId}", path_parameters=stored)
    # A conversation, read until the reply is complete.
    message = {"message": "__start__", "skillId": "aiskill_creativity", "locale": "ar"}
    for start in ("/api/", base):
        sent = journey.call("POST", start + "chat/send", token=layla, body=message)
        for _ in range(3):
            journey.call("GET", start + "chat/status", query={"sessionId": sent["sessionId"]})
            journey.control("POST", "/clock/advance", {"by": "PT0.3S"})
        journey.call("GET", base + "chat/history", token=layla, query={"conversationId": sent["conversationId"]})
    # A registration for an event, and its cancellation.
    event = {"id": "event_open_hackathon"}
    journey.call("POST", base + "events/{id}/register", token=layla, path_parameters=event)
    journey.call("POST", base + "events/{id}/cancel", token=layla, path_parameters=event)


def carbscan(journey):
    base = "/api/mobile/v1/auth/"
    mail = "pro@carbscan.test"
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = {
        "mobile": "true", "state": "s1", "code_challenge": challenge, "code_challenge_method": "S256",
        "redirect_uri": "carbscan://auth-callback", "response_type": "code",
    }
    journey.call("GET", base + "mobile/authorize", query=query)
    redirect = journey.call("GET", base + "mobile/authorize", 302, query=dict(query, login_hint=mail))
    code = re.search(r"[?&]code=([^&]+)", redirect.headers["location"][0]).group(1)
    body = {"code": code, "code_verifier": verifier, "grant_type": "authorization_code"}
    signed_in = journey.call("POST", base + "mobile/token", body=body)["data"]
    journey.call("POST", base + "refresh", body={"refreshToken": signed_in["refreshToken"]})
    journey.call("POST", base + "revoke", body={"refreshToken": signed_in["refreshToken"]})
    journey.call("POST", base + "replit", cookies={"connect.sid": mail}, body={"deviceId": "d1"})
    journey.control("PUT", "/settings", {"carbscan": {"magicLink": {"verify": "on"}}})
    journey.call("POST", base + "magic-link/request", body={"email": mail})
    letter = journey.control("GET", "/outbox?to=" + mail)["items"][0]
    journey.call("POST", base + "magic-link/verify", body={"token": letter["token"]})


def omnichat(journey):
    user = journey.token("test@icloud.com")
    refresh = {"refreshToken": journey.token("test@icloud.com", "refresh")}
    journey.call("POST", "/api/v1/auth/refresh", body=refresh)
    stored = journey.call(
        "POST", "/api/v1/upload", token=user, body={"file": png(), "conversationId": "conv_welcome_00000001"},
        media_type="multipart/form-data", multipart_content_types={"file": "image/png"},
    )
    for method in ("GET", "DELETE"):
        journey.call(method, "/api/v1/files/{key}", token=user, path_parameters={"key": stored["key"]})


def trafikskola(journey):
    base = "/api/mobile/"
    # Every sign-in method.
    credentials = {"email": "anna@example.com", "password": "understudy-tfx", "deviceId": "phone"}
    signed_in = journey.call("POST", base + "auth/login", body=credentials)["data"]
    journey.call("POST", base + "auth/refresh", body={"refreshToken": signed_in["refreshToken"]})
    journey.call("POST", base + "auth/request-otp", body={"email": "anna@example.com"})
    device = {"deviceId": "tablet", "platform": "ios"}
    body = {"email": "anna@example.com", "otpCode": "123456", "deviceInfo": device}
    journey.call("POST", base + "auth/verify-otp", body=body)
    journey.call("POST", base + "auth/quick-login", body={"token": "sqr_9cc68b962854d67303c804aad5389506"})
    anna = journey.token("anna@example.com")
    picture = journey.call(
        "POST", base + "student/avatar", token=anna, body={"avatar": png()}, media_type="multipart/form-data",
        multipart_content_types={"avatar": "image/png"},
    )["data"]["avatarUrl"]
    journey.call("GET", "/avatars/{file}", path_parameters={"file": picture.rpartition("/")[2]})
    # A driving lesson, booked in a free slot and cancelled.
    query = {"type": "lt_45", "date": "2025-01-02"}
    slots = journey.call("GET", base + "bookings/available-slots", token=anna, query=query)["data"]["slots"]
    free = next(slot for slot in slots if slot.get("available", True))
    body = {"type": "driving_lesson", "lessonTypeId": "lt_45", "startTime": free["startTime"], "duration": 45}
    booked = journey.call("POST", base + "bookings", 201, token=anna, body=body)["data"]["booking"]
    journey.call("DELETE", base + "bookings/{id}", token=anna, path_parameters={"id": booked["id"]})
    query = {"type": "lt_theory"}
    journey.call("GET", base + "bookings/available-sessions", token=anna, query=query)
    # An invoice, paid.
    invoice = {"id": "inv_1"}
    path = base + "invoices/{id}/payment/"
    payment = journey.call("POST", path + "initiate", token=anna, path_parameters=invoice, body={"method": "swish"})
    invoice["paymentId"] = payment["data"]["paymentId"]
    journey.call("GET", path + "{paymentId}/status", token=anna, path_parameters=invoice)
    # Lessons and questions.
    lesson = {"id": "lesson_1"}
    path = base + "lms/lessons/{id}"
    journey.call("GET", path, token=anna, path_parameters=lesson)
    journey.call("PUT", path + "/progress", token=anna, path_parameters=lesson, body={"progress": 100})
    quiz = journey.call("GET", base + "lms/quizzes/practice", token=anna)["data"]
    answers = [{"questionId": one["id"], "selectedOptionIds": [one["options"][0]["id"]]} for one in quiz["questions"]]
    body = {"quizId": "practice", "answers": answers, "timeSpent": 60}
    journey.call("POST", base + "lms/quizzes/practice/submit", token=anna, body=body)
    # The school's side: the devices and sessions of a student.
    body = {"deviceId": "phone", "platform": "ios", "pushToken": "0" * 64}
    journey.call("POST", base + "device/register", token=anna, body=body)
    erik = journey.token("erik@example.com")
    admin = "/api/admin/app-dashboard/"
    journey.call("GET", admin + "devices", token=erik)
    journey.call("PATCH", admin + "devices", token=erik, body={"deviceId": "phone", "isActive": False})
    journey.call("POST", admin + "push", token=erik, body={"title": "Hej", "body": "Fredag", "targetType": "all"})
    sessions = journey.call("GET", admin + "sessions", token=erik, query={"search": "anna"})["data"]["sessions"]
    journey.call("DELETE", admin + "sessions", token=erik, body={"sessionId": sessions[0]["id"]})
    anna = journey.token("anna@example.com")
    journey.call("DELETE", base + "devices/{deviceId}", token=anna, path_parameters={"deviceId": "tablet"})


def trendy(journey):
    base = "/api/v1/"
    body = {"email": "journey@trendy.example", "password": "understudy"}
    journey.call("POST", base + "auth/signup", 201, body=body)
    journey.call("POST", "/auth/v1/signup", body=dict(body, email="other@trendy.example"))
    signed_in = journey.call("POST", "/auth/v1/token", query={"grant_type": "password"}, body=body)
    refresh = {"refresh_token": signed_in["refresh_token"]}
    journey.call("POST", "/auth/v1/token", query={"grant_type": "refresh_token"}, body=refresh)
    user = signed_in["access_token"]
    # A type with a property, an event and a geofence: all are created, changed and deleted.
    rows = [
        ("event-types", "event-types", {"name": "جري", "color": "#007AFF", "icon": "figure.run"}, {"color": "#34C759"}),
        (
            "event-types/{id}/properties", "property-definitions",
            {"key": "pace", "label": "Pace", "property_type": "duration"}, {"label": "Pace in min/km"},
        ),
        ("events", "events", {"timestamp": "2025-01-01T11:00:00Z"}, {"notes": "in the park"}),
        (
            "geofences", "geofences",
            {
                "id": "01942107-3a00-7000-8000-00000000abcd", "name": "Office", "latitude": 48.2, "longitude": 16.4,
                "radius": 200,
            },
            {"radius": 300},
        ),
    ]
    made = []
    kind = None
    for creation, path, row, change in rows:
        if kind and path in ("property-definitions", "events"):
            row = dict(row, event_type_id=kind["id"])
        parameters = kind if "{id}" in creation else {}
        stored = journey.call("POST", base + creation, 201, token=user, path_parameters=parameters, body=row)
        kind = kind or {"id": stored["id"]}
        place = {"id": stored["id"]}
        journey.call("GET", base + path + "/{id}", token=user, path_parameters=place)
        journey.call("PUT", base + path + "/{id}", token=user, path_parameters=place, body=change)
        made.append((path, place))
    journey.call("GET", base + "analytics/event-type/{id}", token=user, path_parameters=kind)
    for path, place in reversed(made):
        journey.call("DELETE", base + path + "/{id}", 204, token=user, path_parameters=place)
    # The table: with the rows and without.
    row = {"id": signed_in["user"]["id"], "onboarding_step": "welcome"}
    mine = {"id": "eq." + row["id"]}
    journey.call(
        "POST", "/rest/v1/profiles", token=user, body=row,
        headers={"Prefer": "return=representation, resolution=merge-duplicates"},
    )
    journey.call("GET", "/rest/v1/profiles", token=user, query=dict(mine, select="*"))
    journey.call(
        "PATCH", "/rest/v1/profiles", token=user, query=mine, body={"onboarding_complete": True},
        headers={"Prefer": "return=representation"},
    )
    journey.call("PUT", "/auth/v1/user", token=user, body={"data": {"name": "Journey"}})


def control(journey):
    base = "/__admin/"
    gate = {"name": "journey", "match": {"path": "/never"}, "phase": "before"}
    journey.call("POST", base + "gates", 201, body=gate)
    journey.call("POST", base + "gates/{name}/release", path_parameters={"name": "journey"}, body={"count": 1})
    journey.call("DELETE", base + "gates/{name}", 204, path_parameters={"name": "journey"})
    fault = journey.call("POST", base + "faults", 201, body={"effect": {"status": 500}})
    for method, status in (("GET", 200), ("DELETE", 204)):
        journey.call(method, base + "faults/{id}", status, path_parameters={"id": fault["id"]})
    stub = journey.call("POST", base + "stubs", 201, body={"match": {"api": "omnichat", "path": "/stubbed"}, "response": {}})
    for method, status in (("GET", 200), ("DELETE", 204)):
        journey.call(method, base + "stubs/{id}", status, path_parameters={"id": stub["id"]})
    world = {"name": "journey"}
    journey.call("POST", base + "worlds", 201, body=world)
    journey.call("DELETE", base + "worlds/{name}", 204, path_parameters=world)
    scenario = {"api": "trendy", "name": journey.call("GET", base + "scenarios", query={"api": "trendy"})["items"][0]["name"]}
    scenario["name"] = scenario["name"].removeprefix("trendy/")
    for method in ("PUT", "DELETE"):
        journey.call(method, base + "scenarios/{api}/{name}", path_parameters=scenario)
    journey.call("GET", base + "qr", query={"api": "trafikskola"})
    order = {"user": "test@icloud.com", "kind": "access"}
    journey.call("POST", base + "tokens", 201, query={"api": "omnichat"}, body=order)
    for word in ("expire", "revoke"):
        journey.call(
            "POST", base + "users/{who}/" + word, query={"api": "omnichat"},
            path_parameters={"who": "test@icloud.com"}, body={"tokens": "access"},
        )
    snapshot = {"name": "journey"}
    journey.call("POST", base + "snapshots", 201, body=snapshot)
    journey.call("POST", base + "snapshots/{name}/restore", path_parameters=snapshot)
    journey.call("DELETE", base + "snapshots/{name}", 204, path_parameters=snapshot)
    state = journey.call("GET", base + "state")
    journey.call("GET", base + "state/{name}", path_parameters={"name": "omnichat"})
    journey.call("GET", base + "state/{name}/{table}", path_parameters={"name": "omnichat", "table": "messages"})
    row = {"name": "omnichat", "table": "messages", "id": state["apis"]["omnichat"]["messages"][-1]["id"]}
    journey.call("GET", base + "state/{name}/{table}/{id}", path_parameters=row)
    stored = journey.call("GET", base + "state/{name}/{table}/{id}", path_parameters=row)
    journey.call("PUT", base + "state/{name}/{table}/{id}", path_parameters=row, body=stored["row"])
    journey.call("DELETE", base + "state/{name}/{table}/{id}", 204, path_parameters=row)
    journey.call("PUT", base + "state", body=state)
    for _ in range(2):
        urllib.request.urlopen(journey.base + "/trendy/health").close()
    requests = [item["id"] for item in journey.call("GET", base + "requests", query={"limit": 2})["items"]]
    journey.call("GET", base + "requests/{id}", path_parameters={"id": requests[0]})
    journey.call("POST", base + "requests/{id}/replay", 201, path_parameters={"id": requests[0]}, body={})
    journey.call("POST", base + "compare", body={"a": {"request": requests[0]}, "b": {"request": requests[1]}})
    for name in ("ca.pem", "ca.crt", "ca.mobileconfig"):
        journey.call("GET", base + name)
    fault = journey.call("POST", base + "connection-faults", 201, body={"effect": {"certificate": "expired"}})
    for method, status in (("GET", 200), ("DELETE", 204)):
        journey.call(method, base + "connection-faults/{id}", status, path_parameters={"id": fault["id"]})


JOURNEYS = {
    "sawaed": sawaed, "carbscan": carbscan, "omnichat": omnichat, "trafikskola": trafikskola, "trendy": trendy,
    "control": control,
}
