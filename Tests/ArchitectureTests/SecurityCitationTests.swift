import TestSupport
import Testing

/// The tests that the page on security names as those that hold a defence (docs/security.md).
@Suite struct SecurityCitationTests {
    @Test func `every suite that is cited with its target exists`() throws {
        let cited = try SourceTree.text(of: "docs/security.md").matches(of: /(\w+Tests)\/(\w+Tests)/).map(\.output)
        // Fewer would mean that citations are not found any more.
        #expect(cited.count > 50)
        let missing = cited.filter { _, target, suite in
            !SourceTree.tests.contains { file in
                let folders = file.path.split(separator: "/")
                return folders.contains(target) && folders.last == "\(suite).swift"
            }
        }
        expectEqual(missing.map { String($0.0) }, [])
    }
}
