import CivilTime
import HTTPMessage
import HTTPWire

/// A machine with an owner who admits everything and answers at once, and a transcript of what happened.
struct Conversation {
    var machine: ConnectionMachine
    var now = Instant.epoch
    var output: [UInt8] = []
    /// Requests and refusals, one line each plus one for each field.
    private(set) var lines: [[UInt8]] = []
    private(set) var requestCount = 0
    /// Tells whether the owner was asked to close, or the last response has ended.
    private(set) var hasEnded = false
    var admission: ConnectionMachine.Admission

    static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)

    init(bodyLimit: Int = 1 << 20, limits: WireLimits = WireLimits()) {
        machine = ConnectionMachine(limits: limits, now: .epoch)
        admission = ConnectionMachine.Admission(bodyLimit: bodyLimit, drainLimit: 2 * bodyLimit)
    }

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        machine.received(Array(bytes), now: now)
        run()
    }

    mutating func feedOneByOne(_ bytes: [UInt8]) {
        for byte in bytes { feed(CollectionOfOne(byte)) }
    }

    mutating func endInput() {
        machine.peerClosed(now: now)
        run()
    }

    /// The transcript with its last line, as in the vectors.
    var transcript: [[UInt8]] {
        let last = hasEnded ? "closing" : machine.isIdle ? "open" : "waiting"
        return lines + [Array(last.utf8)]
    }

    private mutating func run() {
        while let event = machine.nextEvent(now: now) {
            switch event {
            case .head: machine.admit(admission, now: now, into: &output)
            case .request(let request):
                requestCount += 1
                note(request)
                answer(Response(status: .ok))
            case .refused(let refusal, _):
                lines.append(Array("refused \(refusal.reason.rawValue) \(refusal.status.code)".utf8))
                answer(Response(status: refusal.status))
            case .closeConnection: hasEnded = true
            }
        }
    }

    private mutating func answer(_ response: Response) {
        switch machine.send(response: response, now: now, date: Self.date, into: &output) {
        case .finished: break
        default: hasEnded = true
        }
    }

    private mutating func note(_ request: HTTPRequest) {
        let head = request.head
        var line = Array("request \(head.method.rawValue) ".utf8)
        if case .absolute(let authority) = head.target.form { line += Array("{\(authority)}".utf8) }
        line += Array(head.target.rawPath.utf8)
        if let query = head.target.rawQuery { line += Array("?\(query)".utf8) }
        line += Array(head.version == .http11 ? " HTTP/1.1 ".utf8 : " HTTP/1.0 ".utf8)
        let body = request.body
        if body.exceedsLimit {
            line += Array("over \(body.length)".utf8)
        } else {
            line += body.bytes.count > 64 ? Self.shortened(body.bytes[...]) : [0x22] + body.bytes + [0x22]
        }
        lines.append(line)
        noteFields(head.fields, "field ")
        noteFields(request.trailers, "trailer ")
    }

    private mutating func noteFields(_ fields: Fields, _ prefix: String) {
        let silent = ["host", "connection", "content-length", "transfer-encoding"]
        for place in 0..<fields.count {
            let name = fields.nameBytes(at: place)
            guard !silent.contains(String(decoding: name, as: UTF8.self).lowercased()) else { continue }
            lines.append(Array(prefix.utf8) + name + Array(": ".utf8) + Self.shortened(fields.valueBytes(at: place)))
        }
    }

    private static func shortened(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.count > 64 ? Array("\(bytes.count) bytes".utf8) : Array(bytes)
    }
}
