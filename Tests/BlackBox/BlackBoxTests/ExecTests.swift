import Foundation
import JSON
import TestSupport
import Testing

/// `understudy exec` (control contract, section 2).
@Suite struct ExecTests {
    private static let ask = #"curl -s "$UNDERSTUDY_OMNICHAT_URL/__admin/clock"; exit 7"#

    @Test func `2 exec serves while a program runs, and exits with its code`() throws {
        let result = try Program.run(["exec"] + Served.frozen + ["--", "sh", "-c", Self.ask])
        expectEqual(result.status, 7)
        expectEqual(result.json["now"]?.stringValue, "2025-01-01T12:00:00.000Z")
    }

    @Test func `3 exec prints its ready line on standard error only when verbose`() throws {
        let silent = try Program.run(["exec", "--", "true"])
        #expect(silent.errors.isEmpty, "\(silent.errors)")
        let result = try Program.run(["exec", "--verbose", "--", "sh", "-c", "echo $UNDERSTUDY_URL"])
        let line = try #require(result.errors.split(separator: "\n").first { $0.hasPrefix("{") })
        let ready = try JSONReader.read(text: String(line))
        expectEqual(ready["ready"], true)
        expectEqual(ready["hub"]?.stringValue, result.output.trimmingCharacters(in: .newlines))
        expectEqual(ready["hub"]?.stringValue?.hasSuffix(":4680"), false)
    }

    @Test func `2 exec takes free ports where a file names ones that a serve is running on`() throws {
        let served = try Served()
        let folder = try Folder(["understudy.json": #"{"port":\#(served.hub),"portOmnichat":\#(served.api)}"#])
        let result = try Program.run(["exec", "--", "sh", "-c", "echo $UNDERSTUDY_OMNICHAT_URL"], in: folder)
        expectEqual(result.status, 0, "\(result.errors)")
        #expect(result.output.hasPrefix("http://127.0.0.1:"))
        #expect(!result.output.hasSuffix(":\(served.api)\n"))
    }

    @Test func `2 the help of exec names free ports, and no others`() throws {
        let help = try Program.run(["exec", "--help"]).output
        #expect(help.contains("(default: a free one)"))
        #expect(!help.contains("(default: 4680)"))
    }

    @Test func `2 the end of a program by a signal is 128 and its number`() throws {
        try expectEqual(Program.run(["exec", "--", "sh", "-c", "kill -9 $$"]).status, 137)
    }

    @Test func `2 a signal to exec reaches the program, whose code it leaves with`() throws {
        let script = "trap 'exit 9' TERM; echo up; while :; do sleep 0.05; done"
        let child = try Child(["exec", "--", "sh", "-c", script])
        try Deadline().wait(for: "the program") { try child.output() == "up\n" }
        child.signal(SIGTERM)
        try expectEqual(child.waitForExit(), 9)
    }

    @Test func `2 a program that is not there is 127 and named`() throws {
        let result = try Program.run(["exec", "--", "no-such-program-here"])
        expectEqual(result.status, 127)
        #expect(result.errors.contains("no-such-program-here: No such file"))
    }

    @Test(arguments: [["exec"], ["exec", "--"], ["exec", "--prot", "1", "--", "true"]])
    func `2 exec without a program, or with an unknown flag, is 2`(words: [String]) throws {
        let result = try Program.run(words)
        expectEqual(result.status, 2)
        #expect(result.errors.contains(words.count == 5 ? "did you mean --port?" : "exec needs a program"))
    }
}
