import CivilTime

/// The request of an exchange while it is sent, to a server that may already respond.
struct UpstreamSending {
    private let wire: [UInt8]
    private var sent = 0
    /// Tells whether nothing more is sent: everything is, or the server has refused the rest.
    private(set) var isOver = false
    private var failure: UpstreamFailure?

    init(wire: [UInt8]) { self.wire = wire }

    /// Sends until everything is sent or there is something to read.
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
    /// After a broken connection, bytes that had arrived before can still be read. If there were none, the break is the
    /// failure.
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

    /// Notes that the server has refused, so that the rest is not sent.
    mutating func stop() { isOver = true }
}
