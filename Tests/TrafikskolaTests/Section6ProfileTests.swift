import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import Imaging
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Sections 6.1, 6.2: the profile.
struct Section6ProfileTests {
    private let harness: Harness
    private let token: String
    private let path = "/api/mobile/student/profile"

    init() throws {
        harness = try Harness()
        token = try harness.logIn().access
    }

    @Test func `6.1 the profile has exactly these members`() throws {
        try expectEqual(
            harness.get(path, token: token).text,
            #"""
            {"success":true,"data":{"id":"usr_123","email":"anna@example.com","firstName":"Anna","lastName":"Svensson",\#
            "phone":"+46701234567","address":"Storgatan 1, Stockholm","profileImageUrl":"http://127.0.0.1:4684/avatars/usr_123.jpg",\#
            "personalNumber":"19950101-1234","enrolledAt":"2025-09-01T00:00:00Z","licenseType":"B",\#
            "instructor":{"id":"instr_1","name":"Erik Johansson"},\#
            "progress":{"lessonsCompleted":12,"totalLessons":20,"examStatus":"not_booked"}}}
            """#
        )
        let second = try harness.get(path, token: try harness.logIn(Harness.other).access)
        expectEqual(
            second.text,
            #"""
            {"success":true,"data":{"id":"eb511794-80e9-4d52-8d05-98ee00071e5c","email":"student@example.com",\#
            "firstName":"Anna","lastName":"Svensson","phone":null,"address":null,"profileImageUrl":null,\#
            "personalNumber":null,"enrolledAt":"2026-01-12T00:00:00Z","licenseType":"B","instructor":null,\#
            "progress":{"lessonsCompleted":0,"totalLessons":20,"examStatus":"not_booked"}}}
            """#
        )
        let erik = try harness.logIn(Harness.erik).access
        try expectEqual(harness.get(path, token: erik).error, "403 FORBIDDEN")
    }

    @Test func `6.2 only what is sent changes, and shows everywhere`() throws {
        try expectEqual(harness.put(path, token: token, json: [:]).text, #"{"success":true}"#)
        let change: JSON = [
            "firstName": " Eva ", "address": "", "id": "x", "email": "x", "personalNumber": 1, "new": [],
        ]
        try expectEqual(harness.put(path, token: token, json: change).text, #"{"success":true}"#)
        let profile = try harness.get(path, token: token)
        expectEqual(profile.text(at: "data.firstName"), "Eva")
        expectEqual(profile.text(at: "data.lastName"), "Svensson")
        expectEqual(profile.data["address"], .null)
        expectEqual(profile.text(at: "data.id"), "usr_123")
        expectEqual(profile.text(at: "data.phone"), "+46701234567")
        let login = try harness.post(
            "/api/mobile/auth/login",
            json: ["email": "anna@example.com", "password": "understudy-tfx"]
        )
        expectEqual(login.text(at: "data.user.firstName"), "Eva")
        _ = try harness.put(path, token: token, json: ["phone": .null])
        try expectEqual(harness.get(path, token: token).data["phone"], .null)
    }

    @Test(arguments: [
        ("firstName", 1, 50), ("lastName", 1, 50), ("address", 0, 200), ("phone", 0, 0), ("phone", 5, 20),
    ])
    func `6.2 lengths at their limits`(field: String, least: Int, most: Int) throws {
        let digit = field == "phone" ? "1" : "å"
        for length in [least, most] {
            let text = String(repeating: digit, count: length)
            try expectEqual(harness.put(path, token: token, json: [field: .string(text)]).status, 200, "\(length)")
        }
        for length in [least - 1, most + 1] where length > 0 || (length == 0 && field.hasSuffix("Name")) {
            let reply = try harness.put(
                path,
                token: token,
                json: [field: .string(String(repeating: digit, count: length))]
            )
            guard field != "phone" || length != 1 else { continue }
            expectEqual(reply.error, "400 VALIDATION_ERROR", "\(length)")
            expectEqual(reply.faulty, [field])
        }
    }

    @Test(arguments: [
        ("+46 (0)70-123 45", true), ("12345", true), ("1234", false), ("1 2 3 4", false), ("46+70123456", false),
        ("0701234x", false), ("+++++12345", false), ("+46701234567", true), ("٠١٢٣٤٥", false), ("   ", true),
    ])
    func `6.2 phone numbers`(phone: String, isGood: Bool) throws {
        try expectEqual(harness.put(path, token: token, json: ["phone": .string(phone)]).status, isGood ? 200 : 400)
    }

    @Test func `6.2 a change that does not fit changes nothing`() throws {
        let before = try harness.get(path, token: token).text
        for (body, fields) in [
            (["firstName": "Eva", "lastName": ""], ["lastName"]), (["firstName": .null], ["firstName"]),
            (["firstName": 1, "phone": [], "address": false], ["firstName", "phone", "address"]),
            (["firstName": "Eva", "phone": "abc"], ["phone"]), (["firstName": "   "], ["firstName"]),
        ] as [(JSON, [String])] {
            let reply = try harness.put(path, token: token, json: body)
            expectEqual(reply.error, "400 VALIDATION_ERROR")
            expectEqual(reply.faulty, fields)
            try expectEqual(harness.get(path, token: token).text, before)
        }
    }
}
