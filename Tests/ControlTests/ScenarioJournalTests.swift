import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 11: the journal names the active scenarios.
struct ScenarioJournalTests {
    @Test func `an exchange names the scenario of its API that was switched on last`() throws {
        let harness = try Harness()
        let token = try harness.token()
        func newest() throws -> JSON? { try harness.call(.get, "/requests?limit=1").items.first }
        _ = try harness.chat(.get, "/api/v1/conversations", token: token)
        try expectNil(newest()?["scenario"])
        for name in ["fractional-dates", "html-errors"] { _ = try harness.call(.put, "/scenarios/omnichat/\(name)") }
        _ = try harness.chat(.get, "/api/v1/conversations", token: token)
        try expectEqual(newest()?["scenario"], "omnichat/html-errors")
        _ = try harness.call(.delete, "/scenarios/omnichat/html-errors")
        _ = try harness.chat(.get, "/api/v1/conversations", token: token)
        try expectEqual(newest()?["scenario"], "omnichat/fractional-dates")
    }
}
