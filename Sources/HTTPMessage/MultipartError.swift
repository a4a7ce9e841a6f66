/// An error in a body of `multipart/form-data` (RFC 7578 and RFC 2046), or an exceeded limit.
package enum MultipartError: Error, Sendable, Hashable, CustomStringConvertible {
    case notFormData
    case missingBoundary
    case invalidBoundary
    case missingOpeningDelimiter
    case malformedDelimiter
    case missingClosingDelimiter
    case tooManyParts(limit: Int)
    case tooManyHeaders(part: Int, limit: Int)
    case headersTooLong(part: Int, limit: Int)
    case malformedHeader(part: Int)
    case missingDisposition(part: Int)
    case repeatedDisposition(part: Int)
    case malformedDisposition(part: Int)
    case missingName(part: Int)
    case unsupportedTransferEncoding(part: Int)

    /// One sentence for people; parts are counted from 1.
    package var description: String {
        switch self {
        case .notFormData: "The content type is not multipart/form-data."
        case .missingBoundary: "The content type has no boundary parameter."
        case .invalidBoundary: "The boundary is not 1 to 70 of the characters that RFC 2046 allows, or ends in a space."
        case .missingOpeningDelimiter: "The boundary does not occur at the start of any line of the body."
        case .malformedDelimiter: "A line that begins with the boundary goes on with something other than white space."
        case .missingClosingDelimiter: "The body ends before the closing boundary."
        case .tooManyParts(let limit): "The body has more than \(limit) parts."
        case .tooManyHeaders(let part, let limit): "Part \(part) has more than \(limit) headers."
        case .headersTooLong(let part, let limit): "The headers of part \(part) are longer than \(limit) bytes."
        case .malformedHeader(let part):
            "Part \(part) has a header that is not a name, a colon and a value on one line."
        case .missingDisposition(let part): "Part \(part) has no Content-Disposition header."
        case .repeatedDisposition(let part): "Part \(part) has more than one Content-Disposition header."
        case .malformedDisposition(let part): "The Content-Disposition of part \(part) is not well-formed form-data."
        case .missingName(let part): "The Content-Disposition of part \(part) has no name."
        case .unsupportedTransferEncoding(let part):
            "Part \(part) has a Content-Transfer-Encoding other than binary, 8bit or 7bit."
        }
    }
}
