import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, sections 4 and 5: the tokens that lists of users and of what comes due tell of.
@Suite struct ListedTokenTests {
    private static let users = [
        "sawaed": "layla@sawaed.test", "carbscan": "free@carbscan.test", "omnichat": "test@icloud.com",
        "trafikskola": "student@example.com", "trendy": "welcome@trendy.example",
    ]

    private func token(_ served: Served, _ api: String, _ rest: String = "", world: String? = nil) throws -> String {
        let user = try #require(Self.users[api])
        let order = #"{"api":"\#(api)","user":"\#(user)","kind":"access"\#(rest)}"#
        let answer = try served.control("POST", "/tokens", order, world: world)
        return try #require(answer.json["token"]?.stringValue, "\(answer.text)")
    }

    private func ends(_ served: Served, _ api: String, world: String? = nil) throws -> [String] {
        let answer = try served.control("GET", "/clock/upcoming?kind=access&api=\(api)", world: world)
        return (answer.json["items"]?.arrayValue ?? []).compactMap { $0["at"]?.stringValue }
    }

    private struct Counts: Equatable {
        var sessions: JSON
        var access: JSON
    }

    private func counts(_ served: Served, _ api: String, world: String? = nil) throws -> Counts {
        let user = try #require(Self.users[api])
        let answer = try served.control("GET", "/users?api=\(api)&q=\(user)", world: world)
        let found = try #require(answer.json["items"]?.arrayValue?.first, "\(answer.text)")
        return Counts(sessions: found["sessions"] ?? .null, access: found["access"] ?? .null)
    }

    @Test(arguments: users.keys.sorted())
    func `4 an end that was ordered ahead is the one that is listed, and a dry run passes it`(api: String) throws {
        let served = try Served()
        _ = try token(served, api)
        let user = try #require(Self.users[api])
        let order = #"{"tokens":"access","inSeconds":60}"#
        #expect(try served.control("POST", "/users/\(user)/expire?api=\(api)", order).status < 300)
        try expectEqual(ends(served, api), ["2025-01-01T12:01:00.000Z"])
        let dry = try served.control("POST", "/clock/advance?dryRun=true", #"{"by":"PT61S"}"#)
        expectEqual(dry.json["passed"]?.arrayValue?.contains { $0["kind"] == "access" }, true, "\(dry.text)")
        _ = try served.control("POST", "/clock/advance", #"{"by":"PT61S"}"#)
        try expectEqual(ends(served, api), [])
        try expectEqual(counts(served, api).access, 0)
    }

    @Test(arguments: users.keys.sorted())
    func `5 a token that is never good is neither counted nor listed`(api: String) throws {
        let served = try Served()
        for state in ["bad-signature", "wrong-audience", "wrong-issuer", "revoked"] {
            _ = try token(served, api, #","state":"\#(state)""#)
            try expectEqual(ends(served, api), [], "\(state)")
            try expectEqual(counts(served, api).access, 0, "\(state)")
            try expectEqual(counts(served, api).sessions, 0, "\(state)")
        }
        _ = try token(served, api)
        try expectEqual(counts(served, api).access, 1)
        let user = try #require(Self.users[api])
        #expect(try served.control("POST", "/users/\(user)/revoke?api=\(api)", #"{"tokens":"all"}"#).status < 300)
        try expectEqual(counts(served, api), Counts(sessions: 0, access: 0))
        try expectEqual(ends(served, api), [])
    }

    @Test(arguments: users.keys.sorted())
    func `4 the lists are the same after a restart and an import of the own document`(api: String) throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        let former = try Served(flags)
        _ = try token(former, api)
        let (listed, counted) = (try ends(former, api), try counts(former, api))
        #expect(listed.count == 1 && counted.access == 1)
        let document = try former.control("GET", "/state").text
        try expectEqual(former.control("POST", "/reset").status, 200)
        try expectEqual(ends(former, api), [])
        try expectEqual(former.control("PUT", "/state", document).status, 200)
        try expectEqual(ends(former, api), listed)
        try expectEqual(counts(former, api), counted)
        former.child.signal(SIGTERM)
        _ = try former.child.waitForExit()
        let served = try Served(flags)
        try expectEqual(ends(served, api), listed)
        try expectEqual(counts(served, api), counted)
    }

    @Test func `5 the end that claims state is the one that is listed`() throws {
        let served = try Served()
        for api in Self.users.keys.sorted() {
            // 2025-01-01T12:02:00Z
            _ = try token(served, api, #","claims":{"exp":1735732920}"#)
            try expectEqual(ends(served, api), ["2025-01-01T12:02:00.000Z"], "\(api)")
        }
    }
}
