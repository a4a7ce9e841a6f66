import TestSupport
import Testing

/// The contract is in the repository, and what is cited of it exists (docs/contributing.md, "House rules").
@Suite struct ContractTests {
    private func sections() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for name in Citations.contracts {
            found[name] = Citations.sections(of: try SourceTree.text(of: "docs/contract/\(name).md"))
        }
        return found
    }

    @Test func `every section that is cited exists`() throws {
        let sections = try sections()
        let cited = Citations.files().flatMap { Citations.all(in: $0.text, path: $0.path) }
        // Fewer would mean that citations are not found any more.
        #expect(cited.count > 800)
        let missing = cited.filter { sections[$0.contract]?.contains($0.section) != true }
        expectEqual(missing.map { "\($0.place): \($0.contract) has no section \($0.section)" }, [])
    }

    @Test func `each contract has sections, and the index leads to all of them`() throws {
        let index = try SourceTree.text(of: "docs/contract/README.md")
        for (name, sections) in try sections() {
            // Of `wire` some sections are not built yet.
            #expect(sections.count >= (name == "wire" ? 3 : 9), "\(name)")
            #expect(index.contains("(\(name).md)"), "\(name)")
        }
    }

    @Test(arguments: [
        ("Sources/Control/A.swift", "/// (control contract, section 13)", ["control 13"]),
        ("Sources/Control/A.swift", "/// Contract,\n    /// sections 3 and 4.1", ["control 3", "control 4.1"]),
        ("Sources/Backends/Sawaed/A.swift", "// as section 4.1 has it", ["sawaed 4.1"]),
        ("Sources/Backends/Sawaed/A.swift", "// control contract, section 3", ["control 3"]),
        ("docs/faults.md", "section 8 of the control contract", ["control 8"]),
        ("docs/trendy.md", "contract, sections 8, 9.6 to 9.9", ["trendy 8", "trendy 9.6", "trendy 9.9"]),
        ("Sources/Backends/Trendy/A.swift", "// RFC 9110 section 5.5", []),
        ("Sources/JSON/A.swift", "// section 5.5", []),
        ("Sources/HTTPWire/A.swift", "// CarbScan contract, section 2.", ["carbscan 2"]),
        ("Sources/Engine/A.swift", "/// own-API contract, sections 7 and 9", ["own-api 7", "own-api 9"]),
        ("Sources/Backends/Trendy/A.swift", "/// (transport contract, section 6)", ["transport 6"]),
        ("Tests/EngineTests/A.swift", "/// Wire contract, sections 4 and 5", ["wire 4", "wire 5"]),
    ])
    func `a citation is read with its contract`(path: String, text: String, expected: [String]) {
        expectEqual(Citations.all(in: text, path: path).map { "\($0.contract) \($0.section)" }, expected)
    }

    @Test func `a planted section that does not exist is found with its line`() {
        let found = Citations.all(in: "let a = 1\n// control contract, section 99", path: "Sources/A.swift")
        expectEqual(found, [Citations.Citation(place: "Sources/A.swift:2", contract: "control", section: "99")])
        expectEqual(Citations.sections(of: "# A\n\n## 4. B\n\n### 4.10 C\n\ntext 5. d"), ["4", "4.10"])
    }
}
