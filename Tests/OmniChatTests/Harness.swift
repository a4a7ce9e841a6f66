import CivilTime
import Emulation
import EmulationTesting

@testable import OmniChat

/// OmniChat alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<OmniChatAPI>

extension APIHarness where API == OmniChatAPI {
    static var noon: Instant { Instant(seconds: 1_735_732_800) }
    /// The users of the seed.
    static var test: String { "test@icloud.com" }
    static var empty: String { "empty@omnichat.test" }
    static var power: String { "power@omnichat.test" }
    static var other: String { "other@omnichat.test" }
    static var edge: String { "edge@omnichat.test" }
    static var lapsed: String { "lapsed@omnichat.test" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        try self.init(seed: seed, start: start, wall: Harness.noon)
    }
}
