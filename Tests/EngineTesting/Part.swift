/// A part of a `multipart/form-data` body.
package struct Part {
    package var name: String
    package var fileName: String?
    package var type: String?
    package var content: [UInt8]

    package init(_ name: String, fileName: String? = nil, type: String? = nil, content: [UInt8]) {
        self.name = name
        self.fileName = fileName
        self.type = type
        self.content = content
    }

    /// The boundary of `body(of:)`, where a test names none.
    package static let boundary = "b0undary"

    /// The body of a form; without its last boundary unless `closes`.
    package static func body(of parts: [Part], boundary: String = boundary, closes: Bool = true) -> [UInt8] {
        var body: [UInt8] = []
        for part in parts {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"".utf8)
            if let fileName = part.fileName { body += Array("; filename=\"\(fileName)\"".utf8) }
            if let type = part.type { body += Array("\r\nContent-Type: \(type)".utf8) }
            body += Array("\r\n\r\n".utf8) + part.content + Array("\r\n".utf8)
        }
        return closes ? body + Array("--\(boundary)--\r\n".utf8) : body
    }
}
