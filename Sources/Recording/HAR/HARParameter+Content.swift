import HTTPMessage

/// The content of a request that an archive gives as parameters only.
extension [HARParameter] {
    /// The parameters with their texts as they were sent.
    var mended: [HARParameter] {
        func sound(_ text: String) -> String {
            Mojibake(text, type: "", size: -1).map { String(decoding: $0.bytes, as: UTF8.self) } ?? text
        }
        return map { parameter in
            HARParameter(
                name: sound(parameter.name),
                value: parameter.value.map(sound),
                fileName: parameter.fileName.map(sound),
                contentType: parameter.contentType
            )
        }
    }

    /// Returns the content of a type.
    func content(_ type: String) -> [UInt8] { multipart(type) ?? form }

    /// The content as a form in an address.
    var form: [UInt8] {
        let pieces = map { $0.name.percentEncodedComponent + "=" + ($0.value ?? "").percentEncodedComponent }
        return [UInt8](pieces.joined(separator: "&").utf8)
    }

    /// Returns the content of which the parameters are the parts; nil where the type is another.
    func multipart(_ type: String) -> [UInt8]? {
        guard let media = MediaType(type), media.essence == "multipart/form-data" else { return nil }
        let named = media.parameter("boundary") ?? ""
        let boundary = named.isEmpty ? "boundary" : named
        func quoted(_ text: String) -> String {
            text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "%22")
                .filter { !$0.isNewline }
        }
        var text = ""
        for parameter in self {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(parameter.name))\""
            if let file = parameter.fileName { text += "; filename=\"\(quoted(file))\"" }
            if let type = parameter.contentType, !type.isEmpty {
                text += "\r\nContent-Type: \(type.filter { !$0.isNewline })"
            }
            text += "\r\n\r\n\(parameter.value ?? "")\r\n"
        }
        return [UInt8]("\(text)--\(boundary)--\r\n".utf8)
    }
}
