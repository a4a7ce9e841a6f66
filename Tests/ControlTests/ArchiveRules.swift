import CivilTime
import Crypto
import JSON

/// The rules of HAR 1.2, and those by which the importers of Chrome and Firefox refuse or crash.
enum ArchiveRules {
    /// Everything that is wrong with an archive.
    static func faults(_ archive: JSON) -> [String] {
        var rules = Checker()
        rules.archive(archive)
        return rules.faults
    }

    private struct Checker {
        var faults: [String] = []

        mutating func fail(_ path: String, _ reason: String) { faults.append("\(path): \(reason)") }

        mutating func text(_ json: JSON?, _ path: String) {
            if json?.stringValue == nil { fail(path, "must be a string") }
        }

        mutating func number(_ json: JSON?, _ path: String, from: Double) {
            guard let value = json?.doubleValue else { return fail(path, "must be a number") }
            if value < from { fail(path, "must be at least \(from)") }
        }

        mutating func pairs(_ json: JSON?, _ path: String) {
            guard let items = json?.arrayValue else { return fail(path, "must be a list") }
            for (place, item) in items.enumerated() {
                text(item["name"], "\(path)[\(place)].name")
                text(item["value"], "\(path)[\(place)].value")
            }
        }

        mutating func archive(_ json: JSON) {
            guard let log = json["log"] else { return fail("log", "is missing") }
            if log["version"] != "1.2" { fail("log.version", "must be 1.2") }
            text(log["creator"]?["name"], "log.creator.name")
            text(log["creator"]?["version"], "log.creator.version")
            // Firefox walks the pages without looking whether there are any.
            if log["pages"]?.arrayValue == nil { fail("log.pages", "must be a list") }
            guard let entries = log["entries"]?.arrayValue else { return fail("log.entries", "must be a list") }
            var last = ""
            for (place, item) in entries.enumerated() {
                entry(item, "log.entries[\(place)]")
                let started = item["startedDateTime"]?.stringValue ?? ""
                if started < last { fail("log.entries[\(place)]", "is older than the one before") }
                last = started
            }
        }

        mutating func date(_ json: JSON?, _ path: String) {
            guard let text = json?.stringValue, Instant(iso8601: text) != nil else {
                return fail(path, "must be a date")
            }
            if text.last != "Z", !text.suffix(6).contains("+") { fail(path, "must have a zone") }
        }

        mutating func entry(_ entry: JSON, _ path: String) {
            date(entry["startedDateTime"], "\(path).startedDateTime")
            number(entry["time"], "\(path).time", from: 0)
            if entry["cache"]?.objectValue == nil { fail("\(path).cache", "must be an object") }
            timings(entry, "\(path).timings")
            request(entry["request"] ?? .null, "\(path).request")
            response(entry["response"] ?? .null, "\(path).response")
            text(entry["_world"], "\(path)._world")
            date(entry["_virtualTime"], "\(path)._virtualTime")
        }

        mutating func timings(_ entry: JSON, _ path: String) {
            let timings = entry["timings"]
            for name in ["send", "wait", "receive"] { number(timings?[name], "\(path).\(name)", from: 0) }
            for name in ["blocked", "dns", "connect", "ssl"] { number(timings?[name], "\(path).\(name)", from: -1) }
            let sum = ["blocked", "dns", "connect", "send", "wait", "receive"]
                .reduce(0.0) { $0 + max(timings?[$1]?.doubleValue ?? 0, 0) }
            if abs(sum - (entry["time"]?.doubleValue ?? -1)) > 0.01 { fail(path, "must add up to time") }
        }

        mutating func request(_ request: JSON, _ path: String) {
            for name in ["method", "url", "httpVersion"] { text(request[name], "\(path).\(name)") }
            if request["url"]?.stringValue?.hasPrefix("http://127.0.0.1:") != true {
                fail("\(path).url", "must be the API's address")
            }
            for name in ["cookies", "headers", "queryString"] { pairs(request[name], "\(path).\(name)") }
            for name in ["headersSize", "bodySize"] { number(request[name], "\(path).\(name)", from: -1) }
            let size = request["bodySize"]?.intValue ?? 0
            guard let data = request["postData"] else {
                if size > 0 { fail("\(path).postData", "is missing") }
                return
            }
            text(data["mimeType"], "\(path).postData.mimeType")
            if data["params"]?.arrayValue == nil { fail("\(path).postData.params", "must be a list") }
            content(data, size, data["comment"] == nil, "\(path).postData")
        }

        mutating func response(_ response: JSON, _ path: String) {
            number(response["status"], "\(path).status", from: 0)
            for name in ["statusText", "httpVersion", "redirectURL"] { text(response[name], "\(path).\(name)") }
            for name in ["cookies", "headers"] { pairs(response[name], "\(path).\(name)") }
            for name in ["headersSize", "bodySize"] { number(response[name], "\(path).\(name)", from: -1) }
            let content = response["content"]
            number(content?["size"], "\(path).content.size", from: 0)
            text(content?["mimeType"], "\(path).content.mimeType")
            guard let content, content["text"] != nil else { return }
            self.content(
                content,
                content["size"]?.intValue ?? 0,
                content["comment"] == nil,
                "\(path).content"
            )
        }

        /// Text of the stated length, base64 where it is none.
        mutating func content(_ content: JSON, _ size: Int64, _ isWhole: Bool, _ path: String) {
            guard let text = content["text"]?.stringValue else { return fail("\(path).text", "must be a string") }
            var length = text.utf8.count
            if let encoding = content["encoding"] {
                if encoding != "base64" { fail("\(path).encoding", "must be base64") }
                guard let bytes = Base64.decode(text) else { return fail("\(path).text", "must be base64") }
                length = bytes.count
            }
            if isWhole, length != Int(size) { fail("\(path).text", "has \(length) bytes instead of \(size)") }
        }
    }
}
