import TestSupport
import Testing
import Traffic

/// Filters of exchanges (console contract, section 14; clients contract, section 9).
@Suite struct TrafficFilterTests {
    private func line() -> TrafficLine {
        var line = TrafficLine()
        line.id = "req_12"
        line.api = "omnichat"
        line.method = "GET"
        line.route = "/api/v1/conversations/{id}"
        line.path = "/api/v1/conversations/conv_1"
        line.status = 404
        line.user = "anna@example.com"
        line.milliseconds = 12.5
        line.responseBytes = 2_048
        line.fault = "flt_1"
        line.scenario = "omnichat/file-gone"
        line.gate = "g1"
        return line
    }

    @Test(arguments: [
        "api:omnichat", "api:trendy|omnichat", "method:get", "path:/api/v1/conversations/*", "path:/api/**",
        "path:/api/v1/conversations/conv_*", "path:/api/v1/conversations/{id}", "path:**/conv_1",
        "route:/api/v1/conversations/{id}", "status:404", "status:4xx", "status:4XX|5xx", "user:Anna@example.com",
        "fault:flt_1", "fault:*", "scenario:omnichat/*", "gate:g1", "outcome:delivered", "outcome:cut|delivered",
        "ms:>12", "ms:<13", "ms:12.5", "size:>1k", "size:<1m", "size:2k", "size:2048", "id:req_12", "-status:5xx",
        "-is:held", "-is:replay", "-method:POST|PUT",
    ])
    func `14 a tag takes what fits it`(text: String) throws {
        #expect(try TrafficFilter([text]).takes(line()))
        let negated = text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text
        #expect(try !TrafficFilter([negated]).takes(line()))
    }

    @Test(arguments: [
        "path:/api/v1", "path:/api/*", "path:conversations", "status:40x|200", "ms:>12.5", "ms:<12.5", "size:>2k",
        "user:anna", "id:req_1", "is:held", "is:unmatched", "is:replay",
    ])
    func `14 a tag leaves out what does not`(text: String) {
        guard let filter = try? TrafficFilter([text]) else {
            #expect(text.hasPrefix("status:40x"))
            return
        }
        #expect(!filter.takes(line()))
    }

    @Test func `14 tags are joined by and, and other words are one phrase`() throws {
        let filter = try TrafficFilter(["api:omnichat", "not", "-status:5xx", "found"])
        expectEqual(filter.phrase, "not found")
        #expect(filter.takes(line()))
        #expect(try !TrafficFilter(["api:omnichat", "status:2xx"]).takes(line()))
        try expectNil(TrafficFilter([]).phrase)
        try expectEqual(TrafficFilter(text: "status:4xx  a b").phrase, "a b")
        var held = line()
        held.outcome = "held"
        #expect(try TrafficFilter(["is:held|replay"]).takes(held))
        var open = line()
        open.isUnmatched = true
        open.replayOf = "req_1"
        #expect(try TrafficFilter(["is:unmatched", "is:replay"]).takes(open))
        #expect(try TrafficFilter(["is:unmatched"]).asksForUnmatched)
    }

    @Test(arguments: [
        ("stauts:404", "did you mean status?"), ("http://x", "there is no key http"), ("status:", "needs a value"),
        ("status:40", "status is a number such as 404"), ("status:4x", "a class such as 4xx"),
        ("status:2xx|", "needs a value"), ("is:helt", "did you mean held?"),
        ("outcome:done", "outcome is one of delivered"),
        ("ms:>", "ms takes a number"), ("ms:fast", "such as >100"), ("ms:1k", "ms takes a number"),
        ("size:>10g", "such as >10k or <1m"), ("size:.5k", "size takes a number"), ("-foo:1", "there is no key foo"),
    ])
    func `14 what is no filter is refused with the nearest`(text: String, reason: String) {
        #expect(throws: FilterRefusal.self) { try TrafficFilter([text]) }
        do throws(FilterRefusal) {
            _ = try TrafficFilter([text])
        } catch {
            #expect(error.description.hasPrefix("\"\(text)\": "))
            #expect(error.reason.contains(reason), "\(error.reason)")
        }
    }

    @Test func `14 a phrase has at most 256 characters`() throws {
        try expectEqual(TrafficFilter([String(repeating: "x", count: 256)]).phrase?.count, 256)
        #expect(throws: FilterRefusal.self) { try TrafficFilter([String(repeating: "x", count: 257)]) }
    }

    @Test func `14 a pattern full of stars ends soon`() throws {
        var long = line()
        long.path = "/" + String(repeating: "a/", count: 2_000)
        let stars = String(repeating: "**/", count: 30)
        #expect(try !TrafficFilter(["path:/\(stars)b"]).takes(long))
        long.user = String(repeating: "a", count: 5_000)
        #expect(try !TrafficFilter(["user:" + String(repeating: "*a", count: 40) + "*b"]).takes(long))
    }
}
