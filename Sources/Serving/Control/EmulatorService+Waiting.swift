import Backend
import CivilTime
import Control
import Engine
import HTTPMessage
import Proxying
import Transport

/// Control calls that wait for something to happen.
extension EmulatorService {
    /// Keeps a control call until its condition holds or its time is over; refuses one that exceeds the limit.
    func postpone(_ call: PendingControlCall, _ exchange: Exchange) -> ResponseDecision {
        guard waiting.hasRoom(for: call.bytes) else {
            let problem = Problem(
                .tooManyWaiting,
                "At most \(waiting.most) calls may wait at once, and their bodies may take \(WaitingCalls.mostBytes >> 20) MiB."
            )
            return finishCall(exchange, with: problem.response, hostTime)
        }
        let hosted = call.hosted(at: hostTime)
        waiting.add(WaitingCalls.Entry(exchange, call, world: hosted?.key))
        keepUnseen()
        settleSoon()
        // A client that has gone must not occupy a place that others wait for.
        server?.endWithPeer(exchange.serverID)
        let id = exchange.id
        server?.schedule(after: max(call.until - hostTime.monotonic, .zero)) { [weak self] in self?.timeIsUp(id) }
        return .later(world: Self.noGroup)
    }

    /// Makes the journals keep the entries that waiting calls have not examined yet.
    func keepUnseen() {
        var first: [Int: UInt64] = [:]
        for exchange in waiting.exchanges {
            guard let entry = waiting[exchange], let watch = entry.watch, let key = entry.world else { continue }
            first[key] = min(first[key] ?? .max, watch.lastSeen + 1)
        }
        for key in Set(first.keys).union(waiting.kept) {
            emulator.keepEntries(worldKey: key, from: first[key] ?? .max)
        }
        waiting.kept = Set(first.keys)
    }

    private func timeIsUp(_ exchange: UInt64) {
        guard let late = waiting.remove(exchange) else { return }
        if let watch = late.watch, let work = late.call.work(watch, at: hostTime) {
            // The call has waited for its turn already.
            complete(late.exchange, run(work, for: late.exchange, mustRun: true))
        } else {
            settle(late.exchange, late.call.response(at: hostTime))
        }
    }

    private func settle(_ exchange: Exchange, _ response: Response) {
        let answer = own(response, exchange.request.head, hostTime, exchange.context.address)
        server?.complete(exchange.serverID, with: answer)
    }

    /// Checks the waiting calls at the end of this turn, or later if checking takes long.
    package func settleSoon() {
        guard !waiting.isEmpty, !waiting.settling.isDue, let server else { return }
        let settling = waiting.settling
        let rest = Interval.microseconds(settling.cost.microseconds.multipliedClamped(by: Self.settlingShare))
        let pause = settling.last + rest - preciseNow()
        waiting.settling.isDue = true
        server.schedule(after: max(pause, .zero)) { [weak self] in self?.settleWaiting() }
    }

    /// The largest share of the loop's time that checking may take, as a divisor.
    private static let settlingShare: Int64 = 20
    /// The longest time that one round may take.
    private static let longestRound = Interval.microseconds(500)
    /// The number of calls after which the time is checked.
    private static let looksAtTime = 8

    /// Answers the calls whose condition holds now, as many as there is time for.
    private func settleWaiting() {
        let began = preciseNow()
        defer {
            waiting.settling.last = preciseNow()
            waiting.settling.cost = waiting.settling.last - began
        }
        waiting.settling.isDue = false
        if waiting.round.isEmpty { waiting.round = waiting.exchanges.reversed() }
        var count = 0
        while let exchange = waiting.round.popLast() {
            count += 1
            lookAt(exchange)
            if count.isMultiple(of: Self.looksAtTime), preciseNow() - began > Self.longestRound {
                settleSoon()
                return
            }
        }
        if !waiting.isLooking { lookElsewhere() }
    }

    /// Answers a call whose world is gone, or whose condition, other than one on requests, holds.
    private func lookAt(_ exchange: UInt64) {
        guard let entry = waiting[exchange] else { return }
        let isGone = entry.world.map { emulator.hosted(key: $0) == nil } ?? true
        guard entry.watch == nil || isGone else { return }
        guard let response = isGone ? entry.call.response(at: hostTime) : entry.call.settled(at: hostTime) else {
            return
        }
        waiting.remove(exchange)
        settle(entry.exchange, response)
    }

    /// Has a worker search the new entries of a journal for all calls that wait in that world.
    private func lookElsewhere() {
        guard let lines else { return }
        var byWorld: [Int: [(call: UInt64, watch: VerificationWatch)]] = [:]
        for exchange in waiting.exchanges {
            guard let entry = waiting[exchange], let known = entry.watch, let key = entry.world,
                let hosted = emulator.hosted(key: key)
            else { continue }
            let watch = entry.call.refreshed(known)
            guard watch.hasNews(in: hosted.world) || watch.otherHosts != known.otherHosts else { continue }
            byWorld[key, default: []].append((exchange, watch))
        }
        // The worlds take turns.
        let keys = byWorld.keys.sorted()
        guard let key = keys.first(where: { $0 > waiting.lastLooked }) ?? keys.first,
            let hosted = emulator.hosted(key: key), let watches = byWorld[key]
        else { return }
        waiting.isLooking = true
        waiting.lastLooked = key
        look(VerificationWalk(hosted.world, watches), lines)
    }

    /// Searches some of the entries; work that is in line meanwhile precedes the rest.
    private func look(_ look: VerificationWalk, _ lines: WorkLines) {
        _ = lines.searches.add(nil, .look, mustRun: true) { _ in
            var look = look
            look.advance()
            if look.isOver { look.release() }
            return look
        } then: { [weak self] look in
            guard let self else { return }
            var look = look
            for (exchange, response) in look.takeSettled() {
                if let entry = waiting.remove(exchange) { settle(entry.exchange, response) }
            }
            guard look.isOver else {
                look.keep { self.waiting[$0] != nil }
                return self.look(look, lines)
            }
            for (exchange, watch) in look.watches { waiting.note(watch, of: exchange) }
            waiting.isLooking = false
            keepUnseen()
            settleSoon()
        }
    }
}
