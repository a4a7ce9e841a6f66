package import Handshakes

/// Joins the records of a client's first message and reads it, before OpenSSL sees a byte.
package struct ClientHelloReader {
    package enum Reading: Hashable, Sendable {
        /// More bytes are needed.
        case incomplete
        case complete(ClientHello)
        /// The bytes are no TLS; the alert says why.
        case invalid(TLSAlert)
    }

    /// The most bytes of the message; what browsers send has two thousand at most.
    package static let longest = 16 * 1024
    /// The first byte of every TLS connection: a handshake record.
    package static let firstByte: UInt8 = 22

    /// Everything received so far.
    package private(set) var bytes: [UInt8] = []
    /// The content of the records that are complete.
    private var message: [UInt8] = []
    /// The beginning of the next record in `bytes`.
    private var place = 0

    package init() {}

    /// Takes more bytes and reads on.
    package mutating func received(_ more: ArraySlice<UInt8>) -> Reading {
        bytes.append(contentsOf: more)
        while true {
            if let reading = messageRead() { return reading }
            // The parts of a header are checked as they come, so that what is no TLS is known soon.
            let left = bytes.count - place
            if left > 0, bytes[place] != Self.firstByte { return .invalid(.unexpectedMessage) }
            if left > 1, bytes[place + 1] != 3 { return .invalid(.protocolVersion) }
            guard left >= 5 else { return .incomplete }
            let length = Int(bytes[place + 3]) << 8 | Int(bytes[place + 4])
            guard (1...Self.longest).contains(length) else { return .invalid(.decodeError) }
            guard left >= 5 + length else { return headerRead(bytes[(place + 5)...]) }
            message.append(contentsOf: bytes[(place + 5)..<(place + 5 + length)])
            place += 5 + length
        }
    }

    /// Reads the message; nil while records are missing.
    private func messageRead() -> Reading? {
        // A wrong first byte is told at once, whether or not the next record is there already.
        if case .invalid(let alert) = headerRead([]) { return .invalid(alert) }
        guard message.count >= 4 else { return nil }
        let length = message[1...3].reduce(0) { $0 << 8 | Int($1) }
        guard message.count >= 4 + length else { return nil }
        // Nothing may follow before the server's answer.
        guard message.count == 4 + length, let hello = ClientHello(body: message[4...]) else {
            return .invalid(.decodeError)
        }
        return .complete(hello)
    }

    /// Checks the header of the message as far as it is there, together with a part of the next record.
    private func headerRead(_ more: ArraySlice<UInt8>) -> Reading {
        let header = message.prefix(4) + more.prefix(max(4 - message.count, 0))
        if let first = header.first, first != 1 { return .invalid(.unexpectedMessage) }
        guard header.count == 4 else { return .incomplete }
        let length = header.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        return length > Self.longest ? .invalid(.decodeError) : .incomplete
    }
}
