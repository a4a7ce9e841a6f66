import Backend
import HTTPMessage
import Worlds

extension Emulator {
    /// Gives an exchange its id, unless it has one: the client's, or one of the world's counter for the API.
    package func identify(_ exchange: Exchange) {
        guard exchange.identification == .pending else { return }
        if let sent = exchange.call.request.head.bytes(of: .requestID).flatMap(RequestID.sane) {
            exchange.identification = .client
            exchange.call.requestID = sent
        } else {
            exchange.identification = .own
            exchange.call.requestID = RequestID.own(exchange.hosted.world.countRequest(exchange.apiIndex))
        }
    }

    /// Puts the id on the response.
    ///
    /// An API's own rule for it wins, and the journal uses the id that the client was sent.
    package func stampRequestID(_ exchange: Exchange) -> Progress {
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
        exchange.call.request.head.method == .options
            && (exchange.responder.answersAnyPath || exchange.responder.isFinal)
            && exchange.response.fields.contains("Access-Control-Allow-Methods")
    }
}
