import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 18: the addresses of the listeners.
@Suite(.serialized) struct ExposureTests {
    @Test func `listening beyond loopback forces an admin token and says what is exposed`() throws {
        let served = try Served(Served.frozen + ["--host", "0.0.0.0"])
        var errors = ""
        try Deadline().wait(for: "the table") {
            errors = try served.child.errors()
            return errors.contains("admin token")
        }
        #expect(errors.contains("EXPOSED"))
        let token = errors.split(separator: "\n").first { $0.contains("admin token ") }?.split(separator: " ").last
        expectEqual(token?.count, 32)
        try expectEqual(served.control("GET", "/health").status, 401)
        let wire = try Wire(port: served.hub)
        try expectEqual(wire.ask("GET", "/__admin/health", token: String(token ?? "")).status, 200)
        // The emulated APIs stay open: that is what they are for.
        try expectEqual(served.chat("GET", "/conversations").error, "401 Missing or invalid authorization header")
    }

    @Test func `a token of the user's own is not printed`() throws {
        let served = try Served(Served.frozen + ["--admin-token", "my-own-secret"], log: [])
        try Deadline().wait(for: "the table") { try served.child.errors().contains("is ready") }
        #expect(try !served.child.errors().contains("my-own-secret"))
    }
}
