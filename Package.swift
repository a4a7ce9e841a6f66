// swift-tools-version: 6.2
import PackageDescription

// The emulated backends. Each is a target with tests of its own, and depends on the same targets.
let apis = ["CarbScan", "OmniChat", "Sawaed", "Trafikskola", "Trendy"]
let apiDependencies: [Target.Dependency] = [
    "APIDocs", "CivilTime", "Crypto", "Emulation", "HTTPMessage", "Imaging", "JSON", "TextSearch",
]

// Imports run one way, bottom to top. `Tests/ArchitectureTests` reads this file and holds the sources to it.
let package = Package(
    name: "understudy",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
    products: [
        .executable(name: "understudy", targets: ["UnderstudyCLI"]),
        .library(name: "Understudy", targets: ["Understudy"]),
        .library(name: "UnderstudyClient", targets: ["UnderstudyClient"]),
        .library(name: "UnderstudyTesting", targets: ["UnderstudyTesting"]),
        .library(name: "UnderstudyServer", targets: ["UnderstudyServer"]),
        .library(name: "TrendyOnboarding", targets: ["TrendyOnboarding"]),
    ],
    targets: [
        .systemLibrary(name: "CPlatform"),
        // The command line and the commit. `scripts/build-release` sets the variable; other builds know no commit, so that they stay incremental.
        .target(
            name: "CLaunch",
            cSettings: [.define("UNDERSTUDY_COMMIT", to: "\"\(Context.environment["UNDERSTUDY_COMMIT"] ?? "")\"")]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CTLS",
            pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CX509",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CTurboJPEG",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]
        ),
        .systemLibrary(
            name: "CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]
        ),
        .systemLibrary(
            name: "CQRencode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .target(name: "CivilTime"),
        .target(name: "TextSearch"),
        .target(name: "JSON", dependencies: ["RegularExpressions"]),
        .target(name: "Locking"),
        .target(name: "YAML", dependencies: ["CYAML", "JSON"]),
        .target(name: "RegularExpressions"),
        .target(name: "Traffic", dependencies: ["JSON"]),
        .target(name: "HTTPMessage", dependencies: ["CivilTime", "TextSearch"]),
        .target(name: "HTTPWire", dependencies: ["CivilTime", "HTTPMessage"]),
        .target(name: "Templates", dependencies: ["CivilTime", "HTTPMessage", "JSON", "TextSearch"]),
        .target(
            name: "Crypto",
            dependencies: [.target(name: "COpenSSL", condition: .when(platforms: [.linux])), "Locking"]
        ),
        .target(name: "Handshakes", dependencies: ["CivilTime", "JSON"]),
        .target(name: "Certificates", dependencies: ["CX509", "CivilTime", "Crypto", "Handshakes", "TextSearch"]),
        .target(
            name: "Emulation",
            dependencies: [
                "CivilTime", "Compression", "Handshakes", "HTTPMessage", "JSON", "Locking", "Crypto",
                "RegularExpressions", "Templates", "TextSearch",
            ]
        ),
        .target(
            name: "OpenAPI",
            dependencies: ["CivilTime", "HTTPMessage", "JSON", "Locking", "RegularExpressions", "TextSearch", "YAML"]
        ),
        .target(
            name: "APIDocs",
            dependencies: ["Emulation", "HTTPMessage", "JSON", "TextSearch"],
            // `scripts/embed-pages` writes them into a source.
            exclude: ["Pages"]
        ),
        .target(
            name: "Console",
            dependencies: ["APIDocs", "Compression", "Crypto", "HTTPMessage", "TextSearch"],
            // `scripts/embed-console` writes them into a source.
            exclude: ["Device", "Web"]
        ),
        .target(name: "Imaging", dependencies: ["CPNG", "CQRencode", "CTurboJPEG", "Compression", "TextSearch"]),
        .target(name: "SQLiteStore", dependencies: ["CSQLite"]),
        .target(name: "Compression", dependencies: ["CZlib"]),
        .target(
            name: "Recording",
            dependencies: [
                "CivilTime", "Compression", "Emulation", "HTTPMessage", "JSON", "Locking", "Crypto", "TextSearch",
            ]
        ),
        .target(
            name: "Scaffolding",
            dependencies: [
                "CivilTime", "Crypto", "Emulation", "HTTPMessage", "JSON", "Recording", "RegularExpressions",
                "TextSearch",
            ]
        ),
        .target(
            name: "Conduct",
            dependencies: [
                "APIDocs", "CivilTime", "Crypto", "Emulation", "HTTPMessage", "JSON", "Locking", "Recording",
                "TextSearch",
            ]
        ),
        .target(
            name: "OwnAPIs",
            dependencies: [
                "APIDocs", "CivilTime", "Crypto", "Emulation", "HTTPMessage", "JSON", "Locking", "OpenAPI", "Recording",
                "RegularExpressions", "Templates", "TextSearch",
            ]
        ),
        .target(
            name: "Control",
            dependencies: [
                "APIDocs", "CivilTime", "Conduct", "Emulation", "Handshakes", "HTTPMessage", "Imaging", "JSON",
                "Locking", "Recording", "Crypto", "RegularExpressions", "TextSearch",
            ]
        ),
        .target(
            name: "Persistence",
            dependencies: ["CivilTime", "Emulation", "JSON", "Locking", "SQLiteStore"]
        ),
        .target(
            name: "Transport",
            dependencies: [
                "CPlatform", "CTLS", "Certificates", "CivilTime", "Handshakes", "HTTPMessage", "HTTPWire", "Locking",
            ]
        ),
        .target(
            name: "Proxying",
            dependencies: [
                "CivilTime", "Control", "Crypto", "Emulation", "HTTPMessage", "HTTPWire", "JSON", "Locking",
                "Recording",
                "Transport", "TextSearch",
            ]
        ),
        .target(
            name: "Serving",
            dependencies: [
                "APIDocs", "Certificates", "CivilTime", "Console", "Control", "Crypto", "Emulation", "Handshakes",
                "HTTPMessage", "HTTPWire", "Imaging", "JSON", "Locking", "Persistence", "Proxying", "Traffic",
                "Transport", "TextSearch",
            ]
        ),
        .target(
            name: "Understudy",
            dependencies: apis.map { .byName(name: $0) } + [
                "Certificates", "CivilTime", "Conduct", "Control", "Crypto", "Emulation", "Handshakes", "HTTPMessage",
                "HTTPWire", "JSON", "Locking", "OwnAPIs", "Persistence", "Proxying", "Recording", "Scaffolding",
                "Serving", "Transport", "TextSearch",
            ]
        ),
        // These two link into apps and simulators: Foundation alone, and no target below them.
        .target(name: "UnderstudyClient", swiftSettings: [.strictMemorySafety()]),
        .target(name: "UnderstudyTesting", dependencies: ["UnderstudyClient"]),
        .target(
            name: "UnderstudyServer",
            dependencies: [
                "CivilTime", "Emulation", "Locking", "OwnAPIs", "Serving", "Transport", "Understudy",
                "UnderstudyClient", "UnderstudyTesting",
            ]
        ),
        .target(name: "TrendyOnboarding", swiftSettings: [.strictMemorySafety()]),
        .executableTarget(
            name: "UnderstudyCLI",
            dependencies: [
                "APIDocs", "CLaunch", "Certificates", "CivilTime", "Conduct", "Control", "Crypto", "Emulation",
                "HTTPMessage", "HTTPWire", "Imaging", "JSON", "Locking", "OwnAPIs", "Proxying", "Recording",
                "Scaffolding", "Serving", "Traffic", "Transport", "TextSearch", "Understudy",
            ]
        ),

        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime", "TestSupport"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
        .testTarget(name: "YAMLTests", dependencies: ["JSON", "TestSupport", "YAML"]),
        .testTarget(
            name: "OpenAPITests",
            dependencies: ["CivilTime", "HTTPMessage", "JSON", "OpenAPI", "RegularExpressions", "TestSupport", "YAML"]
        ),
        .testTarget(name: "LockingTests", dependencies: ["Locking"]),
        .testTarget(name: "TextSearchTests", dependencies: ["TextSearch"]),
        .testTarget(name: "TrafficTests", dependencies: ["Traffic"]),
        .testTarget(name: "RegularExpressionsTests", dependencies: ["RegularExpressions", "TestSupport"]),
        .testTarget(name: "TemplatesTests", dependencies: ["CivilTime", "HTTPMessage", "JSON", "Templates"]),
        .testTarget(name: "HTTPMessageTests", dependencies: ["CivilTime", "HTTPMessage", "TestSupport"]),
        .testTarget(name: "HTTPWireTests", dependencies: ["CivilTime", "HTTPMessage", "HTTPWire"]),
        .testTarget(
            name: "CertificatesTests",
            dependencies: ["Certificates", "CivilTime", "Crypto", "Handshakes", "TestSupport"]
        ),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto", "TestSupport"]),
        .testTarget(name: "APIDocsTests", dependencies: ["APIDocs"]),
        .testTarget(
            name: "ConsoleTests",
            dependencies: ["Compression", "Console", "Crypto", "HTTPMessage"]
        ),
        .testTarget(
            name: "EmulationTests",
            dependencies: [
                "APIDocs", "CivilTime", "Crypto", "Emulation", "Handshakes", "HTTPMessage", "JSON", "Locking",
                "Templates",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "ImagingTests",
            dependencies: ["Imaging", "TestSupport"]
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: ["SQLiteStore"]
        ),
        .testTarget(
            name: "CompressionTests",
            dependencies: ["Compression"]
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "CivilTime", "Compression", "Emulation", "HTTPMessage", "JSON", "OmniChat", "Recording", "Crypto",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "ScaffoldingTests",
            dependencies: [
                "CivilTime", "Emulation", "HTTPMessage", "JSON", "OwnAPIs", "Recording", "Scaffolding", "TestSupport",
            ]
        ),
        .testTarget(
            name: "OwnAPIsTests",
            dependencies: [
                "CivilTime", "Crypto", "Emulation", "EmulationTesting", "HTTPMessage", "JSON", "OwnAPIs", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ConductTests",
            dependencies: ["CivilTime", "Conduct", "Emulation", "HTTPMessage", "JSON", "Recording", "TestSupport"]
        ),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "APIDocs", "CivilTime", "Control", "Emulation", "Handshakes", "HTTPMessage", "JSON", "OmniChat",
                "Crypto", "TestSupport", "Trendy",
            ]
        ),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "CPlatform", "CTLS", "Certificates", "CivilTime", "Handshakes", "HTTPMessage", "HTTPWire",
                "TestSupport", "Transport",
            ]
        ),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "CivilTime", "Control", "Emulation", "HTTPMessage", "OmniChat", "Proxying", "Serving", "Transport",
            ]
        ),
        .testTarget(
            name: "UnderstudyTestingTests",
            dependencies: ["OwnAPIs", "Understudy", "UnderstudyClient", "UnderstudyServer"]
        ),
        .testTarget(
            name: "TrendyOnboardingTests",
            dependencies: ["Locking", "TestSupport", "TrendyOnboarding", "UnderstudyServer"]
        ),
        .testTarget(
            name: "UnderstudyTests",
            dependencies: [
                "CivilTime", "Compression", "Control", "Emulation", "HTTPMessage", "HTTPWire", "JSON", "OmniChat",
                "Persistence", "Crypto", "Proxying", "TestSupport", "Transport", "Understudy", "UnderstudyCLI",
            ]
        ),
    ]
)

