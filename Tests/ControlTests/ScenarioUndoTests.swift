import Emulation
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 7: the changes that deactivating a scenario undoes.
struct ScenarioUndoTests {
    @Test(arguments: ["rate-limited", "rate-limit-nearly-spent"])
    func `a spent bucket is whole again when its scenario goes off`(name: String) throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.call(.put, "/scenarios/omnichat/\(name)")
        let spent = try harness.chat(.get, "/api/v1/conversations", token: token)
        expectEqual(spent.fields["X-RateLimit-Remaining"], name == "rate-limited" ? "0" : "2")
        try expectEqual(harness.call(.delete, "/scenarios/omnichat/\(name)").status, 200)
        let whole = try harness.chat(.get, "/api/v1/conversations", token: token)
        expectEqual(whole.status, 200)
        expectEqual(whole.fields["X-RateLimit-Remaining"], "99")
    }
}
