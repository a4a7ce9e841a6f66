import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 17: bodies in the making, and what is decided before any content is read.
@Suite(.serialized) struct IntakeTests {
    private func head(_ method: String, _ target: String, _ length: Int, _ fields: [String] = []) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1"]
        if !fields.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: 127.0.0.1") }
        if !fields.contains(where: { $0.hasPrefix("Content-Type:") }) { lines.append("Content-Type: application/json") }
        if length >= 0 { lines.append("Content-Length: \(length)") }
        return Array((lines + fields + ["", ""]).joined(separator: "\r\n").utf8)
    }

    @Test func `17 control calls are refused by their heads, before any content is read`() throws {
        let served = try Served(Served.frozen + ["--admin-token", "secret-token-of-the-test"])
        let token = "Authorization: Bearer secret-token-of-the-test"
        let orders: [(status: Int, method: String, path: String, fields: [String])] = [
            (401, "POST", "/faults", []), (401, "POST", "/nope", []),
            (401, "POST", "/faults", ["Content-Type: text/plain"]),
            (401, "GET", "/state", []), (401, "DELETE", "/nope", []), (401, "PUT", "/state", []),
            (421, "POST", "/faults", ["Host: evil.test"]), (421, "POST", "/nope", [token, "Host: evil.test"]),
            (403, "POST", "/faults", [token, "Origin: http://evil.test"]),
            (404, "POST", "/nope", [token]), (404, "GET", "/nope/too", [token]), (405, "PATCH", "/faults", [token]),
            (405, "POST", "/health", [token]),
            (415, "POST", "/faults", [token, "Content-Type: text/plain"]),
            (415, "PUT", "/state", [token, "Content-Type: application/json; charset=latin-1"]),
        ]
        for order in orders {
            for expects in [[], ["Expect: 100-continue"]] {
                for framing in [500_000, -1] {
                    let fields = order.fields + expects + (framing < 0 ? ["Transfer-Encoding: chunked"] : [])
                    let wire = try Wire(port: served.hub)
                    try wire.send(head(order.method, "/__admin" + order.path, framing, fields))
                    let answer = try wire.answer()
                    expectEqual(answer.status, order.status, "\(order) \(fields) \(answer.text)")
                    expectEqual(answer["Content-Type"], "application/problem+json")
                }
            }
        }
        let wire = try Wire(port: served.hub)
        try wire.send(head("POST", "/__admin/faults", (2 << 20) + 1, [token, "Expect: 100-continue"]))
        try expectEqual(wire.answer().status, 413)
        let fits = try Wire(port: served.hub)
        try fits.send(head("POST", "/__admin/requests/count", 2, [token, "Expect: 100-continue"]))
        try expectEqual(fits.answer().status, 100)
        try fits.send(Array("{}".utf8))
        try expectEqual(fits.answer().status, 200)
    }

    @Test func `17 a client that sends all of a refused body still gets its answer, and may go on`() throws {
        let served = try Served()
        for (path, type, status) in [("/faults", "text/plain", 415), ("/nope", "application/json", 404)] {
            let wire = try Wire(port: served.hub)
            let body = [UInt8](repeating: 0x20, count: 5 << 20)
            try wire.send(Wire.request("POST", "/__admin" + path, body: body, type: type))
            try expectEqual(wire.answer().status, status)
            try expectEqual(wire.ask("GET", "/__admin/health").status, 200)
        }
    }

    /// A request to CarbScan, whose bodies may have 20 MiB.
    private static let upload = "/carbscan/api/mobile/v1/analyze"

    @Test func `17 beyond the memory for bodies the newest are 503, and the others go on`() throws {
        let served = try Served(Served.frozen + ["--limit", "bodies=1000000"])
        let half = [UInt8](repeating: 0x20, count: 400_000)
        let early = try [Wire(port: served.hub), Wire(port: served.hub)]
        for wire in early { try wire.send(head("POST", Self.upload, 440_000) + half) }
        // They are there when something that comes behind them on a connection of its own has been answered.
        try expectEqual(served.control("GET", "/health").status, 200)
        for (target, type) in [(Self.upload, "application/json"), ("/__admin/faults", "application/problem+json")] {
            let late = try Wire(port: served.hub)
            try late.send(head("POST", target, 440_000) + half)
            let answer = try late.answer()
            expectEqual(answer.status, 503, "\(target) \(answer.text)")
            #expect(answer["Retry-After"] != nil)
            expectEqual(answer["Content-Type"]?.hasPrefix(type), true, "\(answer.fields)")
            // What is left of it is thrown away, and the connection stays.
            try late.send([UInt8](repeating: 0x20, count: 40_000))
            try expectEqual(late.ask("GET", "/__admin/health").status, 200)
        }
        let small = try Wire(port: served.hub).ask("POST", "/__admin/requests/count", body: Array("{}".utf8))
        expectEqual(small.status, 200)
        for wire in early {
            try wire.send([UInt8](repeating: 0x20, count: 40_000))
            try expectEqual(wire.answer().status, 401)
        }
        // All has been given back.
        let whole = try Wire(port: served.hub)
        try whole.send(head("POST", Self.upload, 900_000) + [UInt8](repeating: 0x20, count: 900_000))
        try expectEqual(whole.answer().status, 401)
    }

    @Test func `17 the memory for bodies at n and n + 1`() throws {
        let served = try Served(Served.frozen + ["--limit", "bodies=300000"])
        for _ in 0..<3 {
            for (count, status) in [(300_000, 401), (300_001, 503)] {
                let wire = try Wire(port: served.hub)
                try wire.send(head("POST", Self.upload, count) + [UInt8](repeating: 0x20, count: count))
                let answer = try wire.answer()
                expectEqual(answer.status, status, "\(count) \(answer.text)")
            }
        }
    }

    @Test func `17 worlds are imported one at a time, in memory of their own`() throws {
        let served = try Served(Served.frozen + ["--limit", "bodies=100000"])
        let state = Array(try served.control("GET", "/state").text.utf8)
        #expect(state.count > 100_000)
        let first = try Wire(port: served.hub)
        try first.send(head("PUT", "/__admin/state", state.count) + state.prefix(state.count / 2))
        try expectEqual(served.control("GET", "/health").status, 200)
        let second = try Wire(port: served.hub)
        try second.send(head("PUT", "/__admin/state", state.count))
        let refused = try second.answer()
        expectEqual(refused.status, 503)
        #expect(refused["Retry-After"] != nil)
        // Others are not counted with it.
        let body = [UInt8](repeating: 0x20, count: 90_000)
        try expectEqual(Wire(port: served.hub).ask("POST", Self.upload, body: body).status, 401)
        try first.send(Array(state.suffix(state.count - state.count / 2)))
        try expectEqual(first.answer().status, 200)
        try expectEqual(Wire(port: served.hub).ask("PUT", "/__admin/state", body: state).status, 200)
        // Nor does one that was left keep the place.
        let left = try Wire(port: served.hub)
        try left.send(head("PUT", "/__admin/state", state.count) + state.prefix(1_000))
        try expectEqual(served.control("GET", "/health").status, 200)
        left.abort()
        var status = 503
        try Deadline().wait(for: "the place of the one that left") {
            status = try Wire(port: served.hub).ask("PUT", "/__admin/state", body: state).status
            return status == 200
        }
        expectEqual(status, 200)
    }

    @Test func `17 a long body is whole, whatever pieces it comes in`() throws {
        let served = try Served()
        var seed = UInt64.random(in: 1...UInt64.max)
        print("IntakeTests seed \(seed)")
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        /// The length and the digest of the body that was sent last.
        func kept() throws -> String {
            let entry = try served.control("GET", "/requests?limit=1").json["items"]?.arrayValue?.first
            return "\(entry?["body"]?["bytes"]?.text ?? "") \(entry?["body"]?["sha256"]?.text ?? "")"
        }
        for _ in 0..<6 {
            let count = 70_000 + next(900_000)
            let letters = String(decoding: (0..<count).map { _ in UInt8(0x61 + next(26)) }, as: UTF8.self)
            let body = Array(#"{"x":"\#(letters)"}"#.utf8)
            _ = try Wire(port: served.hub).ask("POST", "/omnichat/api/v1/auth/apple", body: body)
            let expected = try kept()
            #expect(expected.hasPrefix("\(body.count) \""), "\(expected)")
            for isChunked in [false, true] {
                let framing = isChunked ? ["Transfer-Encoding: chunked"] : []
                var bytes = head("POST", "/omnichat/api/v1/auth/apple", isChunked ? -1 : body.count, framing)
                if isChunked {
                    var rest = body[...]
                    while !rest.isEmpty {
                        let part = rest.prefix(1 + next(200_000))
                        bytes += Array("\(String(part.count, radix: 16))\r\n".utf8) + part + [0x0D, 0x0A]
                        rest = rest.dropFirst(part.count)
                    }
                    bytes += Array("0\r\n\r\n".utf8)
                } else {
                    bytes += body
                }
                let wire = try Wire(port: served.hub)
                while !bytes.isEmpty {
                    let part = bytes.prefix(1 + next(150_000))
                    try wire.send(Array(part))
                    bytes.removeFirst(part.count)
                }
                _ = try wire.answer()
                try expectEqual(kept(), expected, "chunked \(isChunked)")
            }
        }
    }
}
