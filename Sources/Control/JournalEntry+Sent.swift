import CivilTime
import Emulation
import HTTPMessage

extension JournalEntry {
    /// The response's own fields and those that the connection adds; none without a response.
    var sentFields: Fields {
        guard status != .unanswered else { return Fields() }
        var fields = responseHeaders
        if fields.contains(.contentLength) || fields.contains(.transferEncoding) {
            // The response declares its own framing.
        } else if isStreamed {
            fields.append(.transferEncoding, "chunked")
        } else if !status.forbidsBody {
            fields.append(.contentLength, "\(announcedLength ?? responseBody.length)")
        }
        if !fields.contains(.date) { fields.append(.date, at.httpDate) }
        return fields
    }
}
