import TestSupport
import Testing

/// Control contract, sections 2 and 18: the environment that `exec` gives its program if an admin token is required.
@Suite(.serialized) struct ExecTokenTests {
    private func told(_ flags: [String]) throws -> String {
        let words = ["exec", "--api", "omnichat"] + flags + ["--", "sh", "-c", "echo \"<$UNDERSTUDY_ADMIN_TOKEN>\""]
        let result = try Program.run(words)
        expectEqual(result.status, 0, "\(result.errors)")
        return result.output
    }

    @Test func `2 exec hands its program the admin token, a made one too`() throws {
        try expectEqual(told([]), "<>\n")
        try expectEqual(told(["--admin-token", "s3cret"]), "<s3cret>\n")
        let made = try told(["--admin-token", "auto"])
        #expect(made.utf8.count > 20 && !made.contains("auto"), "\(made)")
        let exposed = try told(["--host", "0.0.0.0"])
        #expect(exposed.utf8.count > 20 && exposed != made, "\(exposed)")
    }
}
