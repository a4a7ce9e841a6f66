import HTTPMessage

/// The id that every exchange has (control contract, section 3).
package enum RequestID {
    private static let ownPrefix = "req_"

    /// A caller's id if it is sane: 1 to 128 visible ASCII characters.
    package static func sane(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...128).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func own(_ number: UInt64) -> String { ownPrefix + String(number) }

    /// The number of an id spelled as our own are; nil if it is spelled differently.
    static func number(ofOwn id: String) -> UInt64? {
        guard id.hasPrefix(ownPrefix), let number = UInt64(id.dropFirst(ownPrefix.count)), own(number) == id else {
            return nil
        }
        return number
    }
}

extension Emulator {
    /// Gives an exchange its id, unless it has one: the caller's, or one of the world's counter for the API.
    func identify(_ exchange: Exchange) {
        guard exchange.identification == .pending else { return }
        if let sent = exchange.call.request.head.bytes(of: .requestID).flatMap(RequestID.sane) {
            exchange.identification = .client
            exchange.call.requestID = sent
        } else {
            exchange.identification = .own
            exchange.call.requestID = RequestID.own(exchange.hosted.world.countRequest(exchange.apiIndex))
        }
    }

    /// Puts the id on the answer; an API's own rule for it wins, and the journal goes by what the client was told.
    func stampRequestID(_ exchange: Exchange) -> Progress {
        exchange.ruledID = exchange.response.fields[.requestID]
        guard exchange.ruledID == nil, !exchange.call.hidesRequestID, !isRecordedPreflight(exchange) else {
            return .next
        }
        exchange.response.fields.append(.requestID, exchange.call.requestID)
        return .next
    }

    /// A recorded answer to a preflight, which nobody but the browser reads, stays as it is.
    private func isRecordedPreflight(_ exchange: Exchange) -> Bool {
        exchange.call.method == .options && (exchange.responder.answersAnyPath || exchange.responder.isFinal)
            && exchange.response.fields.contains("Access-Control-Allow-Methods")
    }
}
