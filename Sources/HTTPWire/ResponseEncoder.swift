import HTTPMessage

/// Writes the heads and the chunk framing of answers.
enum ResponseEncoder {
    /// The framing field of a head.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// The value of the Connection field.
    enum Persistence {
        /// The version's default: nothing is written.
        case unsaid
        case keepAlive
        case close
    }

    /// Writes a status line, the answer's own fields in their order, then framing, Date and Connection.
    ///
    /// An own framing field that says what ours would stays where it stands, any other is dropped; an own Date or Connection stays and takes the place of ours, except that a
    /// closing connection always says `close`. Field values can't hold a line end: `Fields` refuses such values. `date`
    /// is the text of an IMF-fixdate.
    static func writeHead(
        _ status: Status,
        _ reason: String?,
        _ fields: Fields,
        framing: Framing,
        persistence: Persistence,
        date: [UInt8],
        into output: inout [UInt8]
    ) {
        writeStatusLine(status, reason, into: &output)
        let own = EncoderFields(fields)
        let closesAnyway = own.hasConnection && persistence == .close
        let keepsConnection = closesAnyway && saysUpgradeAndClose(fields)
        let replacesConnection = closesAnyway && !keepsConnection
        var isFramed = false
        if own.hasFraming || replacesConnection {
            for place in 0..<fields.count {
                let name = fields.nameBytes(at: place)
                if EncoderFields.Kind.mayBeOwn(length: name.count) {
                    switch EncoderFields.Kind(name) {
                    case .framing where !isFramed && says(framing, name, fields.valueBytes(at: place)): isFramed = true
                    case .framing: continue
                    case .connection where replacesConnection: continue
                    default: break
                    }
                }
                if let line = fields.plainLine(at: place) {
                    output.append(contentsOf: line)
                    continue
                }
                output.append(contentsOf: name)
                output.append(.colon)
                output.append(.space)
                output.append(contentsOf: fields.valueBytes(at: place))
                output.append(contentsOf: lineEnd)
            }
        } else {
            output.append(contentsOf: fields.wire)
        }
        switch framing {
        case _ where isFramed: break
        case .none: break
        case .length(let length):
            output.append(contentsOf: contentLength)
            output.append(decimal: length)
            // The most frequent ending of all, in as few pieces as it can be.
            guard own.hasDate || persistence != .unsaid else {
                output.append(contentsOf: nextDateName)
                output.append(contentsOf: date)
                output.append(contentsOf: headEnd)
                return
            }
            output.append(contentsOf: lineEnd)
        case .chunked: output.append(contentsOf: transferEncoding)
        }
        if !own.hasDate {
            output.append(contentsOf: dateName)
            output.append(contentsOf: date)
            output.append(contentsOf: lineEnd)
        }
        switch persistence {
        case .close where keepsConnection: break
        case .close: output.append(contentsOf: connectionClose)
        case .keepAlive where !own.hasConnection: output.append(contentsOf: connectionKeepAlive)
        case .keepAlive, .unsaid: break
        }
        output.append(contentsOf: lineEnd)
    }

    /// Tells whether the fields have the close in them beside an upgrade, which has to stay (RFC 9110 section 7.8).
    private static func saysUpgradeAndClose(_ fields: Fields) -> Bool {
        let options = fields.listElements(.connection).map { $0.lowercased() }
        return options.contains("upgrade") && options.contains("close")
    }

    /// Returns true if a field states exactly the framing.
    private static func says(_ framing: Framing, _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
        switch framing {
        case .none: return false
        case .length(let length):
            var digits: [UInt8] = []
            digits.append(decimal: length)
            return name.count == 14 && value.elementsEqual(digits)
        case .chunked: return name.count == 17 && value.elementsEqual("chunked".utf8)
        }
    }

    /// Writes an interim answer: status line and its fields, nothing added (RFC 9110 section 15.2).
    static func writeInterim(_ status: Status, _ fields: Fields, into output: inout [UInt8]) {
        writeStatusLine(status, into: &output)
        output.append(contentsOf: fields.wire)
        output.append(contentsOf: lineEnd)
    }

    /// Writes one chunk.
    ///
    /// Nothing for no bytes: an empty chunk would end the content.
    static func writeChunk(_ bytes: [UInt8], into output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output.append(hexadecimal: bytes.count)
        output.append(contentsOf: lineEnd)
        output.append(contentsOf: bytes)
        output.append(contentsOf: lineEnd)
    }

