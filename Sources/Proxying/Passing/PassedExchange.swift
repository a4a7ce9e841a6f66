import Backend
import HTTPMessage
import HTTPWire
import Recording
package import Transport

/// A request that the forward proxy passes on: the response passes as it came.
///
/// It belongs to the loop's thread.
package final class PassedExchange {
    private let id: ExchangeID
    private weak var server: Server?
    private let isHead: Bool
    private let date: [UInt8]
    var upstream: UpstreamExchange?
    private var hop: ConnectionField?
    private var isOpen = false
    private var isOver = false
    /// Called with the status when the response has begun.
    package var onHead: (Int) -> Void = { _ in }
    /// Returns the response to a client whose request was not answered.
    package var onFailure: (UpstreamFailure) -> PlayableResponse? = { _ in nil }

    package init(_ id: ExchangeID, _ server: Server, isHead: Bool, date: [UInt8]) {
        self.id = id
        self.server = server
        self.isHead = isHead
        self.date = date
    }

    /// Notes that the client has taken a piece of that much content.
    package func consumed(_ bytes: Int) -> Bool {
        upstream?.consumed(bytes)
        return true
    }

    /// Ends it, because its client has left or has all.
    package func cancel() {
        isOver = true
        upstream?.cancel()
    }

    func received(_ event: UpstreamEvent) {
        guard !isOver else { return }
        switch event {
        case .head(let head): begin(head)
        case .content(let bytes):
            if isOpen {
                server?.push(id, steps: [.bytes(bytes), .effect(bytes.count)], isMetered: true)
            } else {
                upstream?.consumed(bytes.count)
            }
        case .end(let all):
            let trailers = hop?.endToEnd(all) ?? all
            if isOpen { server?.push(id, steps: trailers.isEmpty ? [.end] : [.trailers(trailers), .end]) }
        case .failed(let failure):
            if isOpen {
                server?.push(id, steps: [.abort])
            } else if hop == nil, let answer = onFailure(failure) {
                server?.complete(id, with: answer)
            }
        }
    }

    private func begin(_ head: ResponseParser.Head) {
        let hop = ConnectionField(head.fields)
        self.hop = hop
        var response = Response(status: head.status, fields: hop.endToEnd(head.fields))
        response.reason = head.reason
        switch head.framing {
        case .length(let length) where length > 0:
            response.framing = .length(length)
            response.body = .steps([])
        case .length: response.body = .empty
        case .chunked, .untilClose: response.body = .steps([])
        case .none:
            response.framing = head.fields[.contentLength].flatMap { Int($0) }.map { .length($0) }
            response.body = isHead && !head.status.forbidsBody ? .steps([.end]) : .empty
        }
        if case .steps(let steps) = response.body { isOpen = steps.isEmpty }
        onHead(head.status.code)
        server?.complete(id, with: PlayableResponse(response: response, date: date, world: -1, staysOpen: isOpen))
    }
}
