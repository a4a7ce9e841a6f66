import EngineTesting
import HTTPMessage
import JSON

extension Played {
    /// Status and code of the error envelope, if that is all there is.
    var error: String {
        guard keys == ["error"], json["error"]?.keys == ["code", "message"], text(at: "error.message") != "",
            self["Content-Type"] == "application/json"
        else { return "\(status) and not the envelope: \(text)" }
        return "\(status) \(text(at: "error.code"))"
    }
}
