import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 11: the journal entry of a client that does not wait for its response.
@Suite(.serialized) struct LeavingTests {
    private func outcome(_ served: Served) throws -> String? {
        try served.control("GET", "/requests?limit=1").json["items"]?.arrayValue?.first?["outcome"]?.stringValue
    }

    private func leave(_ served: Served) throws {
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations"))
        try Deadline().wait(for: "the request") { try outcome(served) == "held" }
        wire.close()
        try Deadline().wait(for: "its end") { try outcome(served) == "interrupted" }
    }

    @Test func `11 a client that gives up during a delay has interrupted it, before the delay ends and after`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":30000}}}"#)
        try leave(served)
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":30}"#).json["fired"], 1)
        try expectEqual(served.control("GET", "/health").status, 200)
        try expectEqual(outcome(served), "interrupted")
    }

    @Test func `11 a client that gives up at a gate has interrupted it, before it is let go and after`() throws {
        let served = try Served()
        _ = try served.control("POST", "/gates", #"{"name":"g1"}"#)
        try leave(served)
        try expectEqual(served.control("DELETE", "/gates/g1").status, 204)
        try expectEqual(outcome(served), "interrupted")
    }
}
