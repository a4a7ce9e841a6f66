package import Backend
import HTTPMessage
package import JSON
package import Templates

/// The placeholders that a request alone fills (own-API contract, section 9).
extension Call {
    /// Returns the value of a placeholder that names a field or the request itself; nil for the others.
    package func value(of placeholder: Placeholder) -> JSON? {
        switch placeholder {
        case .header(let name): FieldName(name).flatMap { fields[$0] }.map { .string($0) }
        case .requestID: .string(requestID)
        case .requestMethod: .string(method.rawValue)
        case .requestPath: .string(path.text)
        case .base: .string(origin)
        default: nil
        }
    }

    /// Returns the first values of a form's fields by their names; nil if the content is no form.
    package func formFields(_ content: [UInt8]) -> JSON? {
        guard let type = fields[.contentType] else { return nil }
        let items: [(name: String, value: String)]
        switch MediaType(type)?.essence {
        case "application/x-www-form-urlencoded":
            items = QueryItems(bytes: content[...]).items.map { ($0.name, $0.value) }
        case "multipart/form-data":
            guard let parts = try? MultipartParser.parse(body: content, contentType: type) else { return nil }
            items = parts.filter { $0.filename == nil }.map { ($0.name, $0.text) }
        default: return nil
        }
        var object = JSONObject()
        for item in items where object[item.name] == nil { object.append(item.name, .string(item.value)) }
        return .object(object)
    }
}
