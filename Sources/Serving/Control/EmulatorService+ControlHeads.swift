import Backend
import Control
import Engine
import HTTPMessage
import HTTPWire
import Transport

extension EmulatorService {
    /// Checks the head of a control call before any of its content is read (control contract, section 17).
    func admitControl(_ exchange: Exchange) -> AdmissionDecision {
        let (head, address) = (exchange.request.head, exchange.context.address)
        if Self.isConsole(address), head.proxied == nil {
            return .read(ConnectionMachine.Admission(bodyLimit: limits.controlBody, drainLimit: Self.drainLimit))
        }
        if head.proxied != nil {
            let refusal = Self.controlUnderMappedHost.response
            log.note(head, refusal.status, exchange.context.peer, hostTime, isControl: true)
            return .refuse(own(refusal, head, hostTime, address))
        }
        // A world document contains a journal, so it has a limit of its own.
        let isWorld = head.method == .put && address.path.segments == ["state"]
        let isStub = address.path.segments.first == "stubs"
        // A stub may have long content.
        let longest = isStub ? max(limits.controlBody, Self.longestStub) : limits.controlBody
        let limit = isWorld ? limits.state : longest
        // Of content without an announced length no more is read than is needed to refuse it.
        var admission = ConnectionMachine.Admission(bodyLimit: limit, drainLimit: limit)
        guard let length = head.announcedLength else { return .read(admission) }
        let hostTime = hostTime
        var refusal = control.refusal(
            of: head,
            length: length,
            limit: limit,
            address: address,
            emulator: emulator,
            origins: origins,
            pairing: pairing
        )
        if refusal == nil, isWorld {
            if importing == nil {
                importing = exchange
                admission.isCounted = false
            } else {
                refusal = Self.busy("Another world is being imported; only one can be at a time.")
            }
        }
        guard let refusal else { return .read(admission) }
        log.note(head, refusal.status, exchange.context.peer, hostTime, isControl: true)
        return .refuse(own(refusal, head, hostTime, address))
    }

    /// The bytes of a stub as it is written (own-API contract, section 22).
    private static let longestStub = 12 << 20

    /// A refusal of a call that can be retried in a moment.
    private static func busy(_ detail: String) -> Response {
        Problem(.busy, detail, fields: [.retryAfter: "1"]).response
    }
}
