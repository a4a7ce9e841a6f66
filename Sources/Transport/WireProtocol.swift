import CivilTime
import HTTPMessage
import HTTPWire

/// The protocol of a connection.
///
/// HTTP/1.1 is stored inline. An enum would copy the machine in and out with each call, and a box would cost each
/// connection an allocation. Multiplexed protocols are behind `MultiplexedMachine`.
struct WireProtocol {
    private var http1: ConnectionMachine
    private let multiplexed: (any MultiplexedMachine)?

    /// HTTP/1.1.
    init(_ machine: ConnectionMachine) {
        http1 = machine
        multiplexed = nil
    }

    /// A multiplexed protocol.
    init(_ machine: any MultiplexedMachine, now: Instant) {
        http1 = ConnectionMachine(limits: WireLimits(), now: now)
        multiplexed = machine
    }

    /// Tells whether channels begin and end with their exchanges; HTTP/1.1 keeps its only one.
    var isMultiplexed: Bool { multiplexed != nil }

    // MARK: The connection

    // All of these are mutating, even where they only read: reading a property of a value in an object copies the whole
    // value.

    mutating func looksForInput() -> Bool { multiplexed?.wantsRead ?? http1.looksForInput() }

    /// Returns the maximum number of bytes to read at once, besides the owner's own limit.
    mutating func mostWanted() -> Int { isMultiplexed ? .max : http1.mostWanted() }

    /// Returns the bytes of content that have not come; nil where that is not known.
    mutating func dueContent() -> Int? { isMultiplexed ? nil : http1.dueContent() }

    /// Tells whether the next bytes belong to long content alone, which can wait for its round.
    mutating func takesLongContent() -> Bool { isMultiplexed ? false : http1.takesLongContent() }

    /// Returns the number of received bytes that have not been processed.
    mutating func bufferedBytes() -> Int { isMultiplexed ? 0 : http1.bufferedBytes }

    mutating func received(_ bytes: ArraySlice<UInt8>, now: Instant) {
        if let multiplexed { multiplexed.received(bytes, now: now) } else { http1.received(bytes, now: now) }
    }

    mutating func peerClosed(now: Instant) {
        if let multiplexed { multiplexed.peerClosed(now: now) } else { http1.peerClosed(now: now) }
    }

    mutating func nextEvent(now: Instant) -> WireEvent? {
        if let multiplexed { return multiplexed.nextEvent(now: now) }
        switch http1.nextEvent(now: now) {
        case .head(let head, _): return .head(head, .only)
        case .request(let request): return .request(request, .only)
        case .refused(let refusal, let head): return .refused(refusal, head: head, .only)
        case .closeConnection: return .closeConnection
        case nil: return nil
        }
    }

    /// Tells whether a connection of HTTP/1.1 is between two requests, with nothing of the next one received.
    mutating func isIdle() -> Bool { !isMultiplexed && http1.isIdle && http1.bufferedBytes == 0 }

    mutating func nextDeadline() -> Instant? { isMultiplexed ? multiplexed?.deadline : http1.nextDeadline() }

    mutating func deadlineReached(now: Instant) {
        if let multiplexed { multiplexed.deadlineReached(now: now) } else { http1.deadlineReached(now: now) }
    }

    mutating func restartBodyTimer(now: Instant) { http1.restartBodyTimer(now: now) }

    mutating func restartIdleTimer(now: Instant) { http1.restartIdleTimer(now: now) }

    mutating func beginDrain() {
        if let multiplexed { multiplexed.beginDrain() } else { http1.beginDrain() }
    }

    /// Gives out the bytes behind the head that was handed out, which belong to another protocol.
    mutating func takeRest() -> [UInt8] { isMultiplexed ? [] : http1.takeRest() }

    mutating func beganLingering(now: Instant) { http1.beganLingering(now: now) }

    // MARK: A channel

    mutating func admit(
        _ admission: ConnectionMachine.Admission,
        on channel: ChannelNumber,
        now: Instant,
        into output: inout [UInt8]
    ) {
        if let multiplexed {
            multiplexed.admit(admission, on: channel, now: now, into: &output)
        } else {
            http1.admit(admission, now: now, into: &output)
        }
    }

    /// Writes a `100 Continue` that was withheld, unless content has come; HTTP/1.1 alone.
    mutating func writeContinue(into output: inout [UInt8]) {
        if !isMultiplexed { http1.writeContinue(into: &output) }
    }

    mutating func answerEarly(on channel: ChannelNumber, drain: Int? = nil) {
        if let multiplexed {
            multiplexed.answerEarly(on: channel, drain: drain)
        } else {
            http1.answerEarly(drain: drain)
        }
    }

    mutating func send(
        _ response: Response,
        on channel: ChannelNumber,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> ConnectionMachine.SendOutcome {
        if let multiplexed { return multiplexed.send(response, on: channel, now: now, date: date, into: &output) }
        return http1.send(response: response, now: now, date: date, into: &output)
    }

    mutating func send(
        _ step: Step,
        on channel: ChannelNumber,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> ConnectionMachine.SendOutcome {
        if let multiplexed { return multiplexed.send(step, on: channel, now: now, date: date, into: &output) }
        return http1.send(step, now: now, date: date, into: &output)
    }

    /// Ends one of many channels at once; HTTP/1.1 can only reset its connection.
    mutating func resetChannel(_ channel: ChannelNumber, into output: inout [UInt8]) {
        multiplexed?.resetChannel(channel, into: &output)
    }

    /// Tells whether content may be written in pieces of any length.
    mutating func countsContent(on channel: ChannelNumber) -> Bool { isMultiplexed || http1.countsContent() }

    /// Returns what has come of the content of a request that was not handed over, whose exchange ends; nil without one.
    mutating func unreadContent(of channel: ChannelNumber) -> UnreadContent? {
        if let multiplexed { return multiplexed.unreadContent(of: channel) }
        return http1.unreadContent()
    }

    mutating func heldMemory(of channel: ChannelNumber) -> Int {
        multiplexed?.heldMemory(of: channel) ?? http1.heldMemory()
    }

    mutating func giveUpRequest(on channel: ChannelNumber, drain: Int) -> (head: RequestHead?, isRefusable: Bool) {
        multiplexed?.giveUpRequest(on: channel, drain: drain) ?? http1.giveUpRequest(drain: drain)
    }

    mutating func mayGiveUpRequest(on channel: ChannelNumber) -> Bool {
        multiplexed?.mayGiveUpRequest(on: channel) ?? http1.mayGiveUpRequest()
    }
}
