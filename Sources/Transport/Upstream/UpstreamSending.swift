import CivilTime

/// The request of an exchange on its way out, while the server may already answer.
struct UpstreamSending {
    private let wire: [UInt8]
    private var sent = 0
    /// Whether nothing more is sent: all is, or the server wants no more.
    private(set) var isOver = false
    private var failure: UpstreamFailure?

    init(wire: [UInt8]) { self.wire = wire }

    /// Sends until all is sent or there is something to read.
    mutating func go(on socket: UpstreamSocket, within limit: Interval) throws(UpstreamFailure) {
        guard !isOver else { return }
        switch try socket.write(wire, from: &sent, within: limit) {
        case .whole: isOver = true
        case .answered: break
        case .broken(let failure):
            self.failure = failure
            isOver = true
        }
    }

    /// Reads; nil if there was nothing yet and more is to be sent.
    ///
    /// After a broken connection what had arrived before can still be read; if nothing had, the break is the failure.
    func read(
        on socket: UpstreamSocket,
        into buffer: inout [UInt8],
        within limit: Interval
    ) throws(UpstreamFailure) -> UpstreamSocket.Reading? {
        guard isOver else { return try socket.readNow(into: &buffer).0 }
        do throws(UpstreamFailure) {
            return try socket.read(into: &buffer, within: limit)
        } catch {
            throw failure ?? error
        }
    }

    /// The server has refused: the rest is not wanted.
    mutating func stop() { isOver = true }
}
