import JSON
import TestSupport
import Testing

/// Control contract, section 13: `diff` of entries whose content the archive lacks, of one host, and for a user who is
/// not there.
@Suite struct DiffContentTests {
    private static let shop = [
        "apis/shop/api.json": #"{"tables":{"notes":{}},"resources":[{"path":"/v1/notes","table":"notes"}]}"#,
        "apis/shop/stubs/motd.json": #"{"match":{"path":"/v1/motd"},"response":{"body":{"text":"hi"}}}"#,
    ]
    private static let url = "https://api.example.com/v1/motd"
    private static let json = [(name: "Content-Type", value: "application/json")]

    private func diff(_ entries: [JSON], _ flags: [String] = [], api: String = "shop") throws -> Program.Result {
        let folder = try Folder(Self.shop.merging(["a.har": SmallArchive.text(entries)]) { $1 })
        return try Program.run(["diff", "a.har", "--api", api] + flags, in: folder)
    }

    private func entry(
        _ text: String? = nil,
        status: Int64 = 200,
        fields: [(name: String, value: String)] = json,
        content: [(name: String, value: JSON)] = [],
        error: String? = nil
    ) -> JSON {
        let made = SmallArchive.entry(Self.url, status: status, fields: fields, text: text, content: content)
        return error.map { made.putting(.string($0), at: ["_error"]) } ?? made
    }

    private static let gzip = "H4sIAAAAAAACA6tWKkmtKFGyUsrIVKoFANjER8oNAAAA"

