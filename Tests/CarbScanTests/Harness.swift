import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import Journal
import Worlds

@testable import CarbScan

/// CarbScan alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<CarbScanState>

extension APIHarness where State == CarbScanState {
    /// The evening by which the whole seed has happened.
    static var evening: Instant { Instant(seconds: 1_738_353_600) }
    /// The users of the seed.
    static var free: String { "free@carbscan.test" }
    static var essentials: String { "essentials@carbscan.test" }
    static var pro: String { "pro@carbscan.test" }
    static var new: String { "new@carbscan.test" }
    static var relay: String { "x7k2m9q4@privaterelay.appleid.com" }
    static var web: String { "web@carbscan.test" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.evening) throws {
        try self.init(CarbScanAPI.definition, seed: seed, start: start, wall: Harness.evening)
        basePath = Harness.base
        contentType = "application/json"
    }
}
