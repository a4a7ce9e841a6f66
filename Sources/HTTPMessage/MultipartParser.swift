import Basics

/// Parses `multipart/form-data` (RFC 7578, over RFC 2046 section 5.1).
///
/// It is strict where senders agree: CR LF line ends only, no folded headers, a closing delimiter, and no line that
/// begins with the boundary and continues with other text, because readers disagree about those. A preamble, an
/// epilogue and white space after a boundary are allowed. Parts that are multipart themselves are content like any
/// other.
///
/// The time is linear in the body whatever it holds, and memory is what the parts within the limits take; contents are
/// not copied.
package struct MultipartParser {
    /// The limits of a body.
    package struct Limits: Sendable {
        package var parts: Int
        /// Line ends included, the empty line not.
        package var headerBytesPerPart: Int
        package var headersPerPart: Int

        package init(parts: Int = 100, headerBytesPerPart: Int = 8 * 1_024, headersPerPart: Int = 16) {
            self.parts = parts
            self.headerBytesPerPart = headerBytesPerPart
            self.headersPerPart = headersPerPart
        }
    }

    private let body: [UInt8]
    /// CR LF, two hyphens, the boundary.
    private let delimiter: [UInt8]
    private let limits: Limits

    /// The parts of a body, in order; none for a body that is only the closing delimiter.
    ///
    /// The content type is the request's, which names the boundary.
    package static func parse(
        body: [UInt8],
        contentType: String,
        limits: Limits = Limits()
    ) throws(MultipartError) -> [MultipartPart] {
        let boundary = try boundary(in: contentType)
        let delimiter = Array("\r\n--".utf8) + boundary
        return try MultipartParser(body: body, delimiter: delimiter, limits: limits).parts()
    }

    /// The boundary that a content type names (RFC 2046 section 5.1.1).
    package static func boundary(in contentType: String) throws(MultipartError) -> [UInt8] {
        guard let type = MediaType(contentType), type.essence == "multipart/form-data" else {
            // Worth telling apart: the type may be right and only a bare boundary wrong.
            let text = contentType.lowercased()
            guard text.hasPrefix("multipart/form-data"), text.contains("boundary") else { throw .notFormData }
            throw .invalidBoundary
        }
        guard let text = type.parameter("boundary") else { throw .missingBoundary }
        let boundary = Array(text.utf8)
        guard (1...70).contains(boundary.count), boundary.last != 0x20, boundary.allSatisfy(\.isBoundaryByte) else {
            throw .invalidBoundary
        }
        return boundary
    }

    private func parts() throws(MultipartError) -> [MultipartPart] {
        var parts: [MultipartPart] = []
        guard var position = endOfOpeningDelimiter() else { throw .missingOpeningDelimiter }
        while true {
            guard let start = try startOfPart(afterDelimiter: position) else { return parts }
            guard parts.count < limits.parts else { throw .tooManyParts(limit: limits.parts) }
            let number = parts.count + 1
            let section = try headers(from: start, part: number)
            // The empty line's own CR LF may be the delimiter's: a part without content.
            guard let end = indexOfDelimiter(from: section.end - 2) else { throw .missingClosingDelimiter }
            let content = body[section.end..<max(section.end, end)]
            parts.append(try part(number, section.headers, content))
            position = end + delimiter.count
        }
    }

    /// The end of the first delimiter's boundary: at the start of the body, or after a preamble.
    private func endOfOpeningDelimiter() -> Int? {
        if body.starts(with: delimiter[2...]) { return delimiter.count - 2 }
        return indexOfDelimiter(from: 0).map { $0 + delimiter.count }
    }

    /// The start of the part whose boundary ends here; nil after the closing delimiter.
    private func startOfPart(afterDelimiter end: Int) throws(MultipartError) -> Int? {
        var position = end
        let isClosing = body[end...].starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")])
        if isClosing { position += 2 }
        while position < body.count, body[position] == 0x20 || body[position] == 0x09 { position += 1 }
        if isClosing, position == body.count { return nil }
        guard position + 1 < body.count else {
            let isCut = position == body.count || body[position] == 0x0D || body[position] == UInt8(ascii: "-")
            throw isCut ? .missingClosingDelimiter : .malformedDelimiter
        }
        guard body[position] == 0x0D, body[position + 1] == 0x0A else { throw .malformedDelimiter }
        return isClosing ? nil : position + 2
    }

    /// The first delimiter at or after a place.
    ///
    /// CR stands only at a delimiter's start, so after a mismatch no byte already compared can begin another one: each
    /// byte is looked at once, or twice when it is itself a CR.
    private func indexOfDelimiter(from start: Int) -> Int? {
        var position = start
        let last = body.count - delimiter.count
        while position <= last {
            guard body[position] == 0x0D else {
                position += 1
                continue
            }
            var matched = 1
            while matched < delimiter.count, body[position + matched] == delimiter[matched] { matched += 1 }
            if matched == delimiter.count { return position }
            position += matched
        }
        return nil
    }

    /// A part's headers, and where its content begins.
    private func headers(
        from start: Int,
        part: Int
    ) throws(MultipartError) -> (headers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)], end: Int) {
        var headers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        var position = start
        while true {
            // An end beyond the limit is not looked for, so a flood costs no more than the limit.
            let bound = min(body.count, start + limits.headerBytesPerPart + 2)
            guard let end = body[position..<bound].firstIndex(of: 0x0D) else {
                throw bound < body.count
                    ? .headersTooLong(part: part, limit: limits.headerBytesPerPart) : .missingClosingDelimiter
            }
            guard end + 1 < body.count else { throw .missingClosingDelimiter }
            guard body[end + 1] == 0x0A else { throw .malformedHeader(part: part) }
            if end == position { return (headers, end + 2) }
            guard end + 2 - start <= limits.headerBytesPerPart else {
                throw .headersTooLong(part: part, limit: limits.headerBytesPerPart)
            }
            guard headers.count < limits.headersPerPart else {
                throw .tooManyHeaders(part: part, limit: limits.headersPerPart)
            }
            let line = body[position..<end]
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > position,
                line[..<colon].allSatisfy(\.isTokenByte), line[colon...].allSatisfy(\.isFieldValueByte)
            else { throw .malformedHeader(part: part) }
            headers.append((line[..<colon], line[(colon + 1)...].trimmingFieldSpace))
            position = end + 2
        }
    }

    private func part(
        _ number: Int,
        _ headers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)],
        _ content: ArraySlice<UInt8>
    ) throws(MultipartError) -> MultipartPart {
        func values(_ name: StaticString) -> [ArraySlice<UInt8>] {
            let wanted = Array("\(name)".utf8)
            return headers.filter { $0.name.lazy.map(\.asciiLowercased).elementsEqual(wanted) }.map(\.value)
        }
        let dispositions = values("content-disposition")
        guard let value = dispositions.first else { throw .missingDisposition(part: number) }
        guard dispositions.count == 1 else { throw .repeatedDisposition(part: number) }
        guard let disposition = FormDataDisposition(value) else { throw .malformedDisposition(part: number) }
        guard let name = disposition.name else { throw .missingName(part: number) }
        for encoding in values("content-transfer-encoding") {
            let lowercased = String(decoding: encoding.map(\.asciiLowercased), as: UTF8.self)
            guard ["binary", "8bit", "7bit"].contains(lowercased) else {
                throw .unsupportedTransferEncoding(part: number)
            }
        }
        return MultipartPart(
            name: name,
            filename: disposition.filename,
            contentType: values("content-type").first.map { String(decoding: $0, as: UTF8.self) },
            headers: headers.map {
                (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
            },
            content: content
        )
    }
}

extension UInt8 {
    /// A character of a boundary (RFC 2046 section 5.1.1, `bchars`).
    fileprivate var isBoundaryByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x20, 0x27, 0x28, 0x29, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x3F, 0x5F: true
        default: false
        }
    }
}
