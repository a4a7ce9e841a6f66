import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 11: clients that leave while a fault keeps them waiting, whatever it does at last.
@Suite(.serialized) struct LeavingUnderFaultTests {
    private static let delay = #"{"effect":{"delay":{"ms":60000}},"on":"world"}"#

    /// Faults whose waits the world's clock alone ends.
    private static let cases: [(name: String, faults: [String])] = [
        ("stall", [#"{"effect":{"connection":"stall","forMs":60000},"on":"world"}"#]),
        ("reset", [delay, #"{"effect":{"connection":"reset"}}"#]),
        ("empty", [delay, #"{"effect":{"connection":"empty"}}"#]),
        ("truncate", [delay, #"{"effect":{"connection":"truncate","afterBytes":10}}"#]),
        ("reset in the middle", [delay, #"{"effect":{"connection":"reset","afterBytes":10}}"#]),
        ("malformed chunk", [delay, #"{"effect":{"connection":"malformed-chunk"}}"#]),
        ("garbage", [delay, #"{"effect":{"connection":"garbage"}}"#]),
    ]

    private func entry(_ served: Served) throws -> JSON? {
        try served.control("GET", "/requests?limit=1").json["items"]?[0]
    }

    private func date(_ text: String?) throws -> Date {
        let parts = try #require(text).dropLast().split(separator: ".").map(String.init)
        let seconds = ISO8601DateFormatter().date(from: parts[0] + "Z")
        return try #require(seconds).addingTimeInterval(Double("0.\(parts[1])") ?? 0)
    }

    @Test func `11 a client that left while a fault kept it waiting is interrupted at its end, not cut later`() throws {
        let served = try Served()
        for (name, faults) in Self.cases {
            _ = try served.control("DELETE", "/faults")
            for fault in faults { try expectEqual(served.control("POST", "/faults", fault).status, 201, fault) }
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", "/api/v1/models"))
            try Deadline().wait(for: name) { try entry(served)?["outcome"] == "held" }
            wire.close()
            // It is seen to have ended its side before the fault goes on.
            try Deadline().wait(for: "its end") { try entry(served)?["outcome"] == "interrupted" }
            let before = Date()
            try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":61}"#).status, 200)
            try Deadline().wait(for: "the end of \(name)") { try entry(served)?["endedAt"] != nil }
            let found = try #require(try entry(served))
            expectEqual(found["outcome"], "interrupted", name)
            let ended = try date(found["endedAt"]?.stringValue)
            #expect(ended < before.addingTimeInterval(0.001), "\(name): \(ended) \(before)")
            expectEqual(found["responseBody"]?["bytes"], 0, name)
        }
    }

    @Test func `11 a client that has half closed gets what the fault sends, and its exchange is cut`() throws {
        let served = try Served()
        for (name, faults) in Self.cases where ["truncate", "malformed chunk", "garbage"].contains(name) {
            _ = try served.control("DELETE", "/faults")
            for fault in faults { try expectEqual(served.control("POST", "/faults", fault).status, 201, fault) }
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", "/api/v1/models"))
            try Deadline().wait(for: name) { try entry(served)?["outcome"] == "held" }
            wire.endSending()
            try Deadline().wait(for: "its end") { try entry(served)?["outcome"] == "interrupted" }
            try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":61}"#).status, 200)
            try wire.waitForEnd()
            #expect(!wire.received.isEmpty, "\(name)")
            try Deadline().wait(for: "the end of \(name)") { try entry(served)?["endedAt"] != nil }
            try expectEqual(entry(served)?["outcome"], "cut", name)
        }
        // One that still listens is reset, as the fault says.
        _ = try served.control("DELETE", "/faults")
        for fault in [Self.delay, #"{"effect":{"connection":"reset"}}"#] {
            try expectEqual(served.control("POST", "/faults", fault).status, 201)
        }
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/models"))
        try Deadline().wait(for: "the request") { try entry(served)?["outcome"] == "held" }
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":61}"#).status, 200)
        try wire.waitForEnd()
        #expect(wire.wasReset)
        try Deadline().wait(for: "the end") { try entry(served)?["outcome"] == "cut" }
    }
}
