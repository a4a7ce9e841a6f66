import CivilTime
package import HTTPMessage

/// A request that a real backend is asked about, from the moment it came until its answer is in the journal.
struct AwayVisit {
    var hosted: Emulator.HostedWorld
    var api: Int
    var generation: Int
    var began: Instant
    var request: HTTPRequest
    var address: Address
    var peer: String
    var shown: () -> StandIn.Shown?

    /// Tells whether its world has been reset, restored or deleted since.
    func isOutdated(_ emulator: Emulator) -> Bool {
        hosted.world.parts[api].generation != generation || emulator.hosted(key: hosted.key) !== hosted
    }
}

/// Exchanges that wait for a real backend belong to their world from the start.
///
/// A reset cuts and counts them, and one whose client leaves is in the journal too (control contract, sections 3, 11, 13).
extension Emulator {
    /// Notes a request whose answer somebody else is about to be asked for, and says what it belongs to; nil where no
    /// world is found for it.
    package func sendAway(
        _ request: HTTPRequest,
        address: Address,
        api index: Int,
        peer: String,
        exchange: UInt64,
        at hostTime: HostTime,
        shown: @escaping () -> StandIn.Shown?
    ) -> ExchangeGroup? {
        let hosted: HostedWorld
        if let asked = asking[exchange] {
            hosted = asked.visit.hosted
        } else {
            let match = apis[index].match(request.head.method, address.path)
            let clue = worldHint(of: request, api: index, match: match)
            guard let name = try? chooseWorld(address, api: index, credential: clue), let found = self[world: name]
            else { return nil }
            hosted = found
        }
        hosted.lastUsed = hostTime.monotonic
        if !hosted.isAwake { wake(hosted) }
        away[exchange] = AwayVisit(
            hosted: hosted,
            api: index,
            generation: hosted.world.parts[index].generation,
            began: hostTime.monotonic,
            request: request,
            address: address,
            peer: peer,
            shown: shown
        )
        return ExchangeGroup(world: hosted.key, api: index)
    }

    /// Tells whether an exchange waits for a real backend in a world that is no more what it was; it is being cut.
    package func isOutdated(_ exchange: UInt64) -> Bool { away[exchange]?.isOutdated(self) ?? false }

    /// An exchange has ended; what became of it follows with `finish`.
    ///
    /// If its answer had not come it gets its entry now. `wasAnswered`: it was, by nothing that is journalled.
    package func endedAway(_ exchange: UInt64, wasAnswered: Bool, at hostTime: HostTime) {
        guard !away.isEmpty, let left = away.removeValue(forKey: exchange), !wasAnswered else { return }
        let asked = asking.removeValue(forKey: exchange)
        guard !left.isOutdated(self), pending[exchange] == nil else { return }
        var visit: Visit
        var call: Call
        let now = left.hosted.world.tick(to: hostTime)
        if let asked {
            (visit, call) = (asked.visit, asked.call)
        } else {
            let match = apis[left.api].match(left.request.head.method, left.address.path)
            visit = Visit(
                left.request,
                left.address,
                match,
                api: left.api,
                peer: left.peer,
                exchange: exchange,
                hosted: left.hosted
            )
            visit.standIn = StandIn(asking: left.shown())
            call = visit.call(at: now)
        }
        // Nobody knows what would have answered it, so it is no request that nothing answers.
        call.isTakenElsewhere = true
        _ = conclude(visit, call, Response(status: .unanswered), at: hostTime, .zero)
        // All of its time it waited.
        pending[exchange]?.heldSince = left.began
    }
}
