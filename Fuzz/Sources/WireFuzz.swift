import CivilTime
import HTTPMessage
import HTTPWire

/// Feeds an input to the connection machine whole and in pieces, and holds the two against each other.
enum WireFuzz {
    /// The first byte says how the rest is cut.
    static func run(_ input: ArraySlice<UInt8>) {
        guard let seed = input.first else { return }
        let bytes = input.dropFirst()
        var whole = Play()
        whole.feed(bytes)
        var cut = Play()
        var random = UInt32(seed) &* 0x9E37_79B9 | 1
        var rest = bytes
        while !rest.isEmpty {
            random = random &* 1_664_525 &+ 1_013_904_223
            let count = seed == 0 ? 1 : Int(random >> 24) % 23 + 1
            cut.feed(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        precondition(whole.log == cut.log, "whole and cut input give different events")
        precondition(whole.output == cut.output, "whole and cut input give different answers")
        let requests = cut.log
        cut.end()
        precondition(cut.log == requests, "the peer's end made a request or refusal")
        precondition(cut.isOver, "the connection survived the peer's end")
    }

    /// One connection whose owner answers everything at once.
    private struct Play {
        private var machine = ConnectionMachine(limits: limits, now: .epoch)
        private(set) var log: [UInt8] = []
        private(set) var output: [UInt8] = []
        private(set) var isOver = false

        /// Small, so that inputs of some hundred bytes reach them.
        private static let limits = {
            var limits = WireLimits()
            limits.requestLine = 64
            limits.headerSection = 200
            limits.headerFields = 8
            limits.chunkLine = 16
            limits.chunkExtensions = 32
            limits.drain = 16
            return limits
        }()

        private static let bound = 64 + 200 + 64
        private static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)

        mutating func feed(_ bytes: ArraySlice<UInt8>) {
            machine.received(bytes, now: .epoch)
            handleEvents()
            precondition(machine.bufferedBytes <= Self.bound, "the buffer grows")
        }

        mutating func end() {
            machine.peerClosed(now: .epoch)
            handleEvents()
        }

        private mutating func handleEvents() {
            while let event = machine.nextEvent(now: .epoch) {
                switch event {
                case .head(let head, let length):
                    log += Array("h \(head.method.rawValue) \(length)\n".utf8) + head.fields.wire
                    // An interim answer depends on when the content comes, so it is no part of what must be equal.
                    // For the same reason content that is waited for is not read beyond the limit.
                    var interim: [UInt8] = []
                    let drainLimit = head.fields.contains(.expect) ? 64 : 128
                    machine.admit(.init(bodyLimit: 64, drainLimit: drainLimit), now: .epoch, into: &interim)
                case .request(let request):
                    precondition(request.body.bytes.count <= 64, "more content kept than the limit")
                    precondition(request.body.exceedsLimit == (request.body.length > 64), "excess not marked")
                    log += Array("r \(request.head.target) \(request.body.length) \(request.wireLength)\n".utf8)
                    log += request.body.bytes + request.trailers.wire
                    answer(.ok)
                case .refused(let refusal, _):
                    log += Array("x \(refusal.reason.rawValue) \(refusal.status.code)\n".utf8)
                    answer(refusal.status)
                case .closeConnection: isOver = true
                }
            }
        }

        private mutating func answer(_ status: Status) {
            let response = Response(status: status, body: .bytes([0x61]))
            switch machine.send(response: response, now: .epoch, date: Self.date, into: &output) {
            case .finished: break
            default: isOver = true
            }
        }
    }
}
