import Backend
import CivilTime
import HTTPMessage
import Worlds

/// The claim of a request to be the first with its idempotency key (wire contract, section 8).
struct RepeatClaim {
    /// The identity that a repetition shares.
    let identity: String
    /// The number of resets of its part of the world when it came.
    let generation: Int
    /// The time of the world at which its response begins to leave; nil before there is one.
    var due: Instant?
}

/// Requests that clients repeat with an idempotency key (wire contract, section 8).
extension Emulator {
    /// Notes a request that has a key, from the moment at which it came into its world.
    func claim(_ exchange: Exchange) {
        let (hosted, index) = (exchange.hosted, exchange.apiIndex)
        // Looked at before: call and world are copied where they are passed on.
        guard exchange.claim == nil, mayRepeat(exchange.call.request.head, exchange),
            let identity = repeatIdentity(of: exchange.call, exchange, in: hosted.world)
        else { return }
        exchange.claim = RepeatClaim(identity: identity, generation: hosted.world.generation(of: index))
        hosted.claims.append(exchange)
    }

    /// Returns what all repetitions of a request have in common; nil for one that has no key, or that goes elsewhere.
    func repeatIdentity(of call: Call, _ exchange: Exchange, in world: World) -> String? {
        guard mayRepeat(call.request.head, exchange) else { return nil }
        return apis[exchange.apiIndex].hooks.repeats?.identity(call, world, exchange.apiIndex)
    }

    /// Tells whether a request is one that can have a key, and goes nowhere else.
    private func mayRepeat(_ head: RequestHead, _ exchange: Exchange) -> Bool {
        (head.isMethod(.post) || head.isMethod(.patch)) && apis[exchange.apiIndex].hooks.repeats != nil
            && !exchange.responder.isFinal && exchange.responder.upstream == nil
    }

    /// Returns the response to a request that has come before; nil for the first.
    func repeated(_ identity: String, _ call: inout Call, _ exchange: Exchange, in world: inout World) -> Response? {
        let generation = world.generation(of: exchange.apiIndex)
        let isFirstUnderWay = isClaimed(identity, before: exchange, at: call.now, generation: generation)
        let repeats = apis[exchange.apiIndex].hooks.repeats
        guard let response = repeats?.answer(identity, isFirstUnderWay, &call, &world, exchange.apiIndex) else {
            return nil
        }
        call.isTakenElsewhere = true
        call.speculative = nil
        return response
    }

    /// Keeps the response of the source, before faults act on it.
    func keep(
        _ response: Response,
        under identity: String,
        _ call: Call,
        _ exchange: Exchange,
        in world: inout World
    ) {
        apis[exchange.apiIndex].hooks.repeats?.keep(response, identity, call, &world, exchange.apiIndex)
    }

    /// Tells whether an earlier request with the same key is still being worked on.
    private func isClaimed(_ identity: String, before exchange: Exchange, at now: Instant, generation: Int) -> Bool {
        for other in exchange.hosted.claims {
            guard other !== exchange else { return false }
            guard let claim = other.claim, claim.identity == identity, other.apiIndex == exchange.apiIndex,
                claim.generation == generation
            else { continue }
            switch other.state {
            case .ended: continue
            // A response that nobody waits for any more, or whose head has left, is there to be repeated.
            case .delivering: if !other.peerHasEnded, claim.due.map({ now < $0 }) ?? false { return true }
            default: return true
            }
        }
        return false
    }

    /// Notes when the response to a request with a key begins to leave.
    func noteDelivery(of exchange: Exchange) {
        let world = exchange.hosted.world
        exchange.claim?.due =
            exchange.response.wait.map { world.now(exchange.hostTime) + $0 } ?? Instant(microseconds: .max)
    }
}

extension Response {
    /// The time that passes before the head leaves; nil if it never does.
    fileprivate var wait: Interval? {
        var wait = Interval.zero
        for step in timeline {
            switch step {
            case .wait(let interval, _): wait = wait + interval
            case .hold: return nil
            case .interim, .effect: continue
            default: return wait
            }
        }
        return wait
    }
}