for api in apis {
    package.targets += [
        .target(name: api, dependencies: apiDependencies),
        .testTarget(
            name: "\(api)Tests",
            dependencies: apiDependencies + [.byName(name: api), "EmulationTesting", "TestSupport"]
        ),
    ]
}

// What tests share; no part of a product.
package.targets += [
    .target(
        name: "EmulationTesting",
        dependencies: ["CivilTime", "Emulation", "HTTPMessage", "JSON", "Locking"],
        path: "Tests/EmulationTesting"
    ),
    .target(name: "TestSupport", path: "Tests/TestSupport"),
]

// `Fuzz/run` sets the variable: libFuzzer's driver is no part of an ordinary build.
if Context.environment["UNDERSTUDY_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(
            name: "UnderstudyFuzz",
            dependencies: [
                "CFuzzer", "Certificates", "CivilTime", "HTTPMessage", "HTTPWire", "Imaging", "JSON", "OpenAPI",
                "Recording", "Transport", "YAML",
            ],
            path: "Fuzz/Sources"
        ),
    ]
    package.products.append(.executable(name: "understudy-fuzz", targets: ["UnderstudyFuzz"]))
}

// UNDERSTUDY_TESTS=TrendyTests,EmulationTests builds those test targets alone, which is quicker while working on one module.
if let wanted = Context.environment["UNDERSTUDY_TESTS"] {
    let names = Set(wanted.split(separator: ",").map(String.init))
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// `scripts/break-rules` sets the variable: a copy of the onboarding library in which its rules can be broken, and of its tests.
if Context.environment["UNDERSTUDY_BROKEN_RULES"] != nil {
    for target in package.targets where ["TrendyOnboarding", "TrendyOnboardingTests"].contains(target.name) {
        let folder = target.type == .test ? "Tests" : "Sources"
        target.path = ".build/broken-rules/\(folder)/\(target.name)"
    }
}

// `Benchmarks/run` sets the variable.
if Context.environment["UNDERSTUDY_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "UnderstudyBench",
            dependencies: [
                "CivilTime", "Emulation", "HTTPMessage", "HTTPWire", "JSON", "OmniChat", "Crypto", "Proxying",
                "Understudy",
            ],
            path: "Benchmarks/Micro"
        )
    )
    package.products.append(.executable(name: "understudy-bench", targets: ["UnderstudyBench"]))
}

