import HTTPMessage

/// The consequences of a complete head for its connection: the framing of the content and the persistence.
struct MessageRules {
    let announced: ConnectionMachine.AnnouncedLength
    /// True if the client allows the connection to persist (RFC 9112 section 9.3).
    let keepsAlive: Bool
    /// True if the client waits for a 100 before it sends the content.
    ///
    /// Never for HTTP/1.0 (RFC 9110 section 10.1.1).
    let awaitsContinue: Bool

    /// Checks Host, framing and Expect, in that order.
    init(_ head: borrowing RequestHead, _ noted: NotedFields) throws(WireRefusal) {
        try Self.checkHost(head, noted)
        announced = try Self.framing(head, noted)
        keepsAlive = head.version == .http11 ? !noted.asksClose : noted.asksKeepAlive && !noted.asksClose
        let expectsContinue = noted.expect.count > 0 ? try Self.expectsContinue(head) : false
        awaitsContinue = expectsContinue && head.version == .http11
    }

    /// RFC 9112 section 3.2: exactly one valid Host in HTTP/1.1, at most one in HTTP/1.0.
    ///
    /// An empty one is only right beside an absolute target, whose authority is used instead.
    private static func checkHost(_ head: RequestHead, _ noted: NotedFields) throws(WireRefusal) {
        guard noted.host.count > 0 else {
            guard head.version == .http10 else {
                throw .malformed(.missingHost, "An HTTP/1.1 request needs a Host field.")
            }
            return
        }
        guard noted.host.count == 1 else { throw .malformed(.repeatedHost, "There is more than one Host field.") }
        let fields = head.fields
        let value = fields.valueBytes(at: noted.host.first)
        if value.isEmpty, case .absolute = head.form { return }
        guard HostSyntax.isAuthority(fields.wire, value.startIndex..<value.endIndex) else {
            throw .malformed(.malformedHost, "The Host field is not a host with an optional port.")
        }
    }

    private static func framing(
        _ head: RequestHead,
        _ noted: NotedFields
    ) throws(WireRefusal) -> ConnectionMachine.AnnouncedLength {
        if noted.transferEncoding.count > 0 {
            guard head.version == .http11 else {
                throw .malformed(.transferEncodingInHTTP10, "HTTP/1.0 has no Transfer-Encoding (RFC 9112 section 6.1).")
            }
            guard noted.contentLength.count == 0 else {
                throw .malformed(
                    .conflictingFraming,
                    "Content-Length and Transfer-Encoding stand together (RFC 9112 section 6.1)."
                )
            }
            try checkTransferCodings(head.fields, from: noted.transferEncoding.first)
            return .chunked
        }
        guard noted.contentLength.count > 0 else { return .none }
        guard noted.contentLength.count == 1 else {
            throw .malformed(.repeatedContentLength, "There is more than one Content-Length field.")
        }
        return .known(try length(head.fields.valueBytes(at: noted.contentLength.first)))
    }

    /// Digits only (RFC 9110 section 8.6): the standard library's integer parser would take a sign.
    private static func length(_ value: ArraySlice<UInt8>) throws(WireRefusal) -> Int {
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else {
            throw value.contains(.comma)
                ? .malformed(.repeatedContentLength, "Content-Length is a list.")
                : .malformed(.malformedContentLength, "Content-Length is not a number of decimal digits.")
        }
        var length = 0
        for digit in value {
            let (product, tooLong) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(Int(digit - 0x30))
            guard !tooLong, !overflow else {
                throw .malformed(.contentLengthTooLarge, "Content-Length is larger than any content can be.")
            }
            length = sum
        }
        return length
    }

    private static let registeredCodings: Set<[UInt8]> = [
        Array("gzip".utf8), Array("x-gzip".utf8), Array("deflate".utf8), Array("compress".utf8),
        Array("x-compress".utf8), Array("identity".utf8),
    ]
    private static let chunked = Array("chunked".utf8)

    /// Passes when the one coding is `chunked`, over all lines (RFC 9112 sections 6.1 and 7).
    private static func checkTransferCodings(_ fields: Fields, from first: Int) throws(WireRefusal) {
        var codings: [[UInt8]] = []
        let name = fields.nameBytes(at: first).map(\.lowercased)
        for place in first..<fields.count where fields.nameBytes(at: place).map(\.lowercased) == name {
            let wire = fields.wire
            let value = fields.valueBytes(at: place)
            for element in value.split(separator: .comma, omittingEmptySubsequences: false) {
                let coding = wire.trimmingBlanks(element.startIndex..<element.endIndex)
                guard !coding.isEmpty, wire[coding].allSatisfy(\.isToken) else {
                    throw .malformed(.malformedTransferEncoding, "Transfer-Encoding is not a list of plain codings.")
                }
                codings.append(wire[coding].map(\.lowercased))
            }
        }
        guard codings != [chunked] else { return }
        if let place = codings.firstIndex(of: chunked), place < codings.count - 1 {
            throw .malformed(.malformedTransferEncoding, "The coding chunked is not the last, or stands twice.")
        }
        let others = codings.filter { $0 != chunked }
        if others.contains(where: { resemblesChunked($0) }) {
            throw .malformed(.malformedTransferEncoding, "Transfer-Encoding holds a disguised chunked.")
        }
        guard codings.last == chunked || !others.allSatisfy({ registeredCodings.contains($0) }) else {
            throw .malformed(.malformedTransferEncoding, "Transfer-Encoding does not end in chunked.")
        }
        throw WireRefusal(
            reason: .unknownTransferCoding,
            status: .notImplemented,
            detail: "The only transfer coding spoken is chunked."
        )
    }

    private static func resemblesChunked(_ coding: [UInt8]) -> Bool {
        coding.indices.contains { coding[$0...].starts(with: chunked) }
    }

    private static let continueExpectation = Array("100-continue".utf8)

    private static func expectsContinue(_ head: RequestHead) throws(WireRefusal) -> Bool {
        let expectations = head.fields.listElements(.expect)
        guard expectations.allSatisfy({ $0.utf8.elementsEqual(continueExpectation) }) else {
            throw WireRefusal(
                reason: .unknownExpectation,
                status: .expectationFailed,
                detail: "The only expectation met is 100-continue (RFC 9110 section 10.1.1)."
            )
        }
        return !expectations.isEmpty
    }
}
