import Testing

/// The rules that hold between and within the targets (docs/architecture.md, sections 2, 3 and 5).
@Suite struct ArchitectureTests {
    @Test func `the sources are found`() {
        #expect(SourceTree.files.count > 100)
        #expect(Set(SourceTree.files.map(\.target)).isSuperset(of: ["Emulation", "HTTPWire", "JSON", "Transport"]))
    }

    @Test func `imports run one way`() {
        #expect(Imports.breaches(in: SourceTree.files) == [])
    }

    @Test(arguments: Rule.all.map(\.name))
    func `a rule holds in every source`(name: String) throws {
        let rule = try #require(Rule.all.first { $0.name == name })
        #expect(rule.breaches(in: SourceTree.files) == [])
    }

    @Test func `a summary begins with a noun or a verb`() {
        #expect(Summaries.cleanTargets.isSubset(of: Imports.own.keys))
        #expect(Summaries.breaches(in: SourceTree.files) == [])
    }

    @Test func `nothing is unfinished`() {
        #expect(Rule.unfinished.breaches(in: SourceTree.files) == [])
    }

    @Test func `no file is over 600 lines`() {
        // What a script writes is not read by people.
        let written = SourceTree.files.filter { $0.lines.first?.text.hasPrefix("// Made by scripts/") != true }
        let long = written.filter { $0.lines.count > 600 }.map { "\($0.path):601: \($0.lines.count) lines" }
        #expect(long == [])
    }

    @Test func `the manifest has the same walls`() throws {
        let targets = Manifest.targets(in: try SourceTree.text(of: "Package.swift"))
        let built = targets.filter { $0.kind == "target" || $0.kind == "executableTarget" }
        #expect(built.map(\.name).sorted() == Imports.own.keys.sorted())
        for target in built {
            #expect(target.dependencies == Imports.own[target.name], "\(target.name)")
        }
        #expect(Set(targets.filter { $0.kind == "systemLibrary" }.map(\.name)) == Imports.libraries)
    }

    @Test func `an API imports no other API, and only the assembly knows APIs`() {
        let apis: Set<String> = ["CarbScan", "OmniChat", "Sawaed", "Trafikskola", "Trendy"]
        for (target, modules) in Imports.own where target != "Understudy" {
            #expect(modules.isDisjoint(with: apis), "\(target)")
        }
        for api in apis { #expect(Imports.own[api]?.contains("Transport") == false) }
    }

    @Test func `the walls have no circle`() {
        var left = Imports.own
        var placed = Imports.libraries
        while let next = left.first(where: { $0.value.isSubset(of: placed) })?.key {
            placed.insert(next)
            left[next] = nil
        }
        #expect(left.isEmpty)
    }
}
