import HTTPMessage
import JSON
import Traffic

/// An exchange of the journal, whole, for people.
struct ExchangeText {
    private let style: TextStyle

    init(_ style: TextStyle) { self.style = style }

    func print(_ entry: JSON) {
        let query = text("query", entry)
        let target = text("path", entry) + (query.isEmpty ? "" : "?\(query)")
        Terminal.out(style(shown("\(text("method", entry)) \(target)"), .bold) + "  " + status(entry))
        for (name, value) in facts(of: entry) where !value.isEmpty {
            let gap = String(repeating: " ", count: max(12 - name.utf8.count, 1))
            Terminal.out(style(name, .dim) + gap + shown(value))
        }
        part("Request", entry["headers"], entry["body"])
        part("Response", entry["responseHeaders"], entry["responseBody"])
    }

    private func status(_ entry: JSON) -> String {
        let code = Int(clamping: entry["status"]?.intValue ?? 0)
        let outcome = text("outcome", entry)
        let words = code == 0 ? outcome : outcome == "delivered" ? "\(code)" : "\(code) \(outcome)"
        let color: TextStyle.Color =
            code == 0 || code >= 500 ? .red : code >= 400 ? .yellow : code >= 300 ? .cyan : .green
        return style(words, color)
    }

    /// The answerer: in words, where the journal has them, else the endpoint of a built-in API.
    private func answerer(of entry: JSON) -> String {
        let (words, route, source) = (text("answeredBy", entry), text("route", entry), text("source", entry))
        let isEndpoint =
            ["", "emulated"].contains(source) && entry["fault"] == nil && entry["status"]?.intValue ?? 0 > 0
        guard words.isEmpty, !route.isEmpty, isEndpoint else { return words }
        return "endpoint \(text("method", entry)) \(route)"
    }

    private func facts(of entry: JSON) -> [(String, String)] {
        let timings = ["receive", "handle", "wait", "send"].map { name in
            "\(name) \(TrafficText.duration(entry["timings"]?[name]?.doubleValue))"
        }
        var facts = [
            ("id", text("id", entry)), ("world", text("world", entry)), ("api", text("api", entry)),
            ("route", text("route", entry)), ("answered by", answerer(of: entry)),
            ("nearest", text("nearestStub", entry)), ("path sent", text("pathSent", entry)),
            ("user", text("user", entry)),
            ("at", text("at", entry)),
            ("machine", text("startedAt", entry).isEmpty ? text("wallAt", entry) : text("startedAt", entry)),
            ("timings", timings.joined(separator: ", ")), ("peer", text("peer", entry)),
            ("via", text("via", entry)), ("origin", text("origin", entry)), ("stub", text("stub", entry)),
            ("scenario", text("scenario", entry)), ("gate", text("gate", entry)),
            ("replay of", text("replayOf", entry)),
        ]
        if let fault = entry["fault"] {
            let name = [fault["id"], fault["name"]].compactMap { $0?.stringValue }.joined(separator: " ")
            facts.append(("fault", "\(name) \(FaultText.effect(fault["effect"]))"))
        }
        for decision in entry["decisions"]?.arrayValue ?? [] where decision["acted"] != true {
            facts.append(("no fault", "\(decision["id"]?.stringValue ?? ""): \(decision["reason"]?.stringValue ?? "")"))
        }
        for name in ["differences", "violations"] {
            for item in entry[name]?.arrayValue ?? [] { facts.append((name, item.text)) }
        }
        return facts
    }

    private func part(_ title: String, _ fields: JSON?, _ body: JSON?) {
        Terminal.out("")
        Terminal.out(style(title, .bold))
        for pair in fields?.arrayValue ?? [] {
            let name = shown(pair[0]?.stringValue ?? "")
            Terminal.out("\(style(name, .cyan)): \(shown(pair[1]?.stringValue ?? ""))")
        }
        guard let body, let length = body["bytes"]?.intValue, length > 0 else { return }
        Terminal.out("")
        if let coding = body["coding"]?.stringValue, let count = body["codedBytes"]?.intValue {
            Terminal.out(style("(\(TrafficText.size(count)) in \(shown(coding)), decoded)", .dim))
        }
        if let text = body["text"]?.stringValue {
            Terminal.out(lines(of: text))
            if body["truncated"] == true {
                Terminal.out(
                    style(
                        "(\(TrafficText.size(Int64(text.utf8.count))) of \(TrafficText.size(body["declared"]?.intValue ?? length)) kept)",
                        .dim
                    )
                )
            }
        } else {
            Terminal.out(style("(\(TrafficText.size(length)), no text)", .dim))
        }
    }

    /// JSON is set out in lines; other text keeps its own.
    private func lines(of text: String) -> String {
        if let json = try? JSONReader.read(text: text) {
            switch json {
            case .object, .array:
                return String(decoding: json.serialized(options: JSONWriter.Options(pretty: true)), as: UTF8.self)
            default: break
            }
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { shown(String($0)) }
            .joined(separator: "\n")
    }

    private func text(_ name: String, _ entry: JSON) -> String { entry[name]?.stringValue ?? "" }

    private func shown(_ text: String) -> String { VisibleText.escaped(text) }
}
