import JSON
import TestSupport
import Testing

/// Section 16 of the conduct contract: judging goes on where it was.
@Suite struct ConductJournalTests {
    @Test func `conduct 16 what is judged beside an exchange under way is what is judged at once`() throws {
        let served = try Served()
        let token = try served.token()
        func report() throws -> String { try served.control("GET", "/conduct").text }
        /// The report of one who has judged nothing so far.
        func anew() throws -> String {
            for grace in [101, 100] {
                _ = try served.control("PUT", "/settings", #"{"conduct":{"graceMs":\#(grace)}}"#)
                if grace == 101 { _ = try report() }
            }
            return try report()
        }
        func behave(_ name: String) throws {
            for _ in 0..<2 { _ = try served.chat("GET", "/nowhere-\(name)", token: token) }
            _ = try served.chat("GET", "/conversations?limit=1&n=\(name)", token: token)
        }
        try behave("before")
        _ = try report()
        _ = try served.control("POST", "/gates", #"{"name":"g","match":{"path":"/api/v1/user/profile"}}"#)
        let held = try Wire(port: served.api)
        try held.send(Wire.request("GET", "/api/v1/user/profile", token: token))
        try Deadline().wait(for: "the held request") {
            try served.control("GET", "/gates").json["items"]?[0]?["held"]?.arrayValue?.count == 1
        }
        for name in ["a", "b", "c"] {
            try behave(name)
            #expect(try report().contains("/nowhere-\(name)"))
        }
        // The outcome of an exchange may be noted a moment after its answer was read.
        try Deadline().wait(for: "the same report beside the held request") { try report() == anew() }
        let beside = try report()
        _ = try served.control("POST", "/gates/g/release")
        try expectEqual(held.answer(toHead: false).status, 200)
        try behave("after")
        try Deadline().wait(for: "the same report in the end") { try report() == anew() }
        #expect(try report() != beside)
    }
}
