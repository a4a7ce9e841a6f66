import CivilTime
import Conditions
package import HTTPMessage
import JSON

extension JournalEntry {
    /// The length that a request declared whose content was not read to its end; nil where it declared none.
    package var declaredLength: Int? { body.isPartial ? headers[.contentLength].flatMap { Int($0) } : nil }

    /// The response's own fields and those that the connection adds; none without a response.
    package var sentFields: Fields {
        let effect = fault?.effect
        // Raw bytes have a head of their own, or none.
        guard status != .unanswered, effect?["raw"] == nil else { return Fields() }
        var fields = responseHeaders
        if fields.contains(.contentLength) || fields.contains(.transferEncoding) {
            // The response declares its own framing.
        } else if effect?["framing"] == "close" {
            // The content ends with the connection.
        } else if isStreamed {
            fields.append(.transferEncoding, "chunked")
        } else if !status.forbidsBody {
            fields.append(.contentLength, "\(announcedLength ?? responseBody.length)")
        }
        if !fields.contains(.date) { fields.append(.date, at.httpDate) }
        return fields
    }
}
