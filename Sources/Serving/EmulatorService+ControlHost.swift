package import CivilTime
package import Control
package import Emulation
import HTTPMessage
import Persistence
import Proxying
import Transport

extension EmulatorService: ControlHost {
    package func cut(world: Int, api: Int?) -> Int {
        defer {
            // The cut may have removed the object of a waiting call, which is checked after the call that cuts has run.
            settleSoon()
        }
        return keys(world, api).reduce(0) { $0 + (server?.cancel(world: $1) ?? 0) }
    }

    package func clockMoved(world: Int, now: Instant, speed: Double) -> Int {
        keys(world, nil).reduce(0) {
            $0 + (server?.clockChanged(world: $1, to: ClockReading(now: now, rate: speed)) ?? 0)
        }
    }

    package func watch(world: Int, api: Int?) {
        watchers.expect(world: world, api: api.map { emulator.apis[$0].identity.name })
    }

    package func modes(of apis: [Int]) -> [ModeOrder] { proxy.orders(of: apis) }

    package func setMode(_ order: ModeOrder) throws(Problem) -> ModeChange { try proxy.set(order) }

    package func nearestRecorded(api: Int) -> NearestRecorded? { proxy.player(of: api)?.nearestRecorded }

    package var openConnections: Int { server?.openConnections ?? 0 }

    /// Passes an event on to the exchanges that watch its world.
    func publish(_ world: Int, _ event: WorldEvent) {
        let exchanges = watchers.exchanges(of: world, event)
        guard !exchanges.isEmpty, let server else { return }
        let steps: [Step] = [.bytes(event.frame)] + (event.isLast ? [.end] : [])
        for exchange in exchanges { server.push(exchange.serverID, steps: steps) }
    }

    /// Sends a comment to every watcher, so that no intermediary takes the silence for an end.
    package func beat() {
        guard let server else { return }
        for exchange in watchers.all { server.push(exchange.serverID, steps: [.bytes(Self.heartbeat)]) }
    }

    private static let heartbeat = Array(": heartbeat\n\n".utf8)

    package func resumed(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            server?.endWithPeer(exchange.serverID, false)
            if exchange.wantsUpstream {
                exchange.upstream?.proceed()
            } else {
                complete(exchange, decision(exchange))
            }
        }
        hashLater()
        settleSoon()
    }

    /// Deletes the worlds that have been unused for too long.
    package func sweep() {
        // A waiting call counts as a use of its world.
        for exchange in waiting.exchanges { _ = waiting[exchange]?.call.hosted(at: hostTime) }
        let expired = emulator.expireWorlds(at: hostTime)
        for key in expired { _ = cut(world: key, api: nil) }
        if !expired.isEmpty { storedAnswers?.coordinator.noteStructure() }
        storedAnswers?.coordinator.noteNews()
    }

    private func keys(_ world: Int, _ api: Int?) -> [Int] {
        (api.map { [$0] } ?? Array(emulator.apis.indices)).map { Self.key(ExchangeGroup(world: world, api: $0)) }
    }
}
