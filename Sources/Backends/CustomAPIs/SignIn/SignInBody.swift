import Backend
import Engine
import HTTPMessage
import JSON

/// The body of a sign-in request: a JSON object or a form (own-API contract, section 15).
enum SignInBody {
    /// Returns the members of a body; those of a form are texts, of several with one name the first.
    static func object(_ call: Call) throws(CustomAPIFailure) -> JSONObject {
        guard call.request.hasForm else {
            try RowBody.checkForm(call)
            return try RowBody.object(call)
        }
        guard !call.request.body.exceedsLimit else { throw CustomAPIFailure(.tooLarge) }
        try RowBody.refuseCoded(call)
        let items = QueryItems(bytes: call.request.body.bytes[...])
        guard items.isWellFormed else { throw CustomAPIFailure(.badRequest, "The form is malformed.") }
        var object = JSONObject()
        for item in items.items where object[item.name] == nil { object.append(item.name, .string(item.value)) }
        return object
    }

    /// Returns a member that has to be a text; numbers are taken as they are spelled.
    static func text(_ name: String, in body: JSONObject, _ details: inout [CustomAPIFailure.Detail]) -> String {
        let path = [JSONPathElement.key(name)].formattedJSONPath
        guard let value = body[name], !value.isNull else {
            details.append(CustomAPIFailure.Detail(path: path, reason: "is required"))
            return ""
        }
        guard let text = value.credentialText else {
            details.append(CustomAPIFailure.Detail(path: path, reason: "must be a string, found \(value.typeName)"))
            return ""
        }
        if text.isEmpty { details.append(CustomAPIFailure.Detail(path: path, reason: "must not be empty")) }
        return text
    }

    /// Returns members that have to be texts; throws with all that are not.
    static func texts(_ names: [String], in body: JSONObject) throws(CustomAPIFailure) -> [String] {
        var details: [CustomAPIFailure.Detail] = []
        let texts = names.map { text($0, in: body, &details) }
        guard details.isEmpty else { throw CustomAPIFailure(.validationFailed, details: details) }
        return texts
    }
}

extension JSON {
    /// A value that can be compared with what a form has: a text, or a number such as a PIN.
    var credentialText: String? {
        switch self {
        case .string(let text): text
        case .integer, .number: self.text
        case .null, .bool, .array, .object: nil
        }
    }
}
