/// One part of a form.
package struct MultipartPart: Sendable {
    /// The name of the form's field.
    package let name: String
    /// The name of the file, if the part is one, exactly as sent: path components in it are text and mean nothing.
    package let filename: String?
    /// The Content-Type header as sent, or nil.
    ///
    /// RFC 7578 section 4.4 reads a missing one as `text/plain`.
    package let contentType: String?
    /// Every header in order, names as spelled.
    package let headers: [(name: String, value: String)]
    /// The content, a view of the body given to the parser.
    package let content: ArraySlice<UInt8>

    /// The content as text; bytes that are not UTF-8 become U+FFFD.
    package var text: String { String(decoding: content, as: UTF8.self) }
}
