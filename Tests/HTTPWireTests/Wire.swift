import CivilTime
import HTTPMessage
import HTTPWire
import Testing

/// A machine whose owner is the test itself, on virtual time.
///
/// A class, because `#expect` takes no mutating calls.
final class Wire {
    var machine: ConnectionMachine
    var now = Instant.epoch
    var output: [UInt8] = []
    var admission = ConnectionMachine.Admission(bodyLimit: 1 << 20, drainLimit: 2 << 20)

    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
    static let dateLine = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    init(_ limits: WireLimits = WireLimits()) {
        machine = ConnectionMachine(limits: limits, now: .epoch)
    }

    func receive(_ text: String) { machine.received(Array(text.utf8), now: now) }

    func next() -> ConnectionMachine.Event? { machine.nextEvent(now: now) }

    /// The next event must be a head; it is admitted.
    @discardableResult
    func admitHead() throws -> RequestHead {
        let event = try #require(next())
        guard case .head(let head, _) = event else { throw Unexpected(event: event) }
        machine.admit(admission, now: now, into: &output)
        return head
    }

    /// The next events must be a head, which is admitted, and its request.
    @discardableResult
    func takeRequest() throws -> HTTPRequest {
        try admitHead()
        return try handedOver()
    }

    /// The next event must be a request.
    @discardableResult
    func handedOver() throws -> HTTPRequest {
        let event = try #require(next())
        guard case .request(let request) = event else { throw Unexpected(event: event) }
        return request
    }

    /// The next event must be a refusal.
    func refusal() throws -> WireRefusal {
        let event = try #require(next())
        guard case .refused(let refusal, _) = event else { throw Unexpected(event: event) }
        return refusal
    }

    /// Tells whether the next event is to close.
    func closes() -> Bool {
        if case .closeConnection = next() { true } else { false }
    }

    /// Tells whether there is no next event.
    func isQuiet() -> Bool { next().map { _ in false } ?? true }

    func send(_ step: Step) -> ConnectionMachine.SendOutcome {
        machine.send(step, now: now, date: Self.date, into: &output)
    }

    /// Plays all steps; the outcome of the last.
    @discardableResult
    func play(_ steps: [Step]) -> ConnectionMachine.SendOutcome {
        var outcome = ConnectionMachine.SendOutcome.proceed
        for step in steps { outcome = send(step) }
        return outcome
    }

    func answer(_ response: Response = Response(status: .ok)) -> ConnectionMachine.SendOutcome {
        machine.send(response: response, now: now, date: Self.date, into: &output)
    }

    /// Everything written since the last call.
    func written() -> String {
        defer { output = [] }
        return String(decoding: output, as: UTF8.self)
    }

    func pass(_ interval: Interval) { now = now + interval }

    /// Lets the timer run out when it is due.
    func fireTimer() { machine.deadlineReached(now: now) }

    struct Unexpected: Error {
        var event: ConnectionMachine.Event
    }
}
