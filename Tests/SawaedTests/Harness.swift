import CivilTime
import Emulation
import EmulationTesting

@testable import Sawaed

/// Sawaed alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<SawaedAPI>

extension APIHarness where API == SawaedAPI {
    static var noon: Instant { Instant(seconds: 1_735_732_800) }
    /// The users of the seed.
    static var layla: String { "layla@sawaed.test" }
    static var omar: String { "omar@sawaed.test" }
    static var fresh: String { "new@sawaed.test" }
    static var admin: String { "admin@sawaed.test" }
    static var blocked: String { "blocked@sawaed.test" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        try self.init(seed: seed, start: start, wall: Harness.noon)
    }
}
