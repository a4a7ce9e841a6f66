package import Backend
package import CivilTime
package import Control
package import Engine
import HTTPMessage
import Journal
import Persistence
import Proxying
package import Recording
import Transport
import Worlds

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

    package func waits(world: Int) -> [(exchange: UInt64, at: Instant)] {
        keys(world, nil).flatMap { server?.waits(world: $0) ?? [] }
    }

    package func watch(world: Int, api: Int?, after seen: UInt64) {
        watchers.expect(world: world, api: api.map { emulator.apis[$0].identity.name }, seen: seen)
    }

    package func modes(of apis: [Int]) -> [ModeOrder] { proxy.orders(of: apis) }

    package func setMode(_ order: ModeOrder) throws(Problem) -> ModeChange {
        if order.reachesUpstream, device?.keepsUpstream == true {
            throw Problem(
                .upstreamNotShared,
                "With --lan, everybody on the network could use the real backend, so no mode may forward to it. --lan-upstream allows it."
            )
        }
        return try proxy.set(order)
    }

    package func nearestRecorded(api: Int) -> NearestRecorded? { proxy.player(of: api)?.nearestRecorded }

    package var tls: (any TLSHost)? { secure }

    package var openConnections: Int { server?.openConnections ?? 0 }

    /// Passes the events of a world on to those who watch it.
    func publish(_ hosted: Emulator.HostedWorld) {
        let watching = watchers.watching(hosted.key)
        guard watching.count > Self.mostAtOnce else {
            for watcher in watching { send(to: watcher, of: hosted) }
            return
        }
        for watcher in watching where !watcher.isInLine {
            watcher.isInLine = true
            watchers.line.append(watcher)
        }
        tellSome()
    }

    /// The listeners that are sent something in one turn of the loop, since each takes a call of the system.
    private static let mostAtOnce = 50

    /// Sends the next listeners in line what they have not been sent; others follow in the next turns.
    private func tellSome() {
        guard !watchers.isTelling, !watchers.line.isEmpty else { return }
        watchers.isTelling = true
        server?.schedule(after: .zero) { [weak self] in
            guard let self else { return }
            watchers.isTelling = false
            let next = watchers.line.prefix(Self.mostAtOnce)
            watchers.line.removeFirst(next.count)
            for watcher in next {
                watcher.isInLine = false
                guard !watcher.isOver, let hosted = emulator.hosted(key: watcher.world) else { continue }
                send(to: watcher, of: hosted)
            }
            tellSome()
        }
    }

    /// The frames that may wait for a slow listener; further events wait in the world's log, or drop out of it.
    private static let mostWaiting = 200
    /// The time after which a listener that is behind is looked at again.
    private static let pause = Interval.milliseconds(20)

    /// Sends a listener what it has not been sent, as much as it takes and as the loop has time for.
    private func send(to watcher: Watchers.Watcher, of hosted: Emulator.HostedWorld) {
        guard let server, watcher.seen < hosted.events.lastSeq else { return }
        let room = Self.mostWaiting - (server.backlog(of: watcher.exchange.serverID) ?? 0)
        let isFull = room <= 0
        guard !isFull else { return again(watcher) }
        let stretch = hosted.events.frames(
            after: watcher.seen,
            of: watcher.api,
            atMost: min(room, EventOperations.mostAtOnce),
            world: hosted.world.name,
            at: hosted.world.core.now
        )
        watcher.seen = stretch.last
        let steps: [Step] = stretch.frames.map { .bytes($0) } + (stretch.isLast ? [.end] : [])
        if !steps.isEmpty { server.push(watcher.exchange.serverID, steps: steps) }
        if watcher.seen < hosted.events.lastSeq, !stretch.isLast { again(watcher) }
    }

    /// Sends the newest listener what its response did not have.
    func catchUp() {
        guard let watcher = watchers.all.last, let hosted = emulator.hosted(key: watcher.world),
            watcher.seen < hosted.events.lastSeq
        else { return }
        again(watcher)
    }

    private func again(_ watcher: Watchers.Watcher) {
        guard !watcher.isDue, let server else { return }
        watcher.isDue = true
        server.schedule(after: Self.pause) { [weak self, weak watcher] in
            guard let self, let watcher else { return }
            watcher.isDue = false
            guard watchers.all.contains(where: { $0 === watcher }) else { return }
            if let hosted = emulator.hosted(key: watcher.world) {
                send(to: watcher, of: hosted)
            } else {
                // The world has gone while it was behind.
                server.push(watcher.exchange.serverID, steps: [.end])
            }
        }
    }

    /// Sends a comment to every watcher, so that no intermediary takes the silence for an end.
    package func beat() {
        guard let server else { return }
        for watcher in watchers.all where (server.backlog(of: watcher.exchange.serverID) ?? 0) < Self.mostWaiting {
            server.push(watcher.exchange.serverID, steps: [.bytes(Self.heartbeat)])
        }
    }

    /// Ends the streams of events: a console that is open would hold up the end of the process otherwise.
    package func stopping() {
        for watcher in watchers.all { server?.push(watcher.exchange.serverID, steps: [.end]) }
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
