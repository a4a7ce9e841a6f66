import JSON
import TestSupport

/// An entry of a small archive, as a browser or a proxy writes it.
struct RecordedEntry {
    var method = "GET"
    var url: String
    var status = 200
    var requestFields: [(name: String, value: String)] = []
    var query: [(name: String, value: String)] = []
    var post: JSON?
    var bodySize = -1
    var fields: [(name: String, value: String)] = []
    var content: JSON = ["size": 2, "mimeType": "application/json", "text": "{}"]
    /// Seconds after noon.
    var second = 0

    init(_ method: String, _ url: String, _ status: Int = 200) {
        self.method = method
        self.url = url
        self.status = status
    }

    /// An entry whose request has content, and whose response is a text.
    init(_ method: String, _ url: String, type: String = "", body: String? = nil, answer: String) {
        self.init(method, url)
        if let body { post = ["mimeType": .string(type), "text": .string(body)] }
        if !type.isEmpty { requestFields = [("Content-Type", type)] }
        content = ["size": -1, "mimeType": "application/json", "text": .string(answer)]
    }

    var json: JSON {
        func list(_ pairs: [(name: String, value: String)]) -> JSON {
            .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
        }
        var request: JSONObject = [
            "method": .string(method), "url": .string(url), "httpVersion": "h2", "cookies": [],
            "headers": list(requestFields), "queryString": list(query), "headersSize": -1,
            "bodySize": .integer(Int64(bodySize)),
        ]
        if let post { request.append("postData", post) }
        let response: JSON = [
            "status": .integer(Int64(status)), "statusText": "", "httpVersion": "h2", "cookies": [],
            "headers": list(fields), "content": content, "redirectURL": "", "headersSize": -1, "bodySize": -1,
        ]
        return [
            "startedDateTime": .string("2025-01-01T12:00:\(second < 10 ? "0" : "")\(second).000Z"), "time": 6,
            "request": .object(request), "response": response, "cache": [:],
            "timings": ["send": 0, "wait": 5, "receive": 1],
        ]
    }

    /// The text of an archive of these entries, which began one after another.
    static func archive(_ entries: [RecordedEntry]) -> String {
        let texts = entries.enumerated().map { place, entry -> String in
            var entry = entry
            entry.second = min(place, 59)
            return entry.json.text
        }
        return #"{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"entries":["#
            + texts.joined(separator: ",\n") + "]}}"
    }
}
