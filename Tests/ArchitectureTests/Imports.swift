/// The modules that each target may import (docs/architecture.md).
enum Imports {
    /// Modules that come with the toolchain or the system, by target.
    static let system: [String: Set<String>] = [
        "Backend": ["Synchronization"],
        "Basics": ["Synchronization"],
        "Certificates": ["Glibc", "Darwin"],
        "ClientCommands": ["Glibc", "Darwin"],
        "Crypto": ["CryptoKit", "Security", "CoreFoundation"],
        "Transport": ["Glibc", "Darwin", "Synchronization"],
        "Persistence": ["Glibc", "Darwin"],
        "UnderstudyCLI": ["Glibc", "Darwin"],
        // FoundationNetworking is the part of Foundation that has URLSession on Linux.
        "TrendyOnboarding": ["Foundation", "FoundationNetworking", "Observation"],
        // Network has the proxies of a session on Apple's systems.
        "UnderstudyClient": ["Foundation", "FoundationNetworking", "Network"],
        "UnderstudyServer": ["Foundation"],
        "UnderstudyTesting": ["Foundation", "Testing", "XCTest"],
        "Worlds": ["Synchronization"],
    ]

    /// The rooms that a request passes through, bottom to top: each may import those before it.
    static let rooms = ["Backend", "Conditions", "Journal", "Worlds", "Engine"]

    /// The module maps over the system's libraries, and the targets in C.
    static let libraries = Set(targets.filter { ["systemLibrary", "clangTarget"].contains($0.kind) }.map(\.name))

    /// The targets of the emulated backends.
    static let apis = Set(Manifest.apis(in: Manifest.own))

    /// Our own modules, by target: those that the manifest lets it depend on.
    static let own: [String: Set<String>] = Dictionary(
        targets.filter { $0.kind == "target" || $0.kind == "executableTarget" }.map { ($0.name, $0.dependencies) },
        uniquingKeysWith: { first, _ in first }
    )

    private static let targets = Manifest.targets(in: Manifest.own) + Manifest.targets(in: Manifest.onboarding)

    /// The modules that a target reaches through its dependencies.
    static func reach(of target: String) -> Set<String> {
        var found = own[target] ?? []
        var left = Array(found)
        while let next = left.popLast() {
            for module in own[next] ?? [] where found.insert(module).inserted { left.append(module) }
        }
        return found
    }

    /// The module that a line of code imports.
    static func module(in code: String) -> String? {
        var words = code.split { $0 == " " || $0 == "\t" || $0 == ";" }[...]
        let modifiers: Set<Substring> = [
            "package", "public", "internal", "private", "fileprivate", "@testable", "@_exported", "@preconcurrency",
            "@_implementationOnly", "@_spi",
        ]
        while let word = words.first, modifiers.contains(word) { words.removeFirst() }
        guard words.first == "import" else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        guard let name = words.dropFirst().first(where: { !kinds.contains($0) }) else { return nil }
        return name.split(separator: ".").first.map(String.init)
    }

    /// Each import that the manifest does not allow, as `file:line: what`.
    static func breaches(in files: [SourceFile]) -> [String] {
        files.flatMap { file -> [String] in
            guard let own = own[file.target] else {
                return ["\(file.path):1: the target \(file.target) is not in the manifest"]
            }
            let allowed = own.union(system[file.target] ?? [])
            return file.lines.compactMap { line in
                guard let module = module(in: line.code), !allowed.contains(module) else { return nil }
                return "\(line.place): \(file.target) must not import \(module)"
            }
        }
    }
}
