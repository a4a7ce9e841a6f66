import JSON
import TestSupport
import Testing

/// Control contract, sections 8 and 13: faults on chunked answers of a backend and of a recording, empty ones included.
@Suite(.serialized) struct ChunkedFaultTests {
    private static func chunked(_ pieces: [String], type: String = "application/json", more: String = "") -> String {
        let content = pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        return
            "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(more)Transfer-Encoding: chunked\r\n\r\n\(content)0\r\n\r\n"
    }

    private static let drift = #"{"drift":{"set":"a","to":2}}"#

    private static let onContent = [
        #"{"body":"truncated-json"}"#, #"{"body":"invalid-json"}"#, #"{"body":"empty"}"#,
        #"{"body":"wrong-content-type"}"#, #"{"connection":"truncate"}"#, #"{"connection":"malformed-chunk"}"#,
        #"{"connection":"reset","afterBytes":5}"#, #"{"dribble":{"chunks":2,"overMs":10}}"#,
        #"{"throttle":{"bytesPerSecond":100000}}"#, drift,
    ]

    private func served(_ backend: SilentBackend, _ mode: String) throws -> Served {
        let served = try Served(in: try Folder())
        let order = #"{"mode":"\#(mode)","upstream":"\#(backend.url)"}"#
        try expectEqual(served.control("PUT", "/mode?api=omnichat", order).status, 200)
        return served
    }

    private func fault(_ served: Served, _ effect: String) throws {
        _ = try served.control("DELETE", "/faults")
        let answer = try served.control("POST", "/faults", #"{"when":{"times":1},"effect":\#(effect)}"#)
        expectEqual(answer.status, 201, answer.text)
    }

    private func hits(_ served: Served) throws -> Int64? {
        try served.control("GET", "/faults").json["items"]?[0]?["hits"]?.intValue
    }

    private func reason(_ served: Served) throws -> String? {
        let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        return entry?["decisions"]?[0]?["reason"]?.stringValue
    }

    @Test(arguments: ["record", "spy"])
    func `8 JSON that a backend sends in chunks drifts as any other`(mode: String) throws {
        let backend = try SilentBackend([
            "one": Self.chunked([#"{"a":1}"#]), "many": Self.chunked([#"{"#, #""a""#, ":1", "}"]),
            "close": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\":1}",
            "trailers": Self.chunked([#"{"a":1}"#], more: "Trailer: X-Sum\r\n").replacingEnd(
                "0\r\n\r\n",
                with: "0\r\nX-Sum: 7\r\n\r\n"
            ),
        ])
        let served = try served(backend, mode)
        for name in ["one", "many", "close", "trailers"] {
            try fault(served, Self.drift)
            try expectEqual(Wire(port: served.api).ask("GET", "/raw/\(name)").text, #"{"a":2}"#, name)
            try expectEqual(hits(served), 1, name)
            try expectEqual(Wire(port: served.api).ask("GET", "/raw/\(name)").text, #"{"a":1}"#, name)
        }
    }

    @Test func `8 JSON that is replayed in chunks drifts as any other, coded or not`() throws {
        let chunked = [(name: "Content-Type", value: "application/json"), ("Transfer-Encoding", "chunked")]
        // {"a":1} by gzip.
        let gzip = "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAA"
        let archive = SmallArchive.text([
            SmallArchive.entry("https://api.example.com/plain", fields: chunked, text: #"{"a":1}"#),
            SmallArchive.entry(
                "https://api.example.com/coded",
                fields: chunked + [("Content-Encoding", "gzip")],
                text: gzip,
                content: [("encoding", "base64")]
            ),
        ])
        let folder = try Folder(["recordings/a.har": archive])
        let served = try Served(in: folder)
        let order = #"{"mode":"replay","recording":"a"}"#
        try expectEqual(served.control("PUT", "/mode?api=omnichat", order).status, 200)
        for path in ["/plain", "/coded"] {
            for (effect, text) in [(Self.drift, #"{"a":2}"#), (#"{"body":"invalid-json"}"#, #"{"a":1,]}"#)] {
                try fault(served, effect)
                let answer = try Wire(port: served.api).ask("GET", path)
                try expectEqual(path == "/coded" ? answer.plain() : answer.text, text, "\(path) \(effect)")
                expectEqual(answer["Content-Encoding"], path == "/coded" ? "gzip" : nil, path)
                try expectEqual(hits(served), 1, "\(path) \(effect)")
            }
        }
    }

    @Test(arguments: ["record", "spy"])
    func `8 an empty answer in chunks uses up nothing, and its client gets it`(mode: String) throws {
        let backend = try SilentBackend([
            "empty": Self.chunked([]), "text": Self.chunked([], type: "text/plain"),
            "close": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", "full": Self.chunked([#"{"a":1}"#]),
        ])
        let served = try served(backend, mode)
        for effect in Self.onContent {
            try fault(served, effect)
            for name in ["empty", "text", "close"] {
                let answer = try Wire(port: served.api).ask("GET", "/raw/\(name)")
                expectEqual(answer.status, 200, "\(effect) \(name)")
                expectEqual(answer.bytes, [], "\(effect) \(name)")
                try expectEqual(hits(served), 0, "\(effect) \(name)")
                try expectEqual(reason(served), "no content", "\(effect) \(name)")
            }
            let wire = try Wire(port: served.api)
            try wire.send(Wire.request("GET", "/raw/full"))
            _ = try? wire.answer()
            try expectEqual(hits(served), 1, effect)
        }
    }

    @Test func `8 a throttle waits for the first piece alone, and a stream goes on piece by piece`() throws {
        let backend = try SilentBackend()
        let served = try served(backend, "spy")
        try fault(served, #"{"throttle":{"bytesPerSecond":100000}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/begin"))
        // The backend never ends it.
        try wire.wait(for: "data: first")
        try expectEqual(hits(served), 1)
    }
}

extension String {
    fileprivate func replacingEnd(_ end: String, with other: String) -> String {
        hasSuffix(end) ? dropLast(end.count) + other : self
    }
}
