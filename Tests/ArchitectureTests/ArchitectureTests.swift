import TestSupport
import Testing

/// The rules that hold between and within the targets (docs/architecture.md).
@Suite struct ArchitectureTests {
    @Test func `the sources are found`() {
        #expect(SourceTree.files.count > 100)
        #expect(Set(SourceTree.files.map(\.target)).isSuperset(of: Imports.rooms + ["HTTPWire", "JSON", "Transport"]))
    }

    @Test func `imports run one way`() {
        expectEqual(Imports.breaches(in: SourceTree.files), [])
    }

    @Test(arguments: Rule.all.map(\.name))
    func `a rule holds in every source`(name: String) throws {
        let rule = try #require(Rule.all.first { $0.name == name })
        expectEqual(rule.breaches(in: SourceTree.files), [])
    }

    @Test func `a summary begins with a noun or a verb`() {
        expectEqual(Summaries.breaches(in: SourceTree.files), [])
    }

    @Test func `nothing is unfinished`() {
        expectEqual(Rule.unfinished.breaches(in: SourceTree.files), [])
    }

    @Test func `tests make plain comparisons by functions`() {
        #expect(SourceTree.tests.count > 500)
        #expect(SourceTree.tests.count { $0.target == "TrendyOnboardingTests" } > 20)
        expectEqual(Comparisons.breaches(in: SourceTree.tests), [])
    }

    @Test func `no file is over 600 lines`() {
        // People don't read the output of a script.
        let written = SourceTree.files.filter { !$0.isGenerated }
        let long = written.filter { $0.lines.count > 600 }.map { "\($0.path):601: \($0.lines.count) lines" }
        expectEqual(long, [])
    }

    @Test func `a file is named as generated if a script writes it, and only then`() {
        for file in SourceTree.files {
            expectEqual(file.lines.first?.text.hasPrefix("// Made by ") == true, file.isGenerated, "\(file.path)")
        }
    }

    @Test func `each target of the manifest has sources, and each source a target`() {
        expectEqual(Set(SourceTree.files.map(\.target)), Set(Imports.own.keys))
    }

    @Test func `the page about the architecture names each target`() throws {
        let page = try SourceTree.text(of: "docs/architecture.md")
        let targets = Set(Imports.own.keys).union(Imports.libraries)
        expectEqual(targets.filter { !page.contains("`\($0)`") }.sorted(), [])
    }

    @Test func `an API imports no other API, and only the assembly knows APIs`() {
        let apis = Imports.apis
        #expect(apis.isSuperset(of: ["CarbScan", "OmniChat", "Sawaed", "Trafikskola", "Trendy"]))
        for (target, modules) in Imports.own where target != "Understudy" {
            #expect(modules.isDisjoint(with: apis), "\(target)")
        }
    }

    @Test func `an API sees what APIs are made of, and no room above it`() {
        let allowed = Imports.reach(of: "Backend").union(["APIDocs", "Backend", "ConductKit", "Imaging"])
        #expect(allowed.isDisjoint(with: Imports.rooms.dropFirst()))
        for api in Imports.apis { expectEqual(Imports.own[api]?.subtracting(allowed).sorted(), [], "\(api)") }
    }

    @Test func `what rules of conduct are written with knows no world, and what judges by them no control API`() {
        #expect(Imports.reach(of: "ConductKit").isDisjoint(with: Imports.rooms.dropFirst()))
        #expect(Imports.reach(of: "Conduct").isDisjoint(with: ["Control", "Engine"]))
        #expect(Imports.reach(of: "Control").isDisjoint(with: ["Conduct", "ConductControl", "ConductKit"]))
    }

    @Test func `a room imports the rooms below it alone`() {
        for (place, room) in Imports.rooms.enumerated() {
            #expect(Imports.reach(of: room).isDisjoint(with: Imports.rooms[place...]), "\(room)")
        }
    }

    @Test func `the proxy stands below the service, and the core below both`() {
        for target in ["Control", "Persistence", "Recording"] {
            #expect(Imports.reach(of: target).isDisjoint(with: ["Proxying", "Serving", "Transport"]), "\(target)")
        }
        #expect(Imports.reach(of: "Proxying").isDisjoint(with: ["Persistence", "Serving", "Understudy"]))
        #expect(!Imports.reach(of: "Serving").contains("Understudy"))
    }

