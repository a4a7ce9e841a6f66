import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trendy

/// Sections 3 to 6: the onboarding record.
struct Section3OnboardingTests {
    static let members = [
        "user_id", "completed", "welcome_completed_at", "auth_completed_at", "permissions_completed_at",
        "notifications_status", "notifications_completed_at", "healthkit_status", "healthkit_completed_at",
        "location_status", "location_completed_at", "created_at", "updated_at",
    ]
    static let dates = [
        "welcome_completed_at", "auth_completed_at", "permissions_completed_at", "notifications_completed_at",
        "healthkit_completed_at", "location_completed_at",
    ]
    static let statuses = ["notifications_status", "healthkit_status", "location_status"]

    let harness: Harness
    let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint("new@trendy.example")
    }

    private func get() throws -> Played { try harness.get(Harness.onboarding, token: token) }
    private func patch(_ json: JSON) throws -> Played {
        try harness.patch(Harness.onboarding, token: token, json: json)
    }

    // MARK: GET

    @Test func `4 a new account has a record of four members`() throws {
        try expectEqual(
            get().text,
            #"{"user_id":"7e4d0000-0000-4000-8000-000000000001","completed":false,"#
                + #""created_at":"2025-01-01T12:00:00Z","updated_at":"2025-01-01T12:00:00Z"}"#
        )
    }

    @Test func `4 the account that finished has the record of the example`() throws {
        let token = try harness.mint("completed@trendy.example")
        try expectEqual(
            harness.get(Harness.onboarding + "?anything=1", token: token).text,
            #"{"user_id":"7e4d0000-0000-4000-8000-000000000005","completed":true,"#
                + #""welcome_completed_at":"2024-12-20T09:00:00Z","auth_completed_at":"2024-12-20T09:01:30Z","#
                + #""permissions_completed_at":"2024-12-20T09:04:00Z","notifications_status":"granted","#
                + #""notifications_completed_at":"2024-12-20T09:02:10Z","healthkit_status":"denied","#
                + #""healthkit_completed_at":"2024-12-20T09:03:00Z","location_status":"skipped","#
                + #""location_completed_at":"2024-12-20T09:03:40Z","created_at":"2024-12-20T08:59:00Z","#
                + #""updated_at":"2024-12-20T09:04:05Z"}"#
        )
    }

    @Test func `D3 reading changes nothing`() throws {
        let token = try harness.mint("completed@trendy.example")
        let first = try harness.get(Harness.onboarding, token: token).text
        try harness.advance(.seconds(1_000))
        try expectEqual(harness.get(Harness.onboarding, token: token).text, first)
    }

    @Test func `D5 the record is created by the first GET, PATCH or DELETE`() throws {
        try harness.advance(.milliseconds(90_500))
        try expectEqual(get().text(at: "created_at"), "2025-01-01T12:01:30Z")
        for (method, body) in [(HTTPMethod.patch, "{}"), (.delete, "")] {
            let harness = try Harness()
            let token = try harness.mint("new@trendy.example")
            let reply = try harness.send(method, Harness.onboarding, token: token, body: Array(body.utf8))
            expectEqual(reply.status, 200)
            expectEqual(reply.keys, ["user_id", "completed", "created_at", "updated_at"])
            expectEqual(reply.text(at: "created_at"), "2025-01-01T12:00:00Z")
        }
    }

    // MARK: PATCH

    @Test func `5 all ten members are stored and come back in wire order`() throws {
        var body = JSONObject()
        body["completed"] = true
        for name in Self.dates.reversed() { body[name] = "2025-01-01T10:11:12Z" }
        for (name, value) in zip(Self.statuses, ["granted", "not_requested", "skipped"]) { body[name] = .string(value) }
        let reply = try patch(.object(body))
        expectEqual(reply.status, 200)
        expectEqual(reply.keys, Self.members)
        for name in Self.dates { expectEqual(reply.text(at: name), "2025-01-01T10:11:12Z") }
        expectEqual(reply.text(at: "healthkit_status"), "not_requested")
        try expectEqual(get().text, reply.text)
    }

    @Test func `D2 an absent member keeps, null clears, a value overwrites`() throws {
        _ = try patch(["completed": true, "welcome_completed_at": "2025-01-01T01:00:00Z", "location_status": "denied"])
        var reply = try patch(["auth_completed_at": "2025-01-01T02:00:00Z"])
        expectEqual(reply.json["completed"], true)
        expectEqual(reply.text(at: "welcome_completed_at"), "2025-01-01T01:00:00Z")
        expectEqual(reply.text(at: "location_status"), "denied")
        reply = try patch(["welcome_completed_at": .null, "location_status": .null])
        expectEqual(reply.keys, ["user_id", "completed", "auth_completed_at", "created_at", "updated_at"])
        reply = try patch(["auth_completed_at": "2024-01-01T00:00:00Z"])
        expectEqual(reply.text(at: "auth_completed_at"), "2024-01-01T00:00:00Z")
    }

    @Test func `D4 completed null is false`() throws {
        try expectEqual(patch(["completed": true]).json["completed"], true)
        try expectEqual(patch(["completed": .null]).json["completed"], false)
    }

    @Test(arguments: Section3OnboardingTests.dates + Section3OnboardingTests.statuses)
    func `5 null clears each of the nine, and clearing what is not set is no error`(name: String) throws {
        let value: JSON = name.hasSuffix("status") ? "granted" : "2025-01-01T01:00:00Z"
        try expectNil(patch([name: .null] as JSON).json[name])
        try expectEqual(patch([name: value] as JSON).json[name], value)
        let reply = try patch([name: .null] as JSON)
        expectNil(reply.json[name])
        #expect(!reply.text.contains("null"))
    }

    @Test(arguments: ["{}", "null", " {} ", #"{"unknown":1}"#, #"{"user_id":"x","created_at":5,"updated_at":null}"#])
    func `D25 D24 an empty change moves updated_at only`(text: String) throws {
        _ = try patch(["completed": true, "welcome_completed_at": "2025-01-01T01:00:00Z"])
        try harness.advance(.seconds(5))
        let reply = try harness.patch(Harness.onboarding, token: token, text: text)
        expectEqual(reply.status, 200)
        expectEqual(reply.keys, ["user_id", "completed", "welcome_completed_at", "created_at", "updated_at"])
        expectEqual(reply.json["completed"], true)
        expectEqual(reply.text(at: "created_at"), "2025-01-01T12:00:00Z")
        expectEqual(reply.text(at: "updated_at"), "2025-01-01T12:00:05Z")
    }

    @Test func `5 an empty body is EOF, and a body that is none of object and null is refused`() throws {
        for text in ["", "  ", "\n"] {
            try expectEqual(harness.patch(Harness.onboarding, token: token, text: text).plain, "400 EOF")
        }
        for text in ["[]", "1", "true", #""x""#, "{"] {
            #expect(try harness.patch(Harness.onboarding, token: token, text: text).plain.hasPrefix("400 "))
        }
        // None of them made a record's time move.
        try expectNil(harness.state { state, _ in state.onboarding[Harness.id(1)] })
    }

    @Test(arguments: [
        "2025-01-01T12:00:00Z": "2025-01-01T12:00:00Z", "2025-01-01T12:00:00.5Z": "2025-01-01T12:00:00Z",
        "2025-01-01T12:00:00.999999999Z": "2025-01-01T12:00:00Z", "2025-01-01T12:00:00+02:00": "2025-01-01T10:00:00Z",
        "2025-01-01T00:30:00.25-23:59": "2025-01-02T00:29:00Z", "2024-02-29T23:59:59Z": "2024-02-29T23:59:59Z",
        "0001-01-01T00:00:00Z": "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z": "9999-12-31T23:59:59Z",
    ])
    func `2 D21 dates that are taken, and how they come back`(sent: String, back: String) throws {
        let reply = try patch(["welcome_completed_at": .string(sent)])
        expectEqual(reply.text(at: "welcome_completed_at"), back)
    }

    @Test(arguments: [
        "", "2025-01-01", "2025-01-01T12:00:00", "2025-01-01 12:00:00Z", "2025-01-01t12:00:00Z", "2025-01-01T12:00:00z",
        "2025-02-30T12:00:00Z", "2025-13-01T12:00:00Z", "2025-01-01T25:00:00Z", "2025-01-01T24:00:00Z",
        "2025-01-01T12:00:60Z", "2025-01-01T12:00:00.Z", "2025-01-01T12:00:00.1234567890Z", "2025-01-01T12:00Z",
        "2025-01-01T12:00:00+0200", "2025-01-01T12:00:00+24:00", " 2025-01-01T12:00:00Z", "1735732800", "yesterday",
        "2023-02-29T00:00:00Z", "+2025-01-01T12:00:00Z", "25-01-01T12:00:00Z", "2025-01-01T12:00:00,5Z",
    ])
    func `2 dates that are refused`(sent: String) throws {
        let reply = try patch(["welcome_completed_at": .string(sent)])
        #expect(reply.plain.hasPrefix("400 "))
        #expect(reply.text.contains("welcome_completed_at"))
    }

    @Test(arguments: [
        (#"{"completed":"true"}"#, "completed"), (#"{"completed":1}"#, "completed"),
        (#"{"completed":{}}"#, "completed"),
        (#"{"auth_completed_at":1735732800}"#, "auth_completed_at"),
        (#"{"location_completed_at":true}"#, "location_completed_at"),
        (#"{"healthkit_status":1}"#, "healthkit_status"), (#"{"notifications_status":[]}"#, "notifications_status"),
    ])
    func `5 wrong types are 400 and name the member, nothing is coerced, nothing is stored`(text: String, name: String)
        throws
    {
        let before = try get().text
        let whole = #"{"welcome_completed_at":"2025-01-01T01:00:00Z","# + text.dropFirst()
        let reply = try harness.patch(Harness.onboarding, token: token, text: whole)
        #expect(reply.plain.hasPrefix("400 "))
        #expect(reply.text.contains(name))
        try expectEqual(get().text, before)
    }

    @Test(arguments: Section3OnboardingTests.statuses, ["", "Granted", "provisional", "granted ", "notrequested"])
    func `5 a permission outside the four is the fixed text`(name: String, value: String) throws {
        try expectEqual(
            patch([name: .string(value)] as JSON).plain,
            "400 invalid \(name): must be one of granted, denied, skipped, not_requested"
        )
    }

    @Test func `D14 of several bad permissions the first in order counts, and types come before values`() throws {
        let bad: JSON = ["location_status": "x", "healthkit_status": "y", "notifications_status": "z"]
        #expect(try patch(bad).text.contains("invalid notifications_status"))
        #expect(try patch(["location_status": "x", "healthkit_status": "y"]).text.contains("invalid healthkit_status"))
        let mixed = try patch(["notifications_status": "x", "location_completed_at": "y"])
        expectEqual(mixed.status, 400)
        #expect(mixed.text.contains("location_completed_at"))
    }

    @Test func `D24 member names match exactly`() throws {
        let reply = try patch(["Completed": true, "WELCOME_COMPLETED_AT": "2025-01-01T01:00:00Z"])
        expectEqual(reply.keys, ["user_id", "completed", "created_at", "updated_at"])
        expectEqual(reply.json["completed"], false)
    }

    @Test func `3 completed and the dates do not touch one another`() throws {
        try expectEqual(patch(["completed": true]).keys, ["user_id", "completed", "created_at", "updated_at"])
        var steps = JSONObject()
        for name in Self.dates { steps[name] = "2025-01-01T10:11:12Z" }
        try expectEqual(patch(["completed": false]).json["completed"], false)
        try expectEqual(patch(.object(steps)).json["completed"], false)
    }

    @Test func `5 each accepted PATCH moves updated_at, a refused one does not`() throws {
        _ = try patch(["completed": true])
        try harness.advance(.seconds(7))
        try expectEqual(patch(["completed": "x"]).status, 400)
        try expectEqual(get().text(at: "updated_at"), "2025-01-01T12:00:00Z")
        try expectEqual(patch(["completed": true]).text(at: "updated_at"), "2025-01-01T12:00:07Z")
    }

    // MARK: DELETE

    @Test func `6 a reset clears the steps and keeps the permissions with their dates`() throws {
        let token = try harness.mint("completed@trendy.example")
        let reply = try harness.send(.delete, Harness.onboarding, token: token, body: Array("{broken".utf8))
        expectEqual(
            reply.text,
            #"{"user_id":"7e4d0000-0000-4000-8000-000000000005","completed":false,"#
                + #""notifications_status":"granted","notifications_completed_at":"2024-12-20T09:02:10Z","#
                + #""healthkit_status":"denied","healthkit_completed_at":"2024-12-20T09:03:00Z","#
                + #""location_status":"skipped","location_completed_at":"2024-12-20T09:03:40Z","#
                + #""created_at":"2024-12-20T08:59:00Z","updated_at":"2025-01-01T12:00:00Z"}"#
        )
        try harness.advance(.seconds(1))
        let again = try harness.delete(Harness.onboarding, token: token)
        expectEqual(again.status, 200)
        expectEqual(again.text(at: "updated_at"), "2025-01-01T12:00:01Z")
    }

    // MARK: Profile "deployed" (section 12)

    @Test func `12 deployed replaces on PATCH, forgets completed on GET, and asks for a GET first`() throws {
        try harness.set(["profile": "deployed"])
        try expectEqual(patch(["completed": true]).plain, "500 failed to update onboarding status")
        try expectEqual(harness.delete(Harness.onboarding, token: token).plain, "500 failed to reset onboarding status")
        try expectEqual(get().text(at: "updated_at"), "2025-01-01T12:00:00.000000Z")
        var reply = try patch(["completed": true, "welcome_completed_at": "2025-01-01T01:00:00.25Z"])
        expectEqual(reply.json["completed"], true)
        expectEqual(reply.text(at: "welcome_completed_at"), "2025-01-01T01:00:00.250000Z")
        reply = try patch(["auth_completed_at": "2025-01-01T02:00:00Z"])
        expectNil(reply.json["welcome_completed_at"])
        expectEqual(reply.json["completed"], false)
        _ = try patch(["completed": true])
        try harness.advance(.seconds(3))
        reply = try get()
        expectEqual(reply.json["completed"], false)
        expectEqual(reply.text(at: "updated_at"), "2025-01-01T12:00:03.000000Z")
        try expectEqual(harness.delete(Harness.onboarding, token: token).status, 200)
        try harness.set(["profile": "contract"])
        try expectEqual(get().text(at: "updated_at"), "2025-01-01T12:00:03Z")
    }
}

private func + (left: String, right: Substring) -> String { left + String(right) }
