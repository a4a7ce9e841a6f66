import Backend
import Engine
import HTTPMessage
import Journal
import Recording
import Transport

/// One exchange with a real backend, on behalf of a client's exchange.
final class ProxyExchange: UpstreamCall {
    private unowned let controller: ProxyController
    /// The client's exchange.
    let exchange: Exchange
    /// The source of the client's response; nil in mode `diff`, where the emulation provides it.
    let responder: UpstreamResponder?
    /// The request as the client sent it.
    let request: HTTPRequest
    let mode: APIMode
    /// Tells whether the exchange goes into the recording.
    let isRecorded: Bool
    var capture: CapturedExchange
    /// The part of the capture budget that the exchange holds.
    let share: CaptureBudget.Share
    /// Removes the values that the journal and the recording must not keep.
    let redactor: Redactor
    /// The journal's view of the request.
    let shown: JournalDisclosure
    /// The recorder of the mode at the time at which the exchange began.
    var recorder: Recorder?
    var upstream: UpstreamExchange?
    /// The head has arrived, and the response to the client has begun.
    var hasHead = false
    /// The fields of the response that belong to the connection to the real backend.
    var hop: ConnectionField?
    /// The content so far, if it has to be complete before faults can act on it; nil if they act as it arrives.
    var kept: [UInt8]?
    /// The head of the response, in the same case.
    var head: Response?
    /// The head of a response of unknown length, while a fault waits for its first piece or its end.
    var undecided: Response?
    /// The client's view of the backend.
    let view: ClientView
    /// Leads the links of text that is passed on as it arrives; nil if there are none to lead.
    var linkStream: LinkStream?
    /// The faults and the bandwidth limit that act on the content as it arrives.
    var flow = ContentFlow()
    /// The response to the client is sent in pushes.
    var isOpen = false
    /// The number of bytes still to come, if the head announces a length; 0 once all has come.
    var left: Int?
    /// The last piece of an announced length, which leaves when the real backend has ended.
    ///
    /// With it the response is complete, and the client may come back at once with a token that has not been noted yet.
    var lastPiece: [UInt8]?
    /// The real backend has ended, and the exchange is in the recording.
    var isConcluded = false
    /// The client's exchange is over, or its response is complete.
    var isOver = false
    /// The continuation after the exchange has been written to its recording.
    var afterWriting: (() -> Void)?
    /// The ids by which the request was translated, in mode `diff`.
    var correspondence: IDCorrespondence?

    init(
        _ controller: ProxyController,
        _ exchange: Exchange,
        _ responder: UpstreamResponder?,
        _ mode: ProxyController.Active,
        view: ClientView,
        showing shown: JournalDisclosure,
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
        correspondence = mode.order.mode == .diff ? mode.correspondence.value : nil
        redactor = mode.redactor
        self.view = view
        self.shown = shown
        self.capture = capture
        self.share = share
    }

    var address: Address { exchange.context.address }
    var api: Int { exchange.apiIndex }

    // The request has been forwarded already.
    func proceed() {}

    func consumed(_ bytes: Int) -> Bool {
        guard !isOver, isOpen else { return false }
        upstream?.consumed(bytes)
        return true
    }

    /// Handles an event from the real backend.
    func received(_ event: UpstreamEvent, _ marks: UpstreamMarks) { controller.received(event, marks, self) }

    func ended(isCut: Bool) { controller.finished(self, isCut: isCut) }
}
