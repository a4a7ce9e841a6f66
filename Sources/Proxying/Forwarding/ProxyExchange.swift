import Control
import Emulation
import HTTPMessage
import Recording
import Transport

/// One exchange that is with a real backend, on behalf of a client's on which it hangs.
final class ProxyExchange: UpstreamCall {
    private unowned let controller: ProxyController
    /// The client's.
    let exchange: Exchange
    /// The source of the client's answer; nil in mode `diff`, where the emulation gives it.
    let responder: UpstreamResponder?
    /// The request as it was made.
    let request: HTTPRequest
    let mode: APIMode
    /// Whether the exchange goes into the recording.
    let isRecorded: Bool
    var capture: CapturedExchange
    /// The part of the memory for all of them that the capture holds.
    let share: CaptureBudget.Share
    /// Takes out what the journal and the recording must not keep.
    let redactor: Redactor
    /// The recorder of the mode when it began.
    var recorder: Recorder?
    var upstream: UpstreamExchange?
    /// The head has come, and with it the answer to the client has begun.
    var hasHead = false
    /// Which fields of the answer belong to the connection to the real backend.
    var hop: ConnectionField?
    /// Its content so far, where it has to be there in full before faults can act; nil where they act as it comes.
    var kept: [UInt8]?
    /// Its head, in the same case.
    var head: Response?
    /// The faults and the network that act on the content as it comes.
    var flow = ContentFlow()
    /// The answer to the client is fed by pushes.
    var isOpen = false
    /// Content that is still to come, where the head says how much there is.
    var left: Int?
    /// The last piece of an announced length, which leaves when the real backend has ended.
    ///
    /// With it the client has all there is, and may come back at once with a token that has not been noted yet.
    var lastPiece: [UInt8]?
    /// The real backend has ended, and the exchange is in the recording.
    var isConcluded = false
    /// The client's exchange is over, or has all that it is given.
    var isOver = false
    /// The rest, once it is in its recording.
    var afterWriting: (() -> Void)?
    /// The ids that the request was translated by, in mode `diff`.
    var twins: IDCorrespondence?

    init(
        _ controller: ProxyController,
        _ exchange: Exchange,
        _ responder: UpstreamResponder?,
        _ mode: ProxyController.Active,
        capture: CapturedExchange,
        share: CaptureBudget.Share
    ) {
        self.controller = controller
        self.exchange = exchange
        self.responder = responder
        request = exchange.request
        self.mode = mode.order.mode
        isRecorded = [.record, .recordMissing].contains(mode.order.mode)
        recorder = isRecorded ? mode.recorder : nil
        twins = mode.order.mode == .diff ? mode.twins : nil
        redactor = mode.redactor
        self.capture = capture
        self.share = share
    }

    var address: Address { exchange.context.address }
    var api: Int { exchange.apiIndex }

    // It has been asked already.
    func proceed() {}

    func consumed(_ bytes: Int) -> Bool {
        guard !isOver, isOpen else { return false }
        upstream?.consumed(bytes)
        return true
    }

    /// Something came from the real backend.
    func received(_ event: UpstreamEvent, _ marks: UpstreamMarks) { controller.received(event, marks, self) }

    func ended(isCut: Bool) { controller.finished(self, isCut: isCut) }
}

/// Turns a request to an API into one to its real backend.
enum UpstreamRequestMaker {
    /// Fields that ended here, beside those of the connection: the request is framed anew, and its trailers are dropped.
    private static let dropped: Set<String> = ["connection", "transfer-encoding", "trailer", "expect"]

    /// The codings that can be looked into.
    private static let readable: Set<String> = ["gzip", "x-gzip", "deflate", "identity"]

    /// What goes on the wire.
    static func make(_ request: HTTPRequest, path: Path, isPrefixed: Bool, origin: UpstreamOrigin) -> UpstreamRequest {
        var fields = Fields()
        let body = request.body.bytes
        let hop = ConnectionField(request.head.fields)
        var hasHost = false
        var hasLength = false
        for place in 0..<request.head.fields.count {
            let name = String(decoding: request.head.fields.nameBytes(at: place), as: UTF8.self)
            let value = String(decoding: request.head.fields.valueBytes(at: place), as: UTF8.self)
            guard let field = FieldName(name) else { continue }
            switch name.lowercased() {
            case let lower where dropped.contains(lower) || hop.isOfOneHop(lower, value): continue
            case "host":
                if !hasHost { fields.append(field, origin.authority) }
                hasHost = true
            case "content-length":
                if !hasLength { fields.append(field, "\(body.count)") }
                hasLength = true
            case "accept-encoding":
                let codings = value.split(separator: ",")
                let kept = codings.filter {
                    readable.contains($0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased())
                }
                let isWhole = kept.count == codings.count && !kept.isEmpty
                let rest = kept.map { String($0.drop { $0 == " " }) }.joined(separator: ", ")
                fields.append(field, isWhole ? value : rest.isEmpty ? "identity" : rest)
            default: fields.append(field, value)
            }
        }
        if !hasHost { fields.append(.host, origin.authority) }
        let takesBody = ![.get, .head, .delete, .options].contains(request.head.method)
        if !hasLength, !body.isEmpty || takesBody { fields.append(.contentLength, "\(body.count)") }
        let raw = request.head.target.rawPath
        // Byte for byte, unless it leads through dots.
        let isPlain = !raw.split(separator: "/").contains {
            $0.lowercased().replacing("%2e", with: ".").allSatisfy { $0 == "." }
        }
        let target = !isPrefixed && isPlain && raw.hasPrefix("/") ? raw : path.text
        return UpstreamRequest(
            method: request.head.method.rawValue,
            target: target + (request.head.target.rawQuery.map { "?" + $0 } ?? ""),
            fields: fields,
            body: body
        )
    }
}
