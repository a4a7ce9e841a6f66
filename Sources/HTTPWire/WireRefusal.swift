package import HTTPMessage

/// The reason for the refusal of a request.
///
/// Every refusal is answered once; all but that of an overload close the connection.
package struct WireRefusal: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        case malformedRequestLine, malformedMethod, malformedTarget, malformedVersion, unsupportedVersion
        case requestLineTooLong, headerSectionTooLarge, tooManyHeaderFields
        case bareLineFeed, bareCarriageReturn, foldedLine, spaceBeforeColon, malformedFieldLine, malformedFieldName
        case malformedFieldValue, leadingWhiteSpace
        case missingHost, repeatedHost, malformedHost
        case conflictingFraming, malformedContentLength, repeatedContentLength, contentLengthTooLarge
        case malformedTransferEncoding, unknownTransferCoding, transferEncodingInHTTP10
        case malformedChunk, chunkLineTooLong, chunkExtensionsTooLarge, malformedTrailer
        case unknownExpectation, headTimeout, bodyTimeout, overload, connectMethod, foreignProtocol
    }

    package var reason: Reason
    /// 400, 408, 413, 414, 417, 431, 501, 503 or 505.
    package var status: Status
    /// The defect in one sentence for people.
    package var detail: String

    package init(reason: Reason, status: Status, detail: String) {
        self.reason = reason
        self.status = status
        self.detail = detail
    }

    static let tlsDetail = "This is a TLS handshake; the port speaks plain HTTP."

    /// Tells that the client spoke TLS.
    package var isTLSHandshake: Bool { reason == .foreignProtocol && detail == Self.tlsDetail }
}
