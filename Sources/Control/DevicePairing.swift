package import Backend
package import CivilTime
import Crypto
import HTTPMessage
import JSON

/// The pairing of devices: one code, and the tokens that were given for it (transport contract, section 8).
package struct DevicePairing: Sendable {
    /// The one world that paired devices act on.
    package let world: String
    /// The code, which a device shows once.
    package let code: String
    private let until: Instant
    private var isUsed = false
    private var refusals = 0
    private var tokens: [String] = []

    /// The time for which a code is good.
    package static let life = Interval.minutes(5)
    /// The refused codes that end pairing.
    private static let mostRefusals = 10

    /// Creates it; `code` and the tokens come from the system's random source, `now` is on the monotonic clock.
    package init(world: String, code: String, now: Instant) {
        self.world = world
        self.code = code
        until = now + Self.life
    }

    /// Takes a code, and gives the token for it.
    package mutating func pair(_ given: String, token: String, now: Instant) throws(Problem) {
        guard refusals < Self.mostRefusals else {
            throw Problem(.pairingRefused, "Pairing has ended after ten wrong codes.")
        }
        let isRight = constantTimeEqual(Array(given.utf8), Array(code.utf8))
        guard isRight, !isUsed, now < until else {
            refusals += 1
            let reason = !isRight ? "is wrong" : isUsed ? "was used before" : "is older than 5 minutes"
            throw Problem(.pairingRefused, "The code \(reason).")
        }
        isUsed = true
        tokens.append(token)
    }

    /// Tells whether a token is that of a paired device.
    func knows(_ token: String) -> Bool {
        tokens.contains { constantTimeEqual(Array($0.utf8), Array(token.utf8)) }
    }

    /// Refuses what a paired device may not do, and returns the address in its world.
    func confined(_ address: Address, _ method: HTTPMessage.HTTPMethod) throws(Problem) -> Address {
        let segments = address.path.segments
        let isReading = method == .get || method == .head
        let first = segments.first ?? ""
        // A request that is sent again is a request, and no view of the journal.
        let isReplay = first == "requests" && segments.count > 2
        guard
            (Self.calls.contains(first) && !isReplay)
                || (isReading && segments.count == 1 && Self.readings.contains(first))
        else {
            throw Problem(
                .notPairedFor,
                "A paired device may not call \(method.rawValue) /__admin\(address.path.text.cut)."
            )
        }
        for named in address.namedWorlds where named != world {
            throw Problem(.notPairedFor, "The device is paired for the world \(world), not for \"\(named.cut)\".")
        }
        var address = address
        address.namedWorlds = [world]
        return address
    }

    /// The first segments of calls that act on one world.
    private static let calls: Set<String> = [
        "clock", "reset", "scenarios", "settings", "faults", "latency", "gates", "journal", "requests", "requests.har",
        "verify", "outbox", "tokens", "users", "events",
    ]
    private static let readings: Set<String> = ["health", "apis"]
}