    /// Writes the last chunk and the trailer section.
    static func writeLastChunk(_ trailers: Fields, into output: inout [UInt8]) {
        output.append(contentsOf: lastChunk)
        output.append(contentsOf: trailers.wire)
        output.append(contentsOf: lineEnd)
    }

    private static let lineEnd: [UInt8] = [.carriageReturn, .lineFeed]
    private static let headEnd = lineEnd + lineEnd
    private static let nextDateName = Array("\r\nDate: ".utf8)
    private static let lastChunk = Array("0\r\n".utf8)
    private static let contentLength = Array("Content-Length: ".utf8)
    private static let transferEncoding = Array("Transfer-Encoding: chunked\r\n".utf8)
    private static let dateName = Array("Date: ".utf8)
    private static let connectionClose = Array("Connection: close\r\n".utf8)
    private static let connectionKeepAlive = Array("Connection: keep-alive\r\n".utf8)

    /// The status lines of 100 to 599, written out once.
    private static let statusLines = (100..<600).map { statusLine(Status($0)) }

    /// The maximum length of a reason phrase chosen by another server; clients read lines of limited length only.
    private static let longestReason = 512

    /// Writes a reason chosen by another server without the bytes that a status line can't hold (RFC 9112 section 4).
    private static func writeStatusLine(_ status: Status, _ reason: String? = nil, into output: inout [UInt8]) {
        if let reason, reason != status.reasonPhrase {
            var line = Array("HTTP/1.1 ".utf8)
            line.append(decimal: status.code)
            line.append(.space)
            for byte in reason.utf8.prefix(longestReason) where byte >= 0x20 && byte != 0x7F || byte == 0x09 {
                line.append(byte)
            }
            output.append(contentsOf: line + lineEnd)
            return
        }
        let place = status.code - 100
        if statusLines.indices.contains(place) {
            output.append(contentsOf: statusLines[place])
        } else {
            output.append(contentsOf: statusLine(status))
        }
    }

    /// Always HTTP/1.1, whatever the client speaks: it is the version of the server (RFC 9110 section 2.5).
    private static func statusLine(_ status: Status) -> [UInt8] {
        var line = Array("HTTP/1.1 ".utf8)
        line.append(decimal: status.code)
        line.append(.space)
        line.append(contentsOf: status.reasonPhrase.utf8)
        line.append(contentsOf: lineEnd)
        return line
    }
}

/// Which of the fields that the encoder would write an answer brings itself.
struct EncoderFields {
    enum Kind {
        case framing, connection, date, other

        /// Returns true if a name of this length may be one of the encoder's own; the bits of `lengths` decide nearly
        /// every case.
        static func mayBeOwn(length: Int) -> Bool { length < 18 && (1 << length) & lengths != 0 }
        private static var lengths: Int { 1 << 4 | 1 << 10 | 1 << 14 | 1 << 17 }

        init(_ name: ArraySlice<UInt8>) {
            self =
                switch name.count {
                case 4 where Self.isName(name, EncoderFields.dateName): .date
                case 10 where Self.isName(name, EncoderFields.connectionName): .connection
                case 14 where Self.isName(name, EncoderFields.contentLengthName): .framing
                case 17 where Self.isName(name, EncoderFields.transferEncodingName): .framing
                default: .other
                }
        }

        private static func isName(_ name: ArraySlice<UInt8>, _ text: [UInt8]) -> Bool {
            var place = name.startIndex
            for byte in text {
                if name[place].lowercased != byte { return false }
                place += 1
            }
            return true
        }
    }

    private(set) var hasFraming = false
    private(set) var hasConnection = false
    private(set) var hasDate = false

    private static let dateName = Array("date".utf8)
    private static let connectionName = Array("connection".utf8)
    private static let contentLengthName = Array("content-length".utf8)
    private static let transferEncodingName = Array("transfer-encoding".utf8)

    init(_ fields: Fields) {
        for place in 0..<fields.count where Kind.mayBeOwn(length: fields.nameLength(at: place)) {
            switch Kind(fields.nameBytes(at: place)) {
            case .framing: hasFraming = true
            case .connection: hasConnection = true
            case .date: hasDate = true
            case .other: break
            }
        }
    }
}
