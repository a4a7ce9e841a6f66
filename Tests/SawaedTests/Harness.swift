import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import Journal
import Worlds

@testable import Sawaed

/// Sawaed alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<SawaedState>

extension APIHarness where State == SawaedState {
    /// The users of the seed.
    static var layla: String { "layla@sawaed.test" }
    static var omar: String { "omar@sawaed.test" }
    static var fresh: String { "new@sawaed.test" }
    static var admin: String { "admin@sawaed.test" }
    static var blocked: String { "blocked@sawaed.test" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        try self.init(SawaedAPI.definition, seed: seed, start: start, wall: Harness.noon)
    }
}
