import Basics
import HTTPMessage
import JSON
import Traffic
import Transport

/// `requests show`: one exchange, whole, or in another form (clients contract, section 1).
package enum RequestsCommand: ServerCommand {
    package static let name = "requests"
    package static let summary = "shows one exchange in full, as a curl command, or as HAR"
    package static let part: CommandPart? = .looking
    package static let usage = "show ID [--curl|--har]"
    package static let operands = Operands.actions([
        Action("show", "ID", "shows the exchange", counts: 1...1, values: .running(.exchanges))
    ])
    package static let options = [
        Option(name: "curl", kind: .toggle, help: "prints a curl command that sends it again", default: "off"),
        Option(name: "har", kind: .toggle, help: "prints an HTTP archive with this one entry", default: "off"),
    ]
    package static let examples = [Example("understudy requests show req_12 --curl", "the request, to try by hand")]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        guard !arguments.isOn("curl") || !arguments.isOn("har") else {
            throw .usage("--curl and --har can't be combined")
        }
        let id = arguments.operands[0]
        let path = "/requests/" + PercentText.segment(id)
        let entry = try server.call("GET", path)
        if arguments.isOn("har") {
            guard !server.explains else {
                explainArchive(path, server)
                return ExitCode.ok
            }
            let seq = entry["seq"]?.intValue ?? 1
            let query = [(name: "since", value: "\(seq - 1)"), (name: "before", value: "\(seq + 1)")]
            let answer = try server.send("GET", "/requests.har", query: query, atMost: RunningServer.longestDocument)
            if let answer { Terminal.out(answer.text) }
        } else if arguments.isOn("curl") {
            var addressed = server
            addressed.api = nil
            let apis = try addressed.call("GET", "/apis")
            if server.explains { return ExitCode.ok }
            let origin = apis["items"]?.arrayValue?.first { $0["name"] == entry["api"] }?["url"]?.stringValue
            Terminal.out(try CurlText.command(of: entry, origin: origin ?? server.place.text, world: server.world))
        } else {
            server.show(entry) { ExchangeText(server.style).print(entry) }
        }
        return ExitCode.ok
    }

    /// Prints the second call, whose bounds a shell makes of the `seq` in the answer of the first.
    private static func explainArchive(_ path: String, _ server: RunningServer) {
        let number = #"sed 's/^{"id":"[^"]*","seq":\([0-9]*\),.*/\1/'"#
        let bounds = #"awk '{ print "since=" $1 - 1 "&before=" $1 + 1 }'"#
        let url = server.place.origin.text + server.target("/requests.har", [])
        let separator = url.contains("?") ? "&" : "?"
        let call = server.curl("GET", "/requests.har").replacing(
            CurlText.quoted(url),
            with: "\"\(url)\(separator)$(\(server.quietCurl(path)) | \(number) | \(bounds))\"",
            maxReplacements: 1
        )
        Terminal.out(call)
    }
}

extension CurlText {
    /// The fields that curl makes itself, and those that belong to one exchange.
    private static let left = ["host", "content-length", "connection", "x-request-id", "transfer-encoding", "expect"]

    /// An exchange of the journal as a command that sends it again.
    static func command(of entry: JSON, origin: String, world: String?) throws(CommandFailure) -> String {
        let method = entry["method"]?.stringValue ?? "GET"
        var prefix = ""
        if let world, world != "main", !origin.hasSuffix("/@\(world)") { prefix = "/@\(PercentText.segment(world))" }
        let query = entry["query"]?.stringValue ?? ""
        let path = (entry["pathSent"] ?? entry["path"])?.stringValue ?? "/"
        let url = origin + prefix + path + (query.isEmpty ? "" : "?\(query)")
        let body = entry["body"]
        let length = body?["bytes"]?.intValue ?? 0
        guard body?["truncated"] != true else {
            throw .failed("the journal has not kept the whole body of \(length) bytes; the request can't be repeated")
        }
        var words = ["curl"]
        if method == "HEAD" {
            words.append("-I")
        } else if method != (length > 0 ? "POST" : "GET") {
            words += ["-X", method]
        }
        // Without the flag curl resolves dot segments itself.
        if path.contains("/.") || path.lowercased().contains("/%2e") { words.append("--path-as-is") }
        words.append(quoted(url))
        // The journal has the content without its coding.
        let left = left + (body?["coding"] == nil ? [] : ["content-encoding"])
        for pair in entry["headers"]?.arrayValue ?? [] {
            guard let name = pair[0]?.stringValue, let value = pair[1]?.stringValue, !left.contains(name.lowercased())
            else {
                continue
            }
            words += ["-H", quoted(value.isEmpty ? "\(name);" : "\(name): \(value)")]
        }
        if length > 0, let text = body?["text"]?.stringValue {
            // What a terminal is not shown as it is has to be written so that the shell makes it.
            let bare = text.replacing("\n", with: "").replacing("\t", with: "")
            guard VisibleText.escaped(bare) == bare else {
                return "printf \(CurlText.format(of: text)) | "
                    + (words + ["--data-binary", "@-"]).joined(separator: " ")
            }
            words += ["--data-raw", quoted(text)]
        } else if length > 0, let code = body?["base64"]?.stringValue {
            return "printf %s \(quoted(code)) | base64 -d | "
                + (words + ["--data-binary", "@-"]).joined(separator: " ")
        }
        return words.joined(separator: " ")
    }
}
