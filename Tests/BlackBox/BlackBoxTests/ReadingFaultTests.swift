import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 8 and 17: faults that read an answer's content hold no other connection up, whatever is hidden
/// in its coding.
@Suite(.serialized) struct ReadingFaultTests {
    /// Milliseconds.
    private static let allowance = ProcessInfo.processInfo.environment["CI"] == nil ? 10.0 : 20

    private static let rows = 60_000
    private static let plain =
        "[" + (0..<rows).map { #"{"id":\#($0),"name":"user \#($0 % 50)","on":true}"# }.joined(separator: ",") + "]"
    private static let drifted =
        "[" + (0..<rows).map { #"{"id":\#($0),"name":"x","on":true}"# }.joined(separator: ",") + "]"

    /// The effects, and what they make of the content.
    private static let effects = [
        (#"{"drift":{"set":"*.name","to":"x"}}"#, drifted),
        (#"{"body":"invalid-json"}"#, plain.dropLast() + ",]}"),
        (#"{"body":"truncated-json"}"#, String(decoding: plain.utf8.prefix(plain.utf8.count / 2), as: UTF8.self)),
    ]

    private let served: Served
    private let port: Int

    init() throws {
        served = try Served(
            Served.frozen + ["--apis", "apis", "--api", "shop"],
            in: try Folder(["apis/shop/api.json": "{}"])
        )
        let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
        port = try #require(text.split(separator: ":").last.flatMap { Int($0) })
        let packed = Data(Deflate.compress(Array(Self.plain.utf8), .gzip) ?? []).base64EncodedString()
        let fields = #"{"Content-Type":"application/json","Content-Encoding":"gzip"}"#
        try order(
            "POST",
            "/stubs?api=shop",
            #"{"match":{"path":"/long"},"response":{"headers":\#(fields),"base64":"\#(packed)"}}"#
        )
    }

    private func order(_ method: String, _ path: String, _ body: String = "") throws {
        let answer = try served.control(method, path, body)
        guard answer.status < 300 else { throw TestError(description: answer.text) }
    }

    private func begin(_ target: String = "/long", _ fields: [String] = []) throws -> Wire {
        let wire = try Wire(port: port)
        try wire.send(Wire.request("GET", target, fields: fields))
        return wire
    }

    /// Holds that an answer is what it should be, and that nobody waits for it.
    private func holds(_ content: String, _ what: String, _ work: () throws -> WireAnswer) throws {
        let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
            let answer = try work()
            let plain = try answer.plain()
            let isRight = plain == content
            #expect(isRight, "\(what): \(plain.prefix(80))")
        }
        #expect(isFree, "\(what)")
    }

    @Test(arguments: ["after", "before"])
    func `17 what faults read of a coded answer is read by a worker`(phase: String) throws {
        for (effect, content) in Self.effects {
            try order("POST", "/faults?api=shop", #"{"phase":"\#(phase)","effect":\#(effect)}"#)
            try holds(content, effect) { try begin().answer() }
            try order("DELETE", "/faults")
        }
    }

    @Test func `17 so is what preferences order`() throws {
        for word in ["invalid-json", "truncated-json"] {
            let content = try #require(Self.effects.first { $0.0.contains(word) }).1
            try holds(content, word) { try begin("/long", ["Prefer: fault=\(word)"]).answer() }
        }
    }

    @Test(arguments: ["after", "before"])
    func `17 so is what the release of a gate orders`(phase: String) throws {
        for (effect, content) in Self.effects {
            try order("POST", "/gates?api=shop", #"{"name":"g","phase":"\#(phase)"}"#)
            try holds(content, effect) {
                let held = try begin()
                try Deadline().wait(for: "the gate") {
                    try served.control("GET", "/gates").json["items"]?[0]?["held"]?.arrayValue?.count == 1
                }
                try order("POST", "/gates/g/release", #"{"effect":\#(effect)}"#)
                return try held.answer()
            }
            try order("DELETE", "/gates/g")
        }
    }

    @Test func `17 a preference leaves a long answer to its worker`() throws {
        let filled = JSON.string(String(repeating: "{{query.q | base64}}", count: 1_000)).text
        try order("POST", "/stubs?api=shop", #"{"match":{"path":"/filled"},"response":{"text":\#(filled)}}"#)
        let target = "/filled?q=" + String(repeating: "z", count: 5_000)
        let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
            try expectEqual(begin(target, ["Prefer: wait=0"]).answer()["Preference-Applied"], "wait=0")
        }
        #expect(isFree)
    }

    @Test func `17 so is what faults read that do not act`() throws {
        for fault in [
            #"{"when":{"skip":1000},"effect":{"drift":{"set":"*.name","to":"x"}}}"#,
            #"{"effect":{"drift":{"remove":"*.none"}}}"#,
        ] {
            try order("POST", "/faults?api=shop", fault)
            let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
                try expectEqual(begin().answer()["Content-Encoding"], "gzip")
            }
            #expect(isFree, "\(fault)")
            try order("DELETE", "/faults")
        }
    }
}
