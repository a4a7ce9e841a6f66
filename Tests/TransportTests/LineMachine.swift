import CivilTime
import HTTPMessage
import HTTPWire
import Transport

/// A protocol of many channels in lines of text, for tests.
///
/// The client opens a channel with `N /path` and gives one up with `N cancel`. The server writes `N:text` for content,
/// `N.` for an end and `N!` for a reset.
final class LineMachine: MultiplexedMachine {
    private var buffer: [UInt8] = []
    private var events: [WireEvent] = []
    private var open: [ChannelNumber] = []
    private var hasEnded = false
    private var isDraining = false
    /// The channels that were reset by the server.
    private(set) var resets: [ChannelNumber] = []

    var wantsRead: Bool { !hasEnded }

    var deadline: Instant? { nil }

    func received(_ bytes: ArraySlice<UInt8>, now: Instant) {
        buffer += bytes
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
            let words = buffer[..<end].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            buffer.removeSubrange(...end)
            guard words.count == 2, let number = UInt32(words[0]) else { continue }
            let channel = ChannelNumber(number)
            if words[1] == "cancel" {
                open.removeAll { $0 == channel }
                events.append(.channelCancelled(channel))
            } else {
                open.append(channel)
                let head = RequestHead(method: .get, target: RequestTarget(rawPath: words[1]))
                events += [.head(head, channel), .request(HTTPRequest(head: head), channel)]
            }
        }
    }

    func peerClosed(now: Instant) { hasEnded = true }

    func deadlineReached(now: Instant) {}

    func nextEvent(now: Instant) -> WireEvent? {
        if !events.isEmpty { return events.removeFirst() }
        return (hasEnded || isDraining) && open.isEmpty ? .closeConnection : nil
    }

    func beginDrain() { isDraining = true }

    func admit(
        _ admission: ConnectionMachine.Admission,
        on channel: ChannelNumber,
        now: Instant,
        into output: inout [UInt8]
    ) {}

    func answerEarly(on channel: ChannelNumber, drain: Int?) {}

    func send(
        _ response: Response,
        on channel: ChannelNumber,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> ConnectionMachine.SendOutcome {
        for step in response.timeline {
            let outcome = send(step, on: channel, now: now, date: date, into: &output)
            guard outcome == .proceed else { return outcome }
        }
        return .proceed
    }

    func send(
        _ step: Step,
        on channel: ChannelNumber,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> ConnectionMachine.SendOutcome {
        switch step {
        case .bytes(let bytes):
            output += Array("\(channel.value):".utf8) + bytes + Array("\n".utf8)
            return .proceed
        case .end:
            open.removeAll { $0 == channel }
            output += Array("\(channel.value).\n".utf8)
            return .finished
        case .abort:
            resetChannel(channel, into: &output)
            return .resetChannel
        case .close: return .closeConnection
        case .hold: return .hold
        case .interim, .head, .raw, .stray, .belowTLS, .wait, .effect, .closeAfter, .trailers, .halfClose:
            return .proceed
        }
    }

    func resetChannel(_ channel: ChannelNumber, into output: inout [UInt8]) {
        open.removeAll { $0 == channel }
        resets.append(channel)
        output += Array("\(channel.value)!\n".utf8)
    }

    func unreadContent(of channel: ChannelNumber) -> UnreadContent? { nil }

    func heldMemory(of channel: ChannelNumber) -> Int { 0 }

    func giveUpRequest(on channel: ChannelNumber, drain: Int) -> (head: RequestHead?, isRefusable: Bool) {
        (nil, false)
    }

    func mayGiveUpRequest(on channel: ChannelNumber) -> Bool { false }
}

extension Harness {
    /// A client whose connection speaks the protocol of lines.
    func multiplexedClient(_ machine: LineMachine = LineMachine()) throws -> Client {
        let (ours, theirs) = try Socket.openPair().get()
        _ = server.adopt(
            OwnedDescriptor(ours),
            peer: Peer(host: "127.0.0.1", port: 9, listener: 0),
            speaking: machine
        )
        return Client(OwnedDescriptor(theirs))
    }
}
