import HTTPMessage

/// A checked request line (RFC 9112 section 3): exactly one space between its three parts.
struct RequestLine {
    let method: HTTPMethod
    let target: RequestTarget
    let version: HTTPVersion

    /// More bytes than any registered method has; one more is 501.
    private static let longestMethod = 32

    /// Checks the line in that range, given without its line end.
    ///
    /// Only visible ASCII and spaces may be in it.
    init(_ buffer: [UInt8], _ line: Range<Int>, takesConnect: Bool = false) throws(WireRefusal) {
        let methodEnd = try Self.methodEnd(buffer, line)
        let targetStart = methodEnd + 1
        var targetEnd = targetStart
        while targetEnd < line.upperBound, buffer[targetEnd] != .space { targetEnd += 1 }
        let method = HTTPMethod(buffer[line.lowerBound..<methodEnd])
        guard targetEnd > targetStart else {
            throw .malformed(.malformedRequestLine, "The request target is missing.")
        }
        guard targetEnd < line.upperBound else {
            throw .malformed(.malformedVersion, "The request line has no protocol version; HTTP/0.9 is not spoken.")
        }
        let version = try Self.version(buffer, targetEnd + 1..<line.upperBound, method: method)
        guard method.rawValue != "CONNECT" || takesConnect else {
            throw WireRefusal(
                reason: .connectMethod,
                status: .notImplemented,
                detail: "This server is no proxy: CONNECT."
            )
        }
        let target = try RequestTarget(buffer, targetStart..<targetEnd, method: method)
        (self.method, self.target, self.version) = (method, target, version)
    }

    private static func methodEnd(_ buffer: [UInt8], _ line: Range<Int>) throws(WireRefusal) -> Int {
        var end = line.lowerBound
        while end < line.upperBound, buffer[end].isToken { end += 1 }
        guard end < line.upperBound else {
            throw .malformed(.malformedRequestLine, "The request line has only one part.")
        }
        guard buffer[end] == .space else {
            throw .malformed(.malformedMethod, "The method is not a token.")
        }
        guard end > line.lowerBound else {
            throw .malformed(.malformedRequestLine, "The request line starts with a space.")
        }
        guard end - line.lowerBound <= longestMethod else {
            throw WireRefusal(
                reason: .malformedMethod,
                status: .notImplemented,
                detail: "The method is longer than \(longestMethod) bytes."
            )
        }
        return end
    }

    /// Exactly `HTTP/d.d`.
    ///
    /// A minor version above 1 is treated as 1.1 (RFC 9110 section 2.5).
    private static func version(
        _ buffer: [UInt8],
        _ range: Range<Int>,
        method: HTTPMethod
    ) throws(WireRefusal) -> HTTPVersion {
        let start = range.lowerBound
        let isVersion =
            range.count == 8 && buffer[start] == 0x48 && buffer[start + 1] == 0x54 && buffer[start + 2] == 0x54
            && buffer[start + 3] == 0x50 && buffer[start + 4] == 0x2F && buffer[start + 5].isDigit
            && buffer[start + 6] == 0x2E && buffer[start + 7].isDigit
        guard isVersion else {
            if method.rawValue == "PROXY" {
                throw .malformed(.foreignProtocol, "This is a PROXY protocol line; the port speaks plain HTTP.")
            }
            throw buffer[range].contains(.space)
                ? .malformed(.malformedRequestLine, "The request line has more than two spaces.")
                : .malformed(.malformedVersion, "The protocol version is not of the form HTTP/1.1.")
        }
        guard buffer[start + 5] == 0x31 else {
            if method.rawValue == "PRI" {
                throw .malformed(.foreignProtocol, "This is an HTTP/2 preface; the port speaks HTTP/1.1.")
            }
            throw WireRefusal(
                reason: .unsupportedVersion,
                status: .versionNotSupported,
                detail: "Only HTTP/1.0 and HTTP/1.1 are spoken."
            )
        }
        return buffer[start + 7] == 0x30 ? .http10 : .http11
    }
}
