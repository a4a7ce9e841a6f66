import HTTPMessage

/// The id of an exchange (control contract, section 3).
package enum RequestID {
    private static let ownPrefix = "req_"

    /// Returns a client's id if it is valid: 1 to 128 visible ASCII characters.
    package static func sane(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...128).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func own(_ number: UInt64) -> String { "\(ownPrefix)\(number)" }

    /// Returns the number in an id spelled like our own; nil if it is spelled differently.
    static func number(ofOwn id: String) -> UInt64? {
        guard id.hasPrefix(ownPrefix), let number = UInt64(id.dropFirst(ownPrefix.count)), own(number) == id else {
            return nil
        }
        return number
    }
}

extension Emulator {
    /// Gives an exchange its id, unless it has one: the client's, or one of the world's counter for the API.
    func identify(_ exchange: Exchange) {
        guard !exchange.hasID else { return }
        exchange.hasID = true
        if let sent = exchange.call.request.head.fields.bytes(.requestID).flatMap(RequestID.sane) {
            exchange.isOwnID = false
            exchange.call.requestID = sent
        } else {
            exchange.isOwnID = true
            exchange.call.requestID = RequestID.own(exchange.hosted.world.countRequest(exchange.apiIndex))
        }
    }

    /// Puts the id on the response.
    ///
    /// An API's own rule for it wins, and the journal uses the id that the client was sent.
    func stampRequestID(_ exchange: Exchange) -> Progress {
        exchange.ruledID = exchange.response.fields[.requestID]
        guard exchange.ruledID == nil, !exchange.call.hidesRequestID, !isRecordedPreflight(exchange) else {
            return .next
        }
        exchange.response.fields.append(.requestID, exchange.call.requestID)
        return .next
    }

    /// Returns whether it is a recorded response to a preflight.
    ///
    /// Only the browser reads it, so it stays unchanged.
    private func isRecordedPreflight(_ exchange: Exchange) -> Bool {
        exchange.call.method == .options && (exchange.responder.answersAnyPath || exchange.responder.isFinal)
            && exchange.response.fields.contains("Access-Control-Allow-Methods")
    }
}
