/// A request method (RFC 9110 section 9): a token, compared with case.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the method that the bytes of a token spell.
    package init(_ bytes: ArraySlice<UInt8>) {
        // Most requests are a GET, and making a text takes ten times as long as looking.
        let (start, isShort) = (bytes.startIndex, bytes.count == 3)
        let isGet = isShort && bytes[start] == 0x47 && bytes[start + 1] == 0x45 && bytes[start + 2] == 0x54
        self = isGet ? .get : HTTPMethod(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")
}
