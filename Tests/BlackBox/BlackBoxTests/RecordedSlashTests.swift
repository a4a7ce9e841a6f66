import Foundation
import JSON
import TestSupport
import Testing

/// Slashes of recordings in an API's folder, and the limits of files (wire contract, sections 1 and 6).
@Suite(.serialized) struct RecordedSlashTests {
    private static func archive() -> String {
        CustomAPIRecordingTests.archive([
            ("GET", "/plain?a=1", "", "plain"), ("GET", "/slashed/", "", "slashed"), ("GET", "/both", "", "one"),
            ("GET", "/both/", "", "two"), ("POST", "/post", #"{"a":1}"#, "posted"),
        ])
    }

    @Test(arguments: [
        (nil, "200 plain", "200 slashed", "200 posted"), ("either", "200 plain", "200 slashed", "200 posted"),
        ("strict", "404 ", "404 ", "404 "), ("redirect", "301 /plain?a=1", "301 /slashed/", "307 /post"),
    ])
    func `6 a recording has the form that was recorded`(
        slashes: String?,
        plain: String,
        slashed: String,
        posted: String
    ) throws {
        let member = slashes.map { "{\"slashes\":\"\($0)\"}" } ?? "{}"
        let folder = try Folder(["apis/shop/api.json": member, "apis/shop/recordings/a.har": Self.archive()])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let port = try #require(
            served.ready["apis"]?["shop"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        )
        func ask(_ method: String, _ path: String, _ body: String = "") throws -> String {
            let wire = try Wire(port: port)
            try wire.send(Wire.request(method, path, body: Array(body.utf8)))
            let answer = try wire.answer(toHead: method == "HEAD")
            let place = answer["Location"]?.components(separatedBy: "127.0.0.1").last
            if answer.status == 404 {
                #expect(answer.text.contains("differs by the slash at its end"), "\(answer.text)")
                return "404 "
            }
            return "\(answer.status) \(place ?? answer.text)"
        }
        try expectEqual(ask("GET", "/plain?a=1"), "200 plain")
        try expectEqual(ask("GET", "/slashed/"), "200 slashed")
        try expectEqual(ask("GET", "/both"), "200 one")
        try expectEqual(ask("GET", "/both/"), "200 two")
        try expectEqual(ask("GET", "/plain/?a=1"), plain)
        try expectEqual(ask("GET", "/slashed"), slashed)
        try expectEqual(ask("POST", "/post/", #"{"a":1}"#), posted)
        if slashes != "strict" { try expectEqual(ask("HEAD", "/slashed").prefix(3), slashed.prefix(3)) }
    }

    /// Files of some lengths, which take no place on the disk.
    private static func folder(_ lengths: [Int]) throws -> Folder {
        let folder = try Folder(["apis/shop/api.json": "{}", "apis/shop/files/none": ""])
        for (place, length) in lengths.enumerated() {
            let path = folder.url.appendingPathComponent("apis/shop/files/f\(place)")
            _ = FileManager.default.createFile(atPath: path.path, contents: nil)
            let file = try FileHandle(forWritingTo: path)
            try file.truncate(atOffset: UInt64(length))
            try file.close()
        }
        return folder
    }

    private static let limit = 64 << 20
    /// The lengths of files, and the number in the refusal; nil for what is taken.
    private static let lengths: [([Int], String?)] = [
        ([limit], nil), ([limit + 1], "67108865"), ([limit, limit, limit, limit], nil),
        ([limit, limit, limit, limit, 1], "268435456"),
    ]

    @Test(arguments: lengths)
    func `1 a file has at most 64 MiB, and those of a folder 256`(lengths: [Int], expected: String?) throws {
        let folder = try Self.folder(lengths)
        let result = try Program.run(["validate", "apis/shop"], in: folder)
        expectEqual(result.status, expected == nil ? 0 : 1, "\(result.output)\(result.errors)")
        if let expected {
            #expect((result.output + result.errors).contains(expected), "\(result.output)\(result.errors)")
        }
    }
}
