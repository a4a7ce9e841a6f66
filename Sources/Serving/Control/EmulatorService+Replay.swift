import Backend
import CivilTime
import Control
import Engine
import HTTPMessage
import Proxying
import Transport

/// A request of the journal that is being sent again, over a local connection of our own.
///
/// Belongs to the loop's thread.
final class ReplayedRequest {
    let order: ControlJob.Replay
    /// The control call that waits for it.
    let exchange: Exchange
    /// The client's end of the connection.
    let descriptor: OwnedDescriptor
    /// The loop's time at which the call is answered at the latest.
    let until: Instant
    /// The bytes of the request that have been written.
    var written = 0

    init(_ order: ControlJob.Replay, _ exchange: Exchange, _ number: Int32, until: Instant) {
        self.order = order
        self.exchange = exchange
        self.until = until
        descriptor = OwnedDescriptor(number)
    }
}

/// Replays of the journal's requests (console contract, section 9).
extension EmulatorService {
    /// The number of replays at a time.
    private static let mostReplays = 64
    /// The time after which our end of a connection is looked at again.
    private static let pause = Interval.milliseconds(5)

    /// Sends a request over a connection of our own, so that it takes the way of every other.
    func run(_ order: ControlJob.Replay, for exchange: Exchange) -> ResponseDecision {
        guard let server, replays.count < Self.mostReplays, case .success(let ends) = Socket.openPair() else {
            let problem = Problem(.busy, "Too many replays are in progress.", fields: ["Retry-After": "1"])
            return finishCall(exchange, with: problem.response, hostTime)
        }
        let connection = server.nextConnectionNumber
        let replayed = ReplayedRequest(order, exchange, ends.1, until: hostTime.monotonic + order.patience)
        replays[connection] = replayed
        let peer = Peer(host: "127.0.0.1", port: 0, listener: order.listener)
        guard server.adopt(OwnedDescriptor(ends.0), peer: peer, standsForTLS: order.isSecure) else {
            replays[connection] = nil
            let problem = Problem(.busy, "There is no room for another connection.", fields: ["Retry-After": "1"])
            return finishCall(exchange, with: problem.response, hostTime)
        }
        proceed(connection)
        return .later(world: Self.noGroup)
    }

    /// Writes what is left of a request, and takes in what has come of its response.
    private func proceed(_ connection: UInt64) {
        guard let replayed = replays[connection], let server else { return }
        guard server.isUnderWay(replayed.exchange.serverID) else {
            // The caller has gone.
            replays[connection] = nil
            return
        }
        let bytes = replayed.order.bytes
        if replayed.written < bytes.count,
            case .took(let count) = Socket.write(replayed.descriptor.number, bytes, from: replayed.written)
        {
            replayed.written += count
        }
        Socket.discard(replayed.descriptor.number)
        guard hostTime.monotonic < replayed.until else { return answer(connection) }
        server.schedule(after: Self.pause) { [weak self] in self?.proceed(connection) }
    }

    /// Answers the call whose request has ended.
    func replayEnded(_ exchange: Exchange) {
        let connection = exchange.context.arrival.connection
        guard replays[connection] != nil else { return }
        answer(connection)
    }

    private func answer(_ connection: UInt64) {
        guard let replayed = replays.removeValue(forKey: connection) else { return }
        // Two long answers take a while to be compared.
        complete(replayed.exchange, run(replayed.order.finish(connection), for: replayed.exchange, mustRun: true))
    }
}
