import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, own credentials stay here: those that came with a seed, a document or a store, and that
/// no answer of this process has issued.
@Suite(.serialized) struct SeedSecretTests {
    /// The QR token of the built-in seed of trafikskola.
    private static let seeded = "sqr_9cc68b962854d67303c804aad5389506"
    private static let given = "sqr_0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    private static let later = "qlt_demo_anna_0123456789"
    private static let apis = Checkout.apis
    private static let archive =
        #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}"#

    private let upstream: KeepingUpstream
    private let folder: Folder

    init() throws {
        upstream = try KeepingUpstream()
        folder = try Folder(["recordings/m.har": Self.archive])
    }

    private func order(_ served: Served, _ api: String = "trendy", _ mode: String = "spy", _ more: String = "") throws {
        let body = #"{"api":"\#(api)","mode":"\#(mode)","upstream":"\#(upstream.url)"\#(more)}"#
        let answer = try served.control("PUT", "/mode", body)
        expectEqual(answer.status, 200, "\(answer.text)")
    }

    /// Sends a secret in a few places, and expects that none of it reaches the backend.
    private func expectRefused(_ secret: String, _ served: Served, _ api: String = "trendy", world: String = "main")
        throws
    {
        let before = upstream.requests.count
        for carrier in [
            Carrier(name: "JSON", method: "POST", body: Array(#"{"token":"\#(secret)"}"#.utf8)),
            Carrier(name: "glued", method: "POST", body: Array("see:x\(secret)y".utf8)),
            Carrier(name: "query", path: "/x?code=\(secret)"),
            Carrier(name: "field", fields: ["X-Code: \(secret)"]),
            Carrier(name: "Base64", fields: ["X-Code: \(Data("u:\(secret)".utf8).base64EncodedString())"]),
        ] {
            var carrier = carrier
            if world != "main" { carrier.path = "/@\(world)" + carrier.path }
            let wire = try Wire(port: try served.port(of: api))
            try wire.send(carrier.wire)
            let answer = try wire.answer()
            expectEqual(answer.json["type"], "/__admin/problems/own-credential", "\(carrier.name) \(answer.status)")
        }
        expectEqual(upstream.requests.count, before)
    }

    private func expectPassed(_ text: String, _ served: Served) throws {
        let before = upstream.requests.count
        let wire = try Wire(port: try served.port(of: "trendy"))
        try wire.send(Carrier(name: "", method: "POST", body: Array(#"{"token":"\#(text)"}"#.utf8)).wire)
        try expectEqual(wire.answer().status, 200)
        expectEqual(upstream.requests.count, before + 1)
    }

    @Test(arguments: Self.apis)
    func `13 what the seed of one API holds is refused by all that have an upstream`(api: String) throws {
        let served = try Served(in: folder)
        for (mode, more) in [
            ("spy", ""), ("diff", ""), ("record", ""), ("record-missing", #","recording":"m.har""#),
            ("replay", #","recording":"m.har","miss":"forward""#),
        ] {
            try order(served, api, mode, more)
            try expectRefused(Self.seeded, served, api)
        }
        #expect(upstream.requests.isEmpty)
    }

    @Test func `13 an API that is not served has secrets too`() throws {
        let served = try Served(["--api", "trendy"], in: folder)
        try order(served)
        try expectRefused(Self.seeded, served)
    }

    @Test func `13 it holds for worlds of another seed, restored and imported ones`() throws {
        let served = try Served(in: folder)
        try order(served)
        try expectEqual(served.control("POST", "/worlds", #"{"name":"other","seed":7}"#).status, 201)
        try expectRefused(Self.seeded, served, world: "other")
        try expectEqual(served.control("POST", "/snapshots", #"{"name":"a"}"#).status, 201)
        try expectEqual(served.control("POST", "/snapshots/a/restore").status, 200)
        try expectRefused(Self.seeded, served)
        try expectEqual(served.control("POST", "/reset").status, 200)
        try expectRefused(Self.seeded, served)
    }

    @Test func `13 every secret of an imported world is refused, whatever its form`() throws {
        let served = try Served(in: folder)
        try order(served)
        var document = try #require(try served.control("GET", "/state").json.objectValue)
        let rows: [(api: String, part: String, row: JSONObject, secret: String)] = [
            (
                "trafikskola", "quickLogins",
                [
                    "id": "sqr_lesson_12345678", "userId": "eb511794-80e9-4d52-8d05-98ee00071e5c",
                    "expiresAt": "T0+PT300S",
                ], "sqr_lesson_12345678"
            ),
            (
                "trafikskola", "payments",
                [
                    "id": "pay_1", "invoiceId": "inv_1", "method": "swish", "token": "swishPay0123456789",
                    "initiatedAt": "2025-01-01T12:00:00.000Z", "status": "pending",
                ], "swishPay0123456789"
            ),
            (
                "sawaed", "chatSessions",
                [
                    "id": "sess_of_a_lesson_77", "sentAt": "2025-01-01T12:00:00.000Z", "pace": 100, "pieces": [],
                    "ending": "done",
                ],
                "sess_of_a_lesson_77"
            ),
        ]
        var apis = try #require(document["apis"]?.objectValue)
        for (api, part, row, _) in rows {
            var state = try #require(apis[api]?.objectValue)
            state[part] = .array((state[part]?.arrayValue ?? []) + [.object(row)])
            apis[api] = .object(state)
        }
        document["apis"] = .object(apis)
        let answer = try served.control("PUT", "/state", JSON.object(document).text)
        expectEqual(answer.status, 200, "\(answer.text)")
        for row in rows { try expectRefused(row.secret, served) }
        try expectPassed("sqr_lesson", served)
    }

    // MARK: Seeds of files

    /// A set of seeds with another QR token.
    private func write(_ token: String) throws {
        for file in try Checkout.seeds("trafikskola") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            try folder.write("s/trafikskola/\(file.name)", text.replacingOccurrences(of: Self.seeded, with: token))
        }
    }

    @Test func `13 it holds for seeds of files, before and after they change`() throws {
        try write(Self.given)
        let served = try Served(["--seeds", "s", "--watch"], in: folder)
        try expectEqual(served.control("POST", "/worlds", #"{"name":"old"}"#).status, 201)
        try order(served)
        for secret in [Self.seeded, Self.given] { try expectRefused(secret, served) }
        try expectPassed(Self.later, served)
        try write(Self.later)
        try Deadline().wait(for: "the reload") { try served.control("GET", "/state").text.contains(Self.later) }
        for secret in [Self.seeded, Self.given, Self.later] { try expectRefused(secret, served, world: "old") }
    }

    @Test func `13 it holds for seeds that changed before there was an upstream`() throws {
        try write(Self.given)
        let served = try Served(["--seeds", "s", "--watch"], in: folder)
        try write(Self.later)
        try Deadline().wait(for: "the reload") { try served.control("GET", "/state").text.contains(Self.later) }
        try order(served)
        for secret in [Self.seeded, Self.given, Self.later] { try expectRefused(secret, served) }
    }

    @Test func `13 a stored world keeps the secrets of seeds that are no longer named`() throws {
        try write(Self.given)
        for flags in [["--seeds", "s"], []] {
            let served = try Served(flags + ["--state", "state"], in: folder)
            #expect(try served.control("GET", "/state").text.contains(Self.given))
            try expectEqual(served.control("POST", "/worlds", #"{"name":"w\#(flags.count)"}"#).status, 201)
            try order(served)
            for secret in [Self.seeded, Self.given] { try expectRefused(secret, served) }
            served.child.signal(9)
            _ = try served.child.waitForExit()
        }
    }
}
