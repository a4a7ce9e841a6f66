import Foundation
import JSON
import TestSupport
import Testing

/// The version and the release's texts (transport contract, section 10).
@Suite struct VersionTests {
    @Test func `10 the version is printed, with the commit if the build knows it`() throws {
        for word in ["--version", "version"] {
            let line = try Program.run([word]).output
            let form = /understudy (\d+\.\d+\.\d+)( \([0-9a-f]{12}(-dirty)?\))?\n/
            let match = try #require(line.wholeMatch(of: form), "\(line)")
            expectEqual(String(match.1), Checkout.version)
        }
    }

    @Test func `10 the version alone stands in health and in the manual page`() throws {
        try expectEqual(Served().control("GET", "/health").json["version"]?.stringValue, Checkout.version)
        #expect(try Program.run(["man"]).output.contains("\"understudy \(Checkout.version)\""))
    }

    @Test func `10 the changelog has Unreleased on top, then a section with its date for each version, newest first`()
        throws
    {
        let root = Checkout.root
        let text = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        expectEqual(headings.first, "[Unreleased]")
        let versions = try headings.dropFirst().map { heading in
            try #require(heading.wholeMatch(of: /\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d/), "\(heading)")
        }
        let newest = try #require(versions.first)
        expectEqual("\(newest.1).\(newest.2).\(newest.3)", Checkout.version)
        let numbers = versions.map { [$0.1, $0.2, $0.3].map { Int($0) ?? 0 } }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1.lexicographicallyPrecedes($0) })
        let kinds = Set(text.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) })
        #expect(kinds.isSubset(of: ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]))
    }

    @Test func `10 the words of the command line come from C, whatever they hold`() throws {
        let strange = "a b\u{301}\n\"*'"
        #expect(try Program.run([strange]).errors.contains("unknown command \"\(strange)\""))
        try expectEqual(Program.run(["help", ""]).status, 2)
    }
}
