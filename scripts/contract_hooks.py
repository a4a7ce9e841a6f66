"""Hooks of schemathesis: add a valid token to most requests, and advance the clock so that rate limits end."""

import atexit
import json
import os
import re
import urllib.parse

import schemathesis
import understudy

control = understudy.Server(os.environ["CONTRACT_HUB"]).call
API = os.environ["CONTRACT_API"]
# The users of the tokens: a path prefix and a user of the seed world; the longest prefix counts.
USERS = json.loads(os.environ["CONTRACT_USERS"])
SETTINGS = json.loads(os.environ["CONTRACT_SETTINGS"])
# The file for the number of responses by operation and status.
COUNTS = os.environ["CONTRACT_COUNTS"]

# Server errors that a contract prescribes: API, methods, the whole path, and the whole text of the error.
UNKNOWN = r"(event|event type|geofence|property definition) not found"
DUPLICATE = r'duplicate key value violates unique constraint "\w+"'
PRESCRIBED = [
    # OmniChat contract, section 6: the model of a conversation may be any text, and none but the known ones can
    # write a reply.
    ("omnichat", "POST", r"/api/v1/conversations/[^/]+/messages", "Failed to generate response"),
    # Magic links are not implemented yet, and report that.
    ("carbscan", "POST", r"/api/mobile/v1/auth/magic-link/verify", "NOT_IMPLEMENTED"),
    # 10.5 to 10.8: a write to an unknown row is 500, and so is a duplicate key or name.
    ("trendy", "PUT DELETE", r"/api/v1/(events|event-types|geofences|property-definitions)/[^/]+", UNKNOWN),
    ("trendy", "GET POST", r"/api/v1/event-types/[^/]+/properties", "event type not found"),
    ("trendy", "POST PUT", r"/api/v1/(events|event-types|geofences|property-definitions)(/.*)?", DUPLICATE),
    # 10.6: an unknown type and an unknown source.
    ("trendy", "POST", r"/api/v1/events", r"invalid event type: .*|invalid source type"),
    # 10.7: a choice without choices.
    (
        "trendy", "POST PUT", r"/api/v1/(event-types/[^/]+/properties|property-definitions/[^/]+)",
        "select property type requires options",
    ),
]

# The longest wait of a call in seconds.
LONGEST_WAIT = 0.5

state = {"calls": 0, "tokens": {}, "counts": {}}


def make_token(user):
    order = {"api": API, "user": user, "kind": "access"}
    try:
        state["tokens"][user] = control("POST", "/tokens", order)["token"]
    except understudy.Problem:
        # A call may have deleted the account, so the world goes back to the seed.
        control("POST", "/reset")
        if SETTINGS:
            control("PUT", "/settings", SETTINGS)
        state["tokens"] = {user: control("POST", "/tokens", order)["token"]}


def user_for(path):
    return USERS[max((start for start in USERS if path.startswith(start)), key=len)]


@schemathesis.hook
def before_call(context, case, kwargs):
    if not API:
        shorten_wait(case)
        return
    if state["calls"] % 5 == 0:
        control("POST", "/clock/advance", {"by": "PT61S"})
    # Access tokens live for minutes at least, and a call may have ended the session.
    user = user_for(case.operation.path)
    if state["calls"] % 10 == 0 or user not in state["tokens"]:
        make_token(user)
    # Now and then the generated value, or none, so that refusals are tested too.
    if state["calls"] % 11 != 0:
        case.headers["Authorization"] = "Bearer " + state["tokens"][user]
    state["calls"] += 1


def seconds(text):
    try:
        return float(str(text))
    except ValueError:
        return 0


def shorten_wait(case):
    """Shortens the waits of a gate and a verification, whose conditions never hold here."""
    if isinstance(case.query, dict) and "wait" in case.query:
        waits = case.query["wait"] if isinstance(case.query["wait"], list) else [case.query["wait"]]
        if any(LONGEST_WAIT < seconds(wait) <= 60 for wait in waits):
            case.query["wait"] = LONGEST_WAIT
    if isinstance(case.body, dict) and isinstance(case.body.get("within"), str):
        if re.fullmatch(r"P(\d+([.,]\d+)?[YMWD])*(T(\d+([.,]\d+)?[HMS])+)?", case.body["within"]):
            case.body["within"] = "PT0.1S"


@schemathesis.hook
def after_call(context, case, response):
    operation = case.operation.method.upper() + " " + case.operation.path
    if case.method.upper() != case.operation.method.upper():
        return
    statuses = state["counts"].setdefault(operation, {})
    statuses[str(response.status_code)] = statuses.get(str(response.status_code), 0) + 1


@atexit.register
def write_counts():
    with open(COUNTS, "w") as file:
        json.dump(state["counts"], file)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False drops a failure."""
    if "not_a_server_error" in failure.checks:
        return not is_prescribed(response)
    if not response.content and {"content_type_conformance", "response_schema_conformance"} & set(failure.checks):
        return not may_be_empty(case, response)
    return True


def is_prescribed(response):
    try:
        answer = json.loads(response.content)
        error = answer.get("error", answer.get("detail"))
    except (ValueError, AttributeError):
        return False
    if isinstance(error, dict):
        error = error.get("code")
    method = response.request.method.upper()
    path = urllib.parse.urlsplit(response.request.url).path
    return isinstance(error, str) and any(
        API == api and method in methods.split() and re.fullmatch(paths, path) and re.fullmatch(text, error, re.DOTALL)
        for api, methods, paths, text in PRESCRIBED
    )


def may_be_empty(case, response):
    """Reads an extension of the document: some responses of that status have content, others have none."""
    answers = case.operation.definition.raw.get("responses", {})
    return answers.get(str(response.status_code), {}).get("x-understudy-may-be-empty") is True
