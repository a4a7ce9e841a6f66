import Foundation
import TestSupport
import Testing

/// The page of messages and the program say the same (clients contract, section 8).
@Suite struct TroubleshootingTests {
    private static let page = "docs/guides/troubleshooting.md"

    /// Messages that tell of progress or of what a call has said, and need no remedy.
    private static let told = [
        "wrote … bytes to …", "recording … into …", "replaying … …", "moved the previous recording from … to …",
        "note: …", "the shutdown cut off … …", "…: … %", "to start one: …", "warning: nothing was compared: …: …",
        "warning: --no-redact: … will hold every password, token and personal detail in the traffic",
        "warning: --no-redact: …/…/recordings will hold every password, token and personal detail in the traffic",
        "All faults of the world are disabled.", "No requests yet.No request matches.",
        "The first … of …; --until, --kind, --user and --api narrow them.",
    ]

    @Test func `clients 8 every message that ends a command has an entry`() throws {
        let messages = try Messages.all()
        // Fewer would mean that they are not found any more.
        #expect(messages.count > 90)
        let known = Set(Messages.entries(of: try SourceTree.text(of: Self.page)) + Self.told.map(Messages.normalised))
        let missing = messages.filter { !known.contains($0.pattern) }
        expectEqual(missing.map { "\($0.place): \($0.pattern)" }, [])
    }

    @Test func `clients 8 every entry is a message of the program`() throws {
        let messages = Set(try Messages.all().map(\.pattern))
        let page = try SourceTree.text(of: Self.page)
        let tables = page.components(separatedBy: "<!-- problem types -->")[0]
        for line in tables.split(separator: "\n") where line.hasPrefix("| `") {
            let cell = line.dropFirst(2).replacing("\\|", with: "\u{1}").prefix { $0 != "|" }
            for entry in Messages.entries(of: "| " + cell.replacing("\u{1}", with: "|")) {
                let isFile = !entry.contains(where: \.isLetter)
                #expect(isFile || messages.contains(entry), "\(entry)")
            }
        }
    }

    @Test func `a message is read out of its call`() {
        let source = #"""
            throw UsageError(
                message: "\(settings.place("a")): \"\(text)\" is not "
                    + "one\(hint ?? "")"
            )
            throw .usage("log: \(error)")
            Terminal.error("understudy: \(text)")
            """#
        expectEqual(Messages.patterns(in: source), [#"…: "…" is not one"#, "log: …"])
        expectEqual(Messages.entries(of: "| `a\\|b …`, `c…` | do `d` |"), ["a|b …", "c", "d"])
    }
}
