import Foundation
import JSON
import TestSupport

/// Archives of a few entries, as a browser writes them.
enum SmallArchive {
    /// An entry, whose `content` has further members of the response's content.
    static func entry(
        _ url: String = "https://api.example.com/x",
        method: String = "GET",
        status: Int64 = 200,
        sent: [(name: String, value: String)] = [],
        body: (type: String, text: String)? = nil,
        fields: [(name: String, value: String)] = [],
        text: String? = "{}",
        type: String = "application/json",
        content more: [(name: String, value: JSON)] = []
    ) -> JSON {
        func list(_ pairs: [(name: String, value: String)]) -> JSON {
            .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
        }
        var content: JSONObject = ["size": -1, "mimeType": .string(type)]
        if let text { content.append("text", .string(text)) }
        for member in more { content[member.name] = member.value }
        var request: JSONObject = [
            "method": .string(method), "url": .string(url), "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": list(sent), "queryString": [], "headersSize": -1, "bodySize": -1,
        ]
        if let body { request.append("postData", ["mimeType": .string(body.type), "text": .string(body.text)]) }
        return [
            "startedDateTime": "2025-01-01T12:00:00.000Z", "time": 6, "request": .object(request),
            "response": [
                "status": .integer(status), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": list(fields), "content": .object(content), "redirectURL": "", "headersSize": -1,
                "bodySize": -1,
            ],
            "cache": [:], "timings": ["send": 0, "wait": 5, "receive": 1],
        ]
    }

    static func text(_ entries: [JSON]) -> String {
        JSON.object([
            "log": [
                "version": "1.2", "creator": ["name": "WebInspector", "version": "537.36"], "entries": .array(entries),
            ]
        ]).text
    }

    /// The recording that `understudy new` makes of an archive.
    static func imported(_ archive: String) throws -> (text: String, entries: [JSON], output: String) {
        let folder = try Folder(["a.har": archive])
        let made = try Program.run(["new", "shop", "--har", "a.har"], in: folder)
        guard made.status == 0 else { throw TestError(description: made.errors) }
        let file = folder.url.appendingPathComponent("apis/shop/recordings/a.har")
        let text = try String(contentsOf: file, encoding: .utf8)
        return (text, try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue ?? [], made.output)
    }
}
