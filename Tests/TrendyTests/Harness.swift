import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import Journal
import Worlds

@testable import Trendy

/// Trendy alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<TrendyState>

extension APIHarness where State == TrendyState {
    /// The id of the seed's account of that number (section 14).
    static func id(_ number: Int) -> String {
        "7e4d0000-0000-4000-8000-0000000000" + (number < 16 ? "0" : "") + String(number, radix: 16)
    }

    /// The address of a seed account.
    static func mail(_ name: String) -> String { "\(name)@trendy.example" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        try self.init(TrendyAPI.definition, seed: seed, start: start, wall: Harness.noon)
        checksDisturbedAnswers = true
    }
}