let everywhere: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]
/// No I/O and no unsafe code: the compiler marks every unsafe operation in these.
let pureTargets: Set<String> = Set(apis).union([
    "APIDocs", "CivilTime", "Conduct", "Console", "JSON", "Handshakes", "HTTPMessage", "HTTPWire", "Emulation",
    "Recording",
    "Control",
    "OpenAPI",
    "OwnAPIs",
    "RegularExpressions", "Scaffolding", "Templates", "TextSearch",
])
/// A release makes these fast, which every request runs through, and the others small: `scripts/build-release` sets the variable.
let fastTargets: Set<String> = [
    "CivilTime", "Compression", "Crypto", "Emulation", "HTTPMessage", "HTTPWire", "JSON", "Locking", "Persistence",
    "SQLiteStore", "Serving", "Transport",
]
let isRelease = Context.environment["UNDERSTUDY_RELEASE"] != nil
/// Not `CI`: that is set wherever a pipeline builds this package as its dependency, with another compiler perhaps.
let strictBuild = Context.environment["UNDERSTUDY_STRICT"] != nil
/// `.ci/run` sets the variable: the tests of an optimised program take a third of the time, but after a change the compiler
/// reads the whole module again.
let quickTests = Context.environment["UNDERSTUDY_QUICK_TESTS"] != nil
/// What links into apps, and what is no part of the program.
let foundationTargets: Set<String> = ["TrendyOnboarding", "UnderstudyClient", "UnderstudyServer", "UnderstudyTesting"]
let toolTargets: Set<String> = ["EmulationTesting", "TestSupport", "UnderstudyBench", "UnderstudyFuzz"]

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    var settings = (target.swiftSettings ?? []) + everywhere
    if pureTargets.contains(target.name) { settings.append(.strictMemorySafety()) }
    let isOfProgram = target.type != .test && !foundationTargets.union(toolTargets).contains(target.name)
    if isOfProgram && isRelease && !fastTargets.contains(target.name) { settings.append(.unsafeFlags(["-Osize"])) }
    if isOfProgram && quickTests {
        settings.append(.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"]))
    }
    // The standard library's searches within texts would bring its regular expressions into the program: `TextSearch` has ours.
    if isOfProgram && (isRelease || strictBuild) {
        settings.append(.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]))
    }
    if strictBuild { settings.append(.treatAllWarnings(as: .error)) }
    target.swiftSettings = settings
}
