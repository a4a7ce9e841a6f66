/// Which target may import which module: the walls between the rooms (docs/architecture.md).
enum Imports {
    /// Modules that come with the toolchain or the system, by target.
    static let system: [String: Set<String>] = [
        "Locking": ["Synchronization"],
        "Crypto": ["CryptoKit", "Security", "CoreFoundation"],
        "SQLiteStore": ["Glibc", "Darwin"],
        "Transport": ["Glibc", "Darwin", "Synchronization"],
        "Persistence": ["Glibc", "Darwin"],
        "Understudy": ["Glibc", "Darwin"],
        "UnderstudyCLI": ["Glibc", "Darwin"],
        "UnderstudyTesting": ["Foundation", "FoundationNetworking", "Testing", "XCTest"],
    ]

    /// The module maps over the system's libraries.
    static let libraries: Set<String> = [
        "CPlatform", "COpenSSL", "CTLS", "CTurboJPEG", "CPNG", "CQRencode", "CSQLite", "CZlib",
    ]

    /// Our own modules, by target.
    static let own: [String: Set<String>] = [
        "CivilTime": [],
        "JSON": [],
        "Locking": [],
        "HTTPMessage": ["CivilTime"],
        "HTTPWire": ["CivilTime", "HTTPMessage"],
        "Crypto": ["COpenSSL", "Locking"],
        "Emulation": ["CivilTime", "HTTPMessage", "JSON", "Locking", "Crypto"],
        "Imaging": ["CPNG", "CQRencode", "CTurboJPEG", "Compression"],
        "SQLiteStore": ["CSQLite"],
        "Compression": ["CZlib"],
        "CarbScan": ["CivilTime", "Emulation", "HTTPMessage", "Imaging", "JSON", "Crypto"],
        "OmniChat": ["CivilTime", "Emulation", "HTTPMessage", "JSON", "Crypto"],
        "Sawaed": ["CivilTime", "Emulation", "HTTPMessage", "Imaging", "JSON", "Crypto"],
        "Trafikskola": ["CivilTime", "Emulation", "HTTPMessage", "Imaging", "JSON", "Crypto"],
        "Trendy": ["CivilTime", "Emulation", "HTTPMessage", "JSON", "Crypto"],
        "Recording": ["CivilTime", "Compression", "Emulation", "HTTPMessage", "JSON", "Locking", "Crypto"],
        "Control": ["CivilTime", "Emulation", "HTTPMessage", "Imaging", "JSON", "Locking", "Recording", "Crypto"],
        "Persistence": ["CivilTime", "Emulation", "JSON", "Locking", "SQLiteStore"],
        "Transport": ["CPlatform", "CTLS", "CivilTime", "HTTPMessage", "HTTPWire", "Locking"],
        "Understudy": [
            "CarbScan", "CivilTime", "Control", "Emulation", "HTTPMessage", "HTTPWire", "JSON", "Locking", "OmniChat",
            "Persistence", "Recording", "Sawaed", "Crypto", "Trafikskola", "Transport", "Trendy",
        ],
        "UnderstudyTesting": ["CivilTime", "Emulation", "Locking", "Transport", "Understudy"],
        "UnderstudyCLI": [
            "CivilTime", "Control", "Emulation", "HTTPMessage", "JSON", "Locking", "Recording", "Crypto", "Transport",
            "Understudy",
        ],
    ]

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

    /// Each import that has no place in the table, as `file:line: what`.
    static func breaches(in files: [SourceFile]) -> [String] {
        files.flatMap { file -> [String] in
            guard let own = own[file.target] else {
                return ["\(file.path):1: the target \(file.target) is not in the table"]
            }
            let allowed = own.union(system[file.target] ?? [])
            return file.lines.compactMap { line in
                guard let module = module(in: line.code), !allowed.contains(module) else { return nil }
                return "\(line.place): \(file.target) must not import \(module)"
            }
        }
    }
}
