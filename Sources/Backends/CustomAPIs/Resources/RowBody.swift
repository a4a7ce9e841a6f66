import Backend
import HTTPMessage
import JSON

/// The body of a request that writes a row (own-API contract, section 14).
enum RowBody {
    /// Checks the length and the media type of a body, which need nothing of its content.
    static func checkForm(_ call: Call) throws(CustomAPIFailure) {
        guard !call.request.body.exceedsLimit else { throw CustomAPIFailure(.tooLarge) }
        try refuseCoded(call)
        let type = call.fields.bytes(.contentType).flatMap { MediaType(bytes: $0) }
        let isJSON = type.map { $0.essence == "application/json" || $0.subtype.hasSuffix("+json") } ?? false
        guard isJSON, type?.essence != "application/json-patch+json" else {
            let sent = type.map { "\($0.essence) is not supported." } ?? "The request has no content type."
            throw CustomAPIFailure(.unsupportedMediaType, "\(sent) Send application/json.")
        }
    }

    /// Refuses content whose coding can't be taken off.
    static func refuseCoded(_ call: Call) throws(CustomAPIFailure) {
        guard let refusal = CodingRefusal(call.request.coded) else { return }
        let cause: Cause = refusal.status == .badRequest ? .badRequest : .unsupportedMediaType
        throw CustomAPIFailure(cause, refusal.reason + ".", fields: refusal.fields)
    }

    /// Returns the object in a body.
    static func object(_ call: Call) throws(CustomAPIFailure) -> JSONObject {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try call.request.json()
        } catch {
            throw CustomAPIFailure(.badRequest, "\(error)")
        }
        guard let object = json.objectValue else {
            throw CustomAPIFailure(.badRequest, "The body must be an object, found \(json.typeName).")
        }
        return object.withoutDuplicates
    }
}