    @Test func `the folder of each API has the same roles, and no file beside them`() {
        let roles = ["+Control", "+Faults", "+Ledger", "+Precheck", "+Scenarios", "+Settings", "+Tokens", ""]
        for api in Imports.apis.sorted() {
            let paths = SourceTree.files.filter { $0.target == api }.map { $0.path.split(separator: "/").dropFirst(3) }
            let files = paths.filter { $0.count == 1 }.compactMap(\.first).sorted()
            expectEqual(files.map(String.init), roles.map { "\(api)API\($0).swift" }, "\(api)")
            // An API whose requests have no bodies does without Requests.
            let folders = Set(paths.filter { $0.count == 2 }.compactMap(\.first)).subtracting(["Requests"])
            expectEqual(folders, ["Conduct", "Endpoints", "Model", "Responses", "Seed"], "\(api)")
            #expect(paths.allSatisfy { $0.count <= 2 }, "\(api)")
        }
    }

    @Test func `the types of bodies lie in Requests, and those of responses in Responses`() {
        expectEqual(Roles.breaches(in: SourceTree.files, apis: Imports.apis), [])
    }

    @Test func `pure targets reach no socket, no file and no process`() {
        let shell = Set(Imports.own.keys).subtracting(Rule.pureTargets)
            .subtracting(["Basics", "Crypto", "Imaging", "Compression"])
        #expect(
            shell.isSuperset(of: [
                "Persistence", "Proxying", "Serving", "Transport", "TrendyOnboarding", "Understudy", "UnderstudyCLI",
                "UnderstudyClient", "UnderstudyServer", "UnderstudyTesting",
            ])
        )
        for target in Rule.pureTargets { #expect(Imports.reach(of: target).isDisjoint(with: shell), "\(target)") }
    }

    @Test func `the client library imports nothing of the emulator, and what not every system has under a condition`() {
        expectEqual(Imports.own["TrendyOnboarding"], [])
        let files = SourceTree.files.filter { $0.target == "TrendyOnboarding" }
        #expect(files.count > 20)
        for file in files {
            let imports = file.lines.compactMap { line in Imports.module(in: line.code).map { ($0, line) } }
            for (module, line) in imports where module != "Foundation" {
                #expect(["FoundationNetworking", "Observation"].contains(module), "\(line.place)")
                let guarded = "#if canImport(\(module))"
                #expect(
                    file.lines.contains { $0.number == line.number - 1 && $0.code.contains(guarded) },
                    "\(line.place)"
                )
            }
        }
        // Nobody of the emulator builds upon it.
        #expect(Imports.own.allSatisfy { !$0.value.contains("TrendyOnboarding") })
    }

    /// The table of section 5 of the clients' contract.
    private static let linkable: [String: (targets: Set<String>, modules: Set<String>)] = [
        "UnderstudyClient": ([], ["Foundation", "FoundationNetworking", "Network"]),
        "UnderstudyTesting": (["UnderstudyClient"], ["Foundation", "Testing", "XCTest", "UnderstudyClient"]),
        "TrendyOnboarding": ([], ["Foundation", "FoundationNetworking", "Observation"]),
    ]

    @Test(arguments: linkable.keys.sorted())
    func `clients 5 what links into apps and simulators imports what the table allows`(target: String) throws {
        let (dependencies, modules) = try #require(Self.linkable[target])
        expectEqual(Imports.own[target], dependencies)
        let files = SourceTree.files.filter { $0.target == target }
        #expect(!files.isEmpty)
        for file in files {
            for line in file.lines {
                guard let module = Imports.module(in: line.code) else { continue }
                #expect(modules.contains(module), "\(line.place)")
                // Linux has the one, and Apple's systems have its content in Foundation; the other is theirs alone.
                guard ["FoundationNetworking", "Network"].contains(module) else { continue }
                #expect(
                    file.lines.contains {
                        (1...2).contains(line.number - $0.number) && $0.code.contains("#if canImport(\(module))")
                    },
                    "\(line.place)"
                )
            }
        }
        #expect(Imports.reach(of: target).isDisjoint(with: Imports.libraries))
    }

    @Test(arguments: [
        "Basics", "CivilTime", "JSON", "HTTPMessage", "HTTPWire", "Crypto", "Imaging", "OpenAPI", "Transport", "YAML",
    ])
    func `what serves any backend knows nothing of emulation`(target: String) {
        #expect(Imports.reach(of: target).isDisjoint(with: Imports.rooms))
    }

    @Test func `a library of the system has one target that wraps it`() {
        for library in Imports.libraries {
            let walls = Imports.own.filter { $0.value.contains(library) }.keys.sorted()
            if library == "COpenSSL" {
                // Its digests, its certificates and its TLS have a wall each.
                expectEqual(walls, ["Certificates", "Crypto", "Transport"])
            } else {
                expectEqual(walls.count, 1, "\(library)")
            }
        }
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
