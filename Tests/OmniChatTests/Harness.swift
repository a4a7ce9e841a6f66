import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import Journal
import Worlds

@testable import OmniChat

/// OmniChat alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<OmniChatState>

extension APIHarness where State == OmniChatState {
    /// The users of the seed.
    static var test: String { "test@icloud.com" }
    static var empty: String { "empty@omnichat.test" }
    static var power: String { "power@omnichat.test" }
    static var other: String { "other@omnichat.test" }
    static var edge: String { "edge@omnichat.test" }
    static var lapsed: String { "lapsed@omnichat.test" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        try self.init(OmniChatAPI.definition, seed: seed, start: start, wall: Harness.noon)
    }
}
