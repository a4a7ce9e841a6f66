import EngineTesting
import HTTPMessage
import JSON

extension Played {
    /// The status and the text of the plain form (section 7.1), if that is all there is.
    var plain: String {
        guard keys == ["error"], fields.values(.contentType) == ["application/json; charset=utf-8"] else {
            return "\(status) and not the plain form: \(text)"
        }
        return "\(status) \(text(at: "error"))"
    }

    /// The status and the kind of the problem form (section 7.2), if that is what it is.
    var problem: String {
        guard fields.values(.contentType) == ["application/problem+json"],
            Array(keys.prefix(5)) == ["type", "title", "status", "detail", "request_id"],
            json["status"]?.intValue == Int64(status), text(at: "request_id") == self["X-Request-ID"]
        else { return "\(status) and no problem document: \(text)" }
        return "\(status) \(text(at: "type").replacing("urn:trendy:error:", with: ""))"
    }

    /// The status and the code of the auth server's form for a client that asked for the modern one (section 9.2).
    var auth: String {
        guard self["X-Supabase-Api-Version"] == "2024-01-01", fields.values(.contentType) == ["application/json"],
            Array(keys.prefix(2)) == ["code", "message"], self["x-sb-error-code"] == text(at: "code")
        else { return "\(status) and not the auth form: \(text)" }
        return "\(status) \(text(at: "code"))"
    }
}
