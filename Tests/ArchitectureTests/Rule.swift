/// A pattern that no source may contain, with its exceptions.
struct Rule {
    var name: String
    var patterns: [String]
    /// The targets in which the rule holds; all if nil.
    var targets: Set<String>?
    /// The targets and files in which it does not hold.
    var exceptions: Set<String> = []
    /// Tells whether the rule reads comments too.
    var readsComments = false

    /// Each breach as `file:line: what`.
    func breaches(in files: [SourceFile]) -> [String] {
        files.filter { targets?.contains($0.target) ?? true }
            .filter { exceptions.isDisjoint(with: [$0.target, $0.path]) }
            .flatMap { file in
                file.lines.flatMap { line in
                    patterns.filter { Self.holds(readsComments ? line.text : line.code, $0) }
                        .map { "\(line.place): \(name): \($0)" }
                }
            }
    }

    /// Tells whether a text contains the pattern, other than at the end of a longer word.
    private static func holds(_ text: String, _ pattern: String) -> Bool {
        var rest = text[...]
        while let range = rest.firstRange(of: pattern) {
            let before = range.lowerBound == text.startIndex ? nil : text[text.index(before: range.lowerBound)]
            let startsWord = pattern.first.map(Self.isWord) ?? false
            if !startsWord || !(before.map(Self.isWord) ?? false) { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    static let pureTargets = Manifest.pureTargets(in: Manifest.own)

    static let all: [Rule] = [
        Rule(
            name: "no Foundation in the product",
            patterns: ["import Foundation", "import FoundationEssentials"],
            // Linked into test bundles and apps, which have it anyway.
            exceptions: ["TrendyOnboarding", "UnderstudyClient", "UnderstudyServer", "UnderstudyTesting"]
        ),
        Rule(
            name: "no unsafe code in pure targets",
            patterns: ["Unsafe", "withUnsafe", "withContiguousStorageIfAvailable", "unsafe "],
            targets: pureTargets,
            // The wall over libyaml, in which the compiler has every unsafe operation marked.
            exceptions: ["Sources/YAML/YAMLEvents.swift"]
        ),
        Rule(
            name: "no unsafe code in the assembly and around the loop",
            patterns: ["Unsafe", "withUnsafe", "withContiguousStorageIfAvailable", "unsafe "],
            targets: ["Serving", "Understudy"]
        ),
        Rule(
            name: "no clock, chance, environment or output below the edges",
            patterns: [
                "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", ".random(", ".randomElement(",
                ".shuffled(",
                ".shuffle(", "Date()", "UUID()", "hashValue", "print(", "debugPrint(", "getenv", "Task.sleep",
            ],
            // Serving connects the core to the loop, which gives it its times.
            targets: pureTargets.union(["Persistence", "Serving", "Understudy"])
        ),
        Rule(
            name: "concurrency checks are switched off at the edges only",
            patterns: ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"],
            exceptions: [
                "Basics", "Certificates", "Transport", "Crypto", "Proxying", "Serving", "UnderstudyCLI",
                "UnderstudyTesting",
            ]
        ),
        Rule(
            // `Locked` says why.
            name: "locks are those that the thread sanitizer sees",
            patterns: ["Mutex<", "Mutex("],
            exceptions: ["Basics"]
        ),
        Rule(
            name: "no process is started",
            patterns: ["posix_spawn", "fork()", "vfork(", "execv", "execl", "popen(", "Process()"],
            // The command line's exec runs what its user named; no request reaches that target.
            exceptions: ["UnderstudyCLI"]
        ),
        Rule(name: "no force", patterns: ["try!", "as!"]),
    ]

    /// The rule against unfinished code, which reads comments and texts too.
    static let unfinished = Rule(
        name: "nothing unfinished",
        patterns: ["TODO", "FIXME", "XXX:", "fatalError(\"not implemented", "preconditionFailure(\"not implemented"],
        readsComments: true
    )
}