    @Test func `13 content that the recording lacks is not compared, in whatever way it is missing`() throws {
        for (name, made) in [
            ("a size without text", entry(content: [("size", 17)])),
            ("an unknown size and a type", entry(content: [("size", -1)])),
            ("left out", entry(content: [("size", 0), ("comment", "left out, since it is too long")])),
            ("a file that is not there", entry(content: [("size", 0), ("_file", "none.json")])),
            (
                "a coding that is not known",
                entry(
                    "Gw0AAAQDgsoTbuzu0w==",
                    fields: Self.json + [("Content-Encoding", "br"), ("Content-Length", "13")],
                    content: [("encoding", "base64"), ("size", 13)]
                )
            ),
            ("an answer that broke off", entry(#"{"te"#, content: [("size", 13)], error: "the client went away")),
            ("JSON that was cut", entry(#"{"text":"#, content: [("size", 13)])),
            (
                "the journal's beginning",
                entry(
                    #"{"other":1}"#,
                    content: [("size", 99_999), ("comment", "the first 11 of 99999 bytes; the journal keeps no more")]
                )
            ),
        ] {
            let found = try diff([made])
            expectEqual(found.status, 0, "\(name): \(found.output)\(found.errors)")
            #expect(
                found.output.contains("entry 0  GET /v1/motd  not compared: its content is not in the recording"),
                "\(name): \(found.output)"
            )
            #expect(found.output.contains("not compared: 1 because its content is not in the recording"), "\(name)")
            #expect(
                found.output.hasSuffix("0 entries compared, 1 not: 0 breaking, 0 additive, 0 other values\n"),
                "\(name): \(found.output)"
            )
            let items = try diff([made], ["--json"]).json
            let skipped = items["items"]?[0]?["skipped"]?.stringValue ?? ""
            #expect(skipped.hasPrefix("its content is not in the recording"), "\(name): \(skipped)")
        }
    }

    @Test func `13 the status of such an entry is compared all the same, and its fields`() throws {
        let gone = try diff([entry(status: 404, content: [("size", 17)])])
        expectEqual(gone.status, 1, gone.output)
        #expect(gone.output.contains("breaking  status: emulated 200, recorded 404"), "\(gone.output)")
        #expect(gone.output.contains("not compared: its content is not in the recording"), "\(gone.output)")
        let typed = try diff([entry(fields: [("Content-Type", "text/html")], content: [("size", 17)])])
        expectEqual(typed.status, 1, typed.output)
        let untyped = try diff([entry(fields: [], content: [("size", 17)])])
        expectEqual(untyped.status, 0, untyped.output)
    }

    @Test func `13 what is there is compared: coded, empty, of HEAD`() throws {
        let coded = [(name: "encoding", value: JSON.string("base64")), ("size", 13)]
        let whole = try diff([
            entry(Self.gzip, fields: Self.json + [("Content-Encoding", "gzip")], content: coded),
            entry(#"{"text":"hi"}"#),
        ])
        expectEqual(whole.status, 0, "\(whole.output)\(whole.errors)")
        #expect(whole.output.contains("2 entries compared, 0 not: 0 breaking"), "\(whole.output)")
        let one = try diff([entry(#"{"text":"ho"}"#)])
        expectEqual(one.output, "1 entry compared, 0 not: 0 breaking, 0 additive, 1 other value\n")
        let empty = try diff([entry("", content: [("size", 0)])])
        expectEqual(empty.status, 1, "no content is a difference where it is known: \(empty.output)")
        let head = try diff([SmallArchive.entry(Self.url, method: "HEAD", fields: Self.json, text: nil)])
        #expect(head.output.contains("1 entry compared"), "\(head.output)")
    }

    @Test func `13 a request whose content the recording lacks is not sent without it`() throws {
        let url = "https://api.example.com/v1/notes"
        let left = [(name: "Content-Type", value: "application/json"), ("Content-Length", "13")]
        let upload = [(name: "Content-Type", value: "application/octet-stream")]
        let created = #"{"id":"1","text":"a"}"#
        for (name, made) in [
            (
                "none",
                SmallArchive.entry(url, method: "POST", status: 201, sent: left, fields: Self.json, text: created)
            ),
            (
                "bytes",
                SmallArchive.entry(url, method: "POST", status: 201, sent: upload, fields: Self.json, text: created)
            ),
            (
                "cut",
                SmallArchive.entry(
                    url,
                    method: "POST",
                    status: 201,
                    sent: left,
                    body: ("application/json", #"{"text":"#),
                    fields: Self.json,
                    text: created
                )
            ),
        ] {
            let found = try diff([made])
            expectEqual(found.status, 0, "\(name): \(found.output)")
            #expect(
                found.output.contains("not compared: the content of its request is not in the recording"),
                "\(name): \(found.output)"
            )
        }
        let whole = SmallArchive.entry(
            url,
            method: "POST",
            status: 201,
            sent: Self.json,
            body: ("application/json", #"{"id":"1","text":"a"}"#),
            fields: Self.json,
            text: created
        )
        #expect(try diff([whole]).output.contains("1 entry compared"))
    }

    @Test func `13 diff takes the entries of the hosts that are named`() throws {
        let other = SmallArchive.entry("https://ads.example.net/v1/motd", status: 500, fields: Self.json)
        let entries = [other, entry(#"{"text":"hi"}"#)]
        try expectEqual(diff(entries).status, 1)
        for host in ["api.example.com", "*.example.com"] {
            let found = try diff(entries, ["--host", host])
            expectEqual(found.status, 0, "\(found.output)\(found.errors)")
            #expect(found.output.contains("entry 0  GET /v1/motd  not compared: its host is not one of --host"))
            #expect(found.output.contains("1 entry compared, 1 not"), "\(found.output)")
        }
        let none = try diff(entries, ["--host", "other.example.com"])
        expectEqual(none.status, 1, none.output)
        #expect(none.errors.contains("the hosts are ads.example.net, api.example.com"), "\(none.errors)")
    }

    @Test func `13 a user who is not there is an error that names those who are`() throws {
        let entries = [SmallArchive.entry("https://api.example.com/api/v1/user/profile", fields: Self.json)]
        for user in ["nobody", "test@icloud.co"] {
            let found = try diff(entries, ["--user", user], api: "omnichat")
            expectEqual(found.status, 1, found.output)
            expectEqual(found.output, "")
            #expect(found.errors.contains(#"omnichat: there is no user "\#(user)""#), "\(found.errors)")
            #expect(found.errors.contains("test@icloud.com"), "\(found.errors)")
        }
        try expectEqual(
            diff(entries, ["--user", "test@icloud.com"], api: "omnichat").errors.contains("no user"),
            false
        )
    }
}
