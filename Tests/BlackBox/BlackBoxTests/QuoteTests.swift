import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 17: a problem quotes at most 100 characters of what it was sent.
@Suite(.serialized) struct QuoteTests {
    /// Expects that a text of 100 characters is quoted whole, and that a longer one is cut.
    private func expectCut(_ what: String, first: String = "q", status: Int, _ ask: (String) throws -> WireAnswer)
        throws
    {
        let whole = first + String(repeating: "q", count: 99)
        let fitting = try ask(whole)
        expectEqual(fitting.status, status, "\(what): \(fitting.status)")
        #expect(fitting.text.contains(whole) && !fitting.text.contains(whole + "…"), "\(what)")
        for text in [whole + "r", whole + String(repeating: "q", count: 3_900)] {
            let answer = try ask(text)
            expectEqual(answer.status, status, "\(what): \(answer.status)")
            #expect(answer.text.contains(whole + "…"), "\(what): \(answer.text)")
            #expect(!answer.text.contains(text), "\(what)")
        }
    }

    private func get(_ port: Int, _ target: String, _ fields: [String] = []) throws -> WireAnswer {
        let wire = try Wire(port: port)
        try wire.send(Wire.request("GET", target, fields: fields))
        return try wire.answer()
    }

    @Test func `17 an unusable preference`() throws {
        let served = try Served()
        for name in ["code", "wait", "fault"] {
            try expectCut("Prefer: \(name)", status: 400) { try get(served.api, "/x", ["Prefer: \(name)=\($0)"]) }
        }
        try expectCut("__code", status: 400) { try get(served.api, "/x?__code=\($0)") }
    }

    @Test func `17 the names of members in a world that is imported`() throws {
        let served = try Served()
        let document = try #require(try served.control("GET", "/state").json.objectValue)
        let places: [(String, (String) -> JSONObject)] = [
            (
                "$",
                { name in
                    var copy = document
                    copy.append(name, 1)
                    return copy
                }
            ),
            (
                "$.apis",
                { name in
                    var copy = document
                    var apis = copy["apis"]?.objectValue ?? [:]
                    apis.append(name, [:])
                    copy["apis"] = .object(apis)
                    return copy
                }
            ),
            (
                "$.clock",
                { name in
                    var copy = document
                    var clock = copy["clock"]?.objectValue ?? [:]
                    clock.append(name, 1)
                    copy["clock"] = .object(clock)
                    return copy
                }
            ),
        ]
        for (place, made) in places {
            try expectCut(place, status: 422) { try served.control("PUT", "/state", JSON.object(made($0)).text) }
        }
    }

    @Test func `17 a request that no recording has`() throws {
        let entry = #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}"#
        let folder = try Folder(["recordings/m.har": entry])
        let served = try Served(in: folder)
        let body = #"{"api":"omnichat","mode":"replay","recording":"m"}"#
        try expectEqual(served.control("PUT", "/mode", body).status, 200)
        try expectCut("path", first: "/", status: 404) { try get(served.api, $0) }
    }

    @Test func `17 the name of a field with a credential`() throws {
        let upstream = try KeepingUpstream()
        let served = try Served()
        let token = try served.token("refresh")
        let body = #"{"api":"omnichat","mode":"spy","upstream":"\#(upstream.url)"}"#
        try expectEqual(served.control("PUT", "/mode", body).status, 200)
        try expectCut("field", status: 409) { try get(served.api, "/x", ["\($0): \(token)"]) }
    }
}
