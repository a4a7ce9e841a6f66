package import HTTPMessage

/// A syntax error in the response of a server.
package struct ResponseFault: Error, Sendable, Equatable {
    /// One sentence for a person.
    package var detail: String

    package init(_ detail: String) { self.detail = detail }
}

/// The strict, incremental parser of one response (RFC 9112), as a client reads it.
///
/// Content is returned as it arrives; interim responses are skipped. The owner reports the server's close.
package struct ResponseParser: Sendable {
    /// The rule for the end of the content.
    package enum Framing: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    /// A final answer's head.
    package struct Head: Sendable {
        package var status: Status
        /// As sent; may be empty.
        package var reason: String
        package var fields: Fields
        package var framing: Framing
        /// Bytes from the status line to the empty line.
        package var wireLength: Int
    }

    package enum Event: Sendable {
        case head(Head)
        case content([UInt8])
        /// The answer is complete, with its trailers.
        case end(Fields)
    }

    private enum Phase {
        case statusLine
        case fields
        case length(left: Int)
        case chunked
        case untilClose
        /// Only the end is still to be given out, with these trailers.
        case ended(Fields)
        case complete
    }

    /// Interim answers that are passed over.
    private static let mostInterims = 16
    private static let longestStatusLine = 8 * 1_024

    private let isHead: Bool
    private let limits: WireLimits
    private var buffer: [UInt8] = []
    private var position = 0
    private var phase = Phase.statusLine
    private var section = FieldSection(ofResponse: true)
    private var decoder: ChunkedDecoder?
    private var line: (version: HTTPVersion, status: Status, reason: String) = (.http11, .ok, "")
    private var lineLength = 0
    private var interims = 0

    /// - Parameters:
    ///   - isHead: whether the request's method was HEAD, whose answer has no content.
    ///   - limits: those of the header section and the chunk lines count.
    package init(isHead: Bool, limits: WireLimits = Self.standardLimits) {
        self.isHead = isHead
        self.limits = limits
    }

    /// The limits, wider than those for clients: real servers send much.
    package static var standardLimits: WireLimits {
        var limits = WireLimits()
        limits.headerSection = 256 * 1_024
        limits.headerFields = 1_000
        return limits
    }

    package var isComplete: Bool {
        if case .complete = phase { true } else { false }
    }

    /// Adds received bytes; `next` returns the events that they complete.
    package mutating func received(_ bytes: ArraySlice<UInt8>) {
        if position > 0 {
            buffer.removeFirst(position)
            position = 0
        }
        buffer += bytes
    }

    /// Returns the next event; nil when more bytes are needed or the response is complete.
    package mutating func next() throws(ResponseFault) -> Event? {
        while true {
            switch phase {
            case .statusLine:
                guard try readStatusLine() else { return nil }
            case .fields:
                guard try readFields() else { return nil }
                guard let head = try concludeHead() else { continue }
                return .head(head)
            case .length(left: 0):
                phase = .complete
                return .end(Fields())
            case .length(let left):
                let count = min(left, buffer.count - position)
                guard count > 0 else { return nil }
                phase = .length(left: left - count)
                return .content(take(count))
            case .untilClose:
                guard position < buffer.count else { return nil }
                return .content(take(buffer.count - position))
            case .chunked: return try readChunked()
            case .ended(let trailers):
                phase = .complete
                return .end(trailers)
            case .complete: return nil
            }
        }
    }

    /// The server has closed: the end of content that has no other, or a fault.
    package mutating func closed() throws(ResponseFault) -> Event? {
        switch phase {
        case .untilClose:
            phase = .complete
            return .end(Fields())
        case .complete: return nil
        case .statusLine where buffer.count == position:
            throw ResponseFault("The server closed the connection without an answer.")
        case .statusLine, .fields: throw ResponseFault("The server closed the connection in the head of its answer.")
        case .length(let left): throw ResponseFault("The server closed the connection \(left) bytes before the end.")
        case .chunked: throw ResponseFault("The server closed the connection in the middle of chunked content.")
        case .ended(let trailers):
            phase = .complete
            return .end(trailers)
        }
    }

    /// The connection was cut, not closed by the server: what is missing then, even where a close would be an end.
    package mutating func cut() throws(ResponseFault) -> ResponseFault {
        if case .untilClose = phase {
            return ResponseFault("The connection was cut; nothing says whether the content was complete.")
        }
        _ = try closed()
        return ResponseFault("The connection was cut.")
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let bytes = Array(buffer[position..<position + count])
        position += count
        return bytes
    }

    /// Takes the bytes that no event has: those behind the head of an answer to CONNECT belong to the tunnel.
    package mutating func takeRest() -> [UInt8] { take(buffer.count - position) }

    // MARK: Head

    /// `HTTP/1.x SP 3DIGIT [SP reason] CRLF`.
    private mutating func readStatusLine() throws(ResponseFault) -> Bool {
        guard let end = buffer[position...].firstIndex(of: .lineFeed) else {
            guard buffer.count - position <= Self.longestStatusLine else {
                throw ResponseFault("The status line is longer than \(Self.longestStatusLine) bytes.")
            }
            let expected = Array("HTTP/1.".utf8)
            guard expected.starts(with: buffer[position...].prefix(expected.count)) else { throw Self.noHTTP }
            return false
        }
        guard end > position, buffer[end - 1] == .carriageReturn else {
            throw ResponseFault("The status line ends in LF without CR.")
        }
        let text = buffer[position..<end - 1]
        guard text.count <= Self.longestStatusLine else {
            throw ResponseFault("The status line is longer than \(Self.longestStatusLine) bytes.")
        }
        let bytes = Array(text)
        guard bytes.count >= 12, bytes.starts(with: Array("HTTP/1.".utf8)), bytes[7] == 0x30 || bytes[7] == 0x31,
            bytes[8] == .space, bytes[9..<12].allSatisfy(\.isDigit), bytes.count == 12 || bytes[12] == .space
        else { throw Self.noHTTP }
        let reason = bytes.dropFirst(13)
        guard reason.allSatisfy(\.isFieldValue) else { throw ResponseFault("The reason phrase holds a control byte.") }
        let code = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard code >= 100 else { throw ResponseFault("\(code) is no status.") }
        line = (
            bytes[7] == 0x30 ? .http10 : .http11, Status(code), String(decoding: reason, as: UTF8.self)
        )
        lineLength = text.count + 2
        position = end + 1
        section = FieldSection(ofResponse: true)
        phase = .fields
        return true
    }

    private static var noHTTP: ResponseFault { ResponseFault("The answer does not begin as one of HTTP/1.1 does.") }

    private mutating func readFields() throws(ResponseFault) -> Bool {
        do throws(WireRefusal) {
            return try section.parse(buffer, from: &position, limits: limits)
        } catch {
            throw ResponseFault(error.detail)
        }
    }

    /// The head of a final answer; nil behind an interim one.
    private mutating func concludeHead() throws(ResponseFault) -> Head? {
        if line.status.code < 200 {
            guard line.status.code != 101 else { throw ResponseFault("The server switched to another protocol.") }
            interims += 1
            guard interims <= Self.mostInterims else {
                throw ResponseFault("More than \(Self.mostInterims) interim answers came.")
            }
            phase = .statusLine
            return nil
        }
        let wireLength = lineLength + section.bytes + 2
        let framing = try framing()
        switch framing {
        case .none: phase = .length(left: 0)
        case .length(let length): phase = .length(left: length)
        case .chunked:
            decoder = ChunkedDecoder(after: section)
            phase = .chunked
        case .untilClose: phase = .untilClose
        }
        return Head(
            status: line.status,
            reason: line.reason,
            fields: section.takeFields(),
            framing: framing,
            wireLength: wireLength
        )
    }

    /// RFC 9112 section 6.3.
    private func framing() throws(ResponseFault) -> Framing {
        let noted = section.noted
        if noted.transferEncoding.count > 0 {
            guard line.version == .http11 else { throw ResponseFault("HTTP/1.0 has no Transfer-Encoding.") }
            guard noted.contentLength.count == 0 else {
                throw ResponseFault("Content-Length and Transfer-Encoding stand together.")
            }
            guard section.fields.listElements(.transferEncoding) == ["chunked"] else {
                throw ResponseFault("The only transfer coding spoken is chunked.")
            }
        }
        var length: Int?
        if noted.contentLength.count > 0 {
            let values = section.fields.values(.contentLength)
            guard Set(values).count == 1, let text = values.first, !text.isEmpty,
                text.utf8.allSatisfy(\.isDigit), let number = Int(text)
            else { throw ResponseFault("Content-Length is not one number.") }
            length = number
        }
        if isHead || line.status.forbidsBody { return .none }
        if noted.transferEncoding.count > 0 { return .chunked }
        return length.map { .length($0) } ?? .untilClose
    }

    // MARK: Chunks

    private mutating func readChunked() throws(ResponseFault) -> Event? {
        // Chunks that are there already go out as one.
        var content: [UInt8] = []
        while true {
            do throws(WireRefusal) {
                guard let piece = try decoder?.next(buffer, from: &position, limits: limits) else {
                    return content.isEmpty ? nil : .content(content)
                }
                switch piece {
                case .chunk: continue
                case .data(let range):
                    content += buffer[range]
                case .end:
                    let trailers = decoder?.trailers ?? Fields()
                    phase = .ended(trailers)
                    // The end is given out by the next call.
                    guard content.isEmpty else { return .content(content) }
                    phase = .complete
                    return .end(trailers)
                }
            } catch {
                throw ResponseFault(error.detail)
            }
        }
    }
}
