import ConductKit
import HTTPMessage
import JSON

/// `body/type-wrong`.
struct BodyTypeWrong: ConductRule {
    static let declaration = RuleDeclaration(
        "body/type-wrong",
        "Body doesn't match its `Content-Type`",
        .error,
        situation: "a request with content and `Content-Type`",
        breach: """
            JSON declared but not JSON; a JSON object or array declared as a form or text; multipart without `boundary`, \
            or with one that the content does not have
            """,
        excused: ["a body that did not arrive whole, was not kept whole, or is in a coding that can't be decoded"],
        source: [.rfc(9110, "8.3"), .rfc(7578, "4.1")],
        exercisedBy: ["any write"],
        what: "The body of a request did not match its `Content-Type`.",
        why: "The server rejects or ignores it, and what the user entered is lost.",
        expected: "Declare the actual type of the body, and let the library create the multipart boundary.",
        urlsession: """
            Send the `Content-Type` that the body has; a form has one boundary for header and body:

                let boundary = UUID().uuidString
                request.setValue("multipart/form-data; boundary=\\(boundary)", forHTTPHeaderField: "Content-Type")
            """,
        fetch: """
            Send the `Content-Type` that the body has, and leave that of a form to the browser:

                fetch(url, { body: new FormData(form) })
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.body.length > 0, let value = x.field(.contentType) else { return }
        guard x.exchange.body.isWhole, x.row.outcome != .interrupted else { return }
        context.situation(x)
        guard let fault = Self.fault(value, x) else { return }
        context.breach([x.index], "\(x.row.id) \(fault).")
    }

    private static func fault(_ value: String, _ x: JudgedExchange) -> String? {
        let type = MediaType(value)
        let essence = type?.essence.lowercased() ?? value.lowercased()
        if essence == "application/json" || essence.hasSuffix("+json") {
            return ContentText.isJSON(x.exchange.body.bytes) ? nil : "declared JSON, and its content is not JSON"
        }
        if essence == "application/x-www-form-urlencoded" || essence.hasPrefix("text/") && essence != "text/json" {
            return x.requestJSON != nil ? "declared `\(essence)`, and its content is a JSON object or array" : nil
        }
        guard essence.hasPrefix("multipart/") else { return nil }
        guard let boundary = type?.parameter("boundary"), !boundary.isEmpty else {
            return "declared multipart without a `boundary`"
        }
        return ContentText.contains("--" + boundary, in: x.exchange.body.bytes)
            ? nil : "declared multipart with a `boundary` that its content does not have"
    }
}

/// Looks at content as text.
enum ContentText {
    /// Tells whether content is JSON, its encoding and a byte order mark aside.
    static func isJSON(_ bytes: [UInt8]) -> Bool {
        let options = JSONReader.Options(maxDepth: 1_024, allowBOM: true)
        if (try? JSONReader.read(bytes, options: options)) != nil { return true }
        let mended = Array(String(decoding: bytes, as: UTF8.self).utf8)
        return (try? JSONReader.read(mended, options: options)) != nil
    }

    static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
        let pattern = Array(text.utf8)
        guard let first = pattern.first, bytes.count >= pattern.count else { return false }
        for start in 0...(bytes.count - pattern.count) where bytes[start] == first {
            if bytes[start..<(start + pattern.count)].elementsEqual(pattern) { return true }
        }
        return false
    }
}
