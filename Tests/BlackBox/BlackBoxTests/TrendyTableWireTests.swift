import Foundation
import JSON
import TestSupport
import Testing

/// Trendy contract, section 10.12: the table of profiles.
@Suite(.serialized) struct TrendyTableWireTests {
    private let served: Served

    init() throws { served = try Served() }

    private func token(_ more: String = "") throws -> String {
        let order = #"{"api":"trendy","user":"new@trendy.example","kind":"access"\#(more)}"#
        return try #require(try served.control("POST", "/tokens", order).json["token"]?.stringValue)
    }

    private func ask(_ method: String, _ query: String, _ body: String = "", token: String) throws -> WireAnswer {
        try Wire(port: served.hub).ask(method, "/trendy/rest/v1/profiles" + query, body: Array(body.utf8), token: token)
    }

    @Test func `10.12 filters and order compare the time that is kept, not the seconds that are shown`() throws {
        let token = try token()
        for column in ["onboarding_started_at", "onboarding_completed_at", "created_at", "updated_at"] {
            let stamp = "2026-11-22T11:46:24"
            try expectEqual(ask("PATCH", "", #"{"\#(column)":"\#(stamp).123456Z"}"#, token: token).status, 204)
            for (filter, isThere) in [
                ("eq.\(stamp).123456Z", true), ("eq.\(stamp)Z", false), ("neq.\(stamp)Z", true),
                ("gt.\(stamp)Z", true), ("gt.\(stamp).123455Z", true), ("gt.\(stamp).123456Z", false),
                ("gte.\(stamp).123456Z", true), ("lt.\(stamp).123457Z", true), ("lte.\(stamp).123455Z", false),
                ("in.(\(stamp).123456Z)", true), ("not.eq.\(stamp).123456Z", false),
                ("eq.\(stamp).123456%2B00:00", true), ("eq.2026-11-22T12:46:24.123456%2B01", true),
            ] {
                let answer = try ask("GET", "?\(column)=\(filter)", token: token)
                expectEqual(answer.status, 200, filter)
                expectEqual(answer.json.arrayValue?.count, isThere ? 1 : 0, "\(column)=\(filter)")
            }
        }
    }

    @Test func `10.12 a token that was issued in the future is refused, 31 s ahead and not 30`() throws {
        let now = 1_735_732_800
        for (ahead, status) in [(-60, 200), (0, 200), (30, 200), (31, 401), (86_400, 401)] {
            let token = try token(#","claims":{"iat":\#(now + ahead)}"#)
            let answer = try ask("GET", "", token: token)
            expectEqual(answer.status, status, "\(ahead)")
            guard status == 401 else { continue }
            expectEqual(answer.json["code"], "PGRST303")
            expectEqual(answer.json["message"], "JWT issued at future")
        }
        let odd = try token(#","claims":{"iat":null}"#)
        try expectEqual(ask("GET", "", token: odd).status, 200)
        // It becomes good when the world's clock has come there.
        let later = try token(#","claims":{"iat":\#(now + 60)}"#)
        try expectEqual(ask("GET", "", token: later).status, 401)
        _ = try served.control("POST", "/clock/advance", #"{"seconds":30}"#)
        try expectEqual(ask("GET", "", token: later).status, 200)
    }

    @Test func `2 a token of the future is refused by each of the three servers, 31 s ahead and not 30`() throws {
        let now = 1_735_732_800
        let port = try #require(
            served.ready["apis"]?["trendy"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        )
        for (claim, table, auth) in [
            ("iat", "JWT issued at future", "token used before issued"),
            ("nbf", "JWT not yet valid", "token is not valid yet"),
        ] {
            for (ahead, isGood) in [(-60, true), (30, true), (31, false), (86_400, false)] {
                let token = try token(#","claims":{"\#(claim)":\#(now + ahead)}"#)
                let what = "\(claim) \(ahead)"
                let backend = try Wire(port: port).ask("GET", "/api/v1/event-types", token: token)
                expectEqual(backend.status, isGood ? 200 : 401, what)
                let user = try Wire(port: port).ask("GET", "/auth/v1/user", token: token)
                expectEqual(user.status, isGood ? 200 : 403, what)
                let rows = try ask("GET", "", token: token)
                expectEqual(rows.status, isGood ? 200 : 401, what)
                guard !isGood else { continue }
                expectEqual(user.json["error_code"] ?? user.json["code"], "bad_jwt", "\(user.text)")
                #expect(user.text.contains("invalid JWT: ") && user.text.contains(auth), "\(user.text)")
                expectEqual(rows.json["code"], "PGRST303", what)
                expectEqual(rows.json["message"], .string(table))
            }
        }
        let early = try token(#","claims":{"nbf":\#(now + 60)}"#)
        try expectEqual(Wire(port: port).ask("GET", "/auth/v1/user", token: early).status, 403)
        _ = try served.control("POST", "/clock/advance", #"{"seconds":30}"#)
        try expectEqual(Wire(port: port).ask("GET", "/auth/v1/user", token: early).status, 200)
    }
}
