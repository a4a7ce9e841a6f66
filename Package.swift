// swift-tools-version: 6.2
import PackageDescription

// The emulated backends. Each is a target with tests of its own, and depends on the same targets.
let apis = ["CarbScan", "OmniChat", "Sawaed", "Trafikskola", "Trendy"]
let apiDependencies: [Target.Dependency] = [
    "APIDocs", "Backend", "Basics", "CivilTime", "ConductKit", "Crypto", "HTTPMessage", "Imaging", "JSON",
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
            pkgConfig: "libssl",
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
        .target(name: "Basics"),
        .target(name: "CivilTime"),
        .target(name: "JSON", dependencies: ["RegularExpressions"]),
        .target(name: "RegularExpressions"),
        .target(name: "YAML", dependencies: ["CYAML", "JSON"]),
        .target(name: "Traffic", dependencies: ["Basics", "JSON"]),
        .target(name: "HTTPMessage", dependencies: ["Basics", "CivilTime"]),
        .target(name: "HTTPWire", dependencies: ["CivilTime", "HTTPMessage"]),
        .target(name: "Templates", dependencies: ["Basics", "CivilTime", "HTTPMessage", "JSON"]),
        .target(
            name: "Crypto",
            dependencies: [.target(name: "COpenSSL", condition: .when(platforms: [.linux])), "Basics"]
        ),
        .target(name: "ForwardProxy", dependencies: ["CivilTime", "Crypto"]),
        .target(name: "Handshakes", dependencies: ["Basics", "CivilTime", "JSON"]),
        .target(name: "Certificates", dependencies: ["Basics", "CivilTime", "COpenSSL", "Crypto", "Handshakes"]),
        // A request's rooms, bottom to top: what APIs are made of, what acts on a request, what is kept of it, the worlds that
        // answer it, and the stages that it runs through.
        .target(
            name: "Backend",
            dependencies: ["Basics", "CivilTime", "Compression", "Crypto", "HTTPMessage", "JSON"]
        ),
        .target(
            name: "Conditions",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Crypto", "HTTPMessage", "JSON", "RegularExpressions",
                "Templates",
            ]
        ),
        .target(
            name: "Journal",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Compression", "Conditions", "Crypto", "Handshakes",
                "HTTPMessage", "JSON",
            ]
        ),
        .target(
            name: "Worlds",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "Handshakes", "HTTPMessage", "Journal",
                "JSON", "Templates",
            ]
        ),
        .target(
            name: "Engine",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "Handshakes", "HTTPMessage", "Journal",
                "JSON", "Templates", "Worlds",
            ]
        ),
        .target(
            name: "OpenAPI",
            dependencies: ["Basics", "CivilTime", "Formats", "HTTPMessage", "JSON", "RegularExpressions", "YAML"]
        ),
        .target(name: "Formats", dependencies: ["CivilTime", "JSON"]),
        .target(
            name: "APIDocs",
            dependencies: ["Backend", "Basics", "HTTPMessage", "JSON", "Worlds"],
            // `scripts/embed-pages` writes them into a source.
            exclude: ["Pages"]
        ),
        .target(
            name: "Console",
            dependencies: ["APIDocs", "Basics", "Compression", "Crypto", "HTTPMessage"],
            // `scripts/embed-console` writes them into a source.
            exclude: ["Device", "Web"]
        ),
        .target(name: "Imaging", dependencies: ["Basics", "Compression", "CPNG", "CQRencode", "CTurboJPEG"]),
        .target(name: "Compression", dependencies: ["CZlib"]),
        .target(name: "Secrets", dependencies: ["Backend", "Basics", "Compression", "Crypto", "HTTPMessage", "JSON"]),
        .target(
            name: "Recording",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Compression", "Crypto", "HTTPMessage", "JSON", "Secrets",
            ]
        ),
        .target(
            name: "Scaffolding",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "Formats", "HTTPMessage", "JSON", "OpenAPI",
                "Recording", "RegularExpressions", "Secrets",
            ]
        ),
        // What the rules of conduct of an API are written with.
        .target(
            name: "ConductKit",
            dependencies: ["Backend", "Basics", "CivilTime", "Crypto", "HTTPMessage", "JSON"]
        ),
        .target(
            name: "Conduct",
            dependencies: [
                "Backend", "Basics", "CivilTime", "ConductKit", "HTTPMessage", "Journal", "JSON", "Recording",
                "Worlds",
            ]
        ),
        // The files of an API's folder, and what requests repeat and resume: what custom APIs are made of.
        .target(name: "APIFolders", dependencies: ["Backend", "Conditions", "JSON"]),
        .target(
            name: "Repeats",
            dependencies: ["APIFolders", "Backend", "CivilTime", "Crypto", "HTTPMessage", "JSON"]
        ),
        .target(
            name: "CustomAPIs",
            dependencies: [
                "APIFolders", "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "Engine", "Formats",
                "HTTPMessage", "Journal", "JSON", "OpenAPI", "Repeats", "Templates", "Worlds",
            ],
            path: "Sources/Backends/CustomAPIs"
        ),
        .target(
            name: "Control",
            dependencies: [
                "APIDocs", "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "Engine", "ForwardProxy",
                "Handshakes",
                "HTTPMessage", "Imaging", "Journal", "JSON", "Recording", "Worlds",
            ]
        ),
        // The judgement of clients as the control API has it.
        .target(
            name: "ConductControl",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Conduct", "ConductKit", "Control", "Engine", "ForwardProxy",
                "HTTPMessage", "Journal", "JSON", "Worlds",
            ]
        ),
        // The forward proxy as the control API has it.
        .target(
            name: "ProxyControl",
            dependencies: [
                "Backend", "CivilTime", "Control", "Engine", "ForwardProxy", "HTTPMessage", "JSON", "Worlds",
            ]
        ),
        .target(
            name: "Persistence",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "CSQLite", "Engine", "Journal", "JSON",
                "Worlds",
            ]
        ),
        .target(
            name: "Transport",
            dependencies: [
                "Basics", "Certificates", "CivilTime", "COpenSSL", "CPlatform", "ForwardProxy", "Handshakes",
                "HTTPMessage", "HTTPWire",
            ]
        ),
        .target(
            name: "Proxying",
            dependencies: [
                "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "Engine", "ForwardProxy", "HTTPMessage",
                "HTTPWire", "Journal", "JSON", "Recording", "Secrets", "Transport", "Worlds",
            ]
        ),
        .target(
            name: "Serving",
            dependencies: [
                "APIDocs", "Backend", "Basics", "Certificates", "CivilTime", "ConductControl", "ConductKit", "Console",
                "Control", "Crypto",
                "Engine", "ForwardProxy", "Handshakes", "HTTPMessage", "HTTPWire", "Imaging", "Journal", "JSON",
                "Persistence",
                "Proxying", "Recording", "Traffic", "Transport", "Worlds",
            ]
        ),
        .target(
            name: "Understudy",
            dependencies: apis.map { .byName(name: $0) } + [
                "APIFolders", "Basics", "Certificates", "CivilTime", "Conduct", "ConductControl", "ConductKit",
                "Control", "Crypto",
                "Backend", "Conditions",
                "Engine", "ForwardProxy", "Journal", "Worlds", "HTTPMessage", "HTTPWire", "JSON", "CustomAPIs",
                "Persistence", "ProxyControl", "Proxying",
                "Recording", "Repeats", "Scaffolding",
                "Serving", "Transport",
            ]
        ),
        // These two link into apps and simulators: Foundation alone, and no target below them.
        .target(name: "UnderstudyClient", swiftSettings: [.strictMemorySafety()]),
        .target(name: "UnderstudyTesting", dependencies: ["UnderstudyClient"]),
        .target(
            name: "UnderstudyServer",
            dependencies: [
                "Backend", "Basics", "CivilTime", "CustomAPIs", "Engine", "Serving", "Transport", "Understudy",
                "UnderstudyClient", "UnderstudyTesting",
            ]
        ),
        // The commands for a running server, and what all commands are made of.
        .target(
            name: "ClientCommands",
            dependencies: [
                "Backend", "Basics", "CivilTime", "CLaunch", "Conditions", "HTTPMessage", "HTTPWire", "JSON",
                "Traffic", "Transport",
            ]
        ),
        .executableTarget(
            name: "UnderstudyCLI",
            dependencies: [
                "APIDocs", "APIFolders", "Backend", "Basics", "Certificates", "CivilTime", "ClientCommands",
                "Conditions",
                "Conduct", "ConductKit", "Control", "CustomAPIs", "Engine", "ForwardProxy", "HTTPMessage", "Imaging",
                "Journal", "JSON", "Proxying", "Recording", "Scaffolding", "Serving", "Traffic", "Transport",
                "Understudy",
                "Worlds",
            ]
        ),

        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestSupport"]),
        .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime", "TestSupport"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
        .testTarget(
            name: "OpenAPITests",
            dependencies: [
                "CivilTime", "HTTPMessage", "JSON", "OpenAPI", "RegularExpressions", "TestSupport", "YAML",
            ]
        ),
        .testTarget(name: "TrafficTests", dependencies: ["JSON", "TestSupport", "Traffic"]),
        .testTarget(name: "RegularExpressionsTests", dependencies: ["RegularExpressions", "TestSupport"]),
        .testTarget(
            name: "TemplatesTests",
            dependencies: ["CivilTime", "HTTPMessage", "JSON", "Templates", "TestSupport"]
        ),
        .testTarget(name: "HTTPMessageTests", dependencies: ["CivilTime", "HTTPMessage", "TestSupport"]),
        .testTarget(name: "HTTPWireTests", dependencies: ["CivilTime", "HTTPMessage", "HTTPWire", "TestSupport"]),
        .testTarget(
            name: "CertificatesTests",
            dependencies: ["Certificates", "CivilTime", "Crypto", "Handshakes", "TestSupport"]
        ),
        .testTarget(name: "ForwardProxyTests", dependencies: ["CivilTime", "ForwardProxy", "TestSupport"]),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto", "TestSupport"]),
        .testTarget(name: "APIDocsTests", dependencies: ["APIDocs", "TestSupport"]),
        .testTarget(
            name: "ConsoleTests",
            dependencies: ["Compression", "Console", "Crypto", "HTTPMessage", "TestSupport"]
        ),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "APIDocs", "Backend", "Basics", "CivilTime", "Conditions", "Crypto", "Engine", "Handshakes",
                "HTTPMessage", "Journal", "JSON", "Templates", "TestSupport", "Worlds",
            ]
        ),
        .testTarget(
            name: "ImagingTests",
            dependencies: ["Imaging", "TestSupport"]
        ),
        .testTarget(name: "PersistenceTests", dependencies: ["Persistence", "TestSupport"]),
        .testTarget(
            name: "CompressionTests",
            dependencies: ["Compression", "TestSupport"]
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "Backend", "CivilTime", "Compression", "Crypto", "HTTPMessage", "JSON", "OmniChat", "Proxying",
                "Recording",
                "Secrets", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ScaffoldingTests",
            dependencies: [
                "APIFolders", "Backend", "CivilTime", "Conditions", "CustomAPIs", "Engine", "HTTPMessage", "Journal",
                "JSON",
                "Recording", "Scaffolding", "TestSupport", "Worlds",
            ]
        ),
        .testTarget(
            name: "CustomAPIsTests",
            dependencies: [
                "APIFolders", "Backend", "CivilTime", "Conditions", "Crypto", "CustomAPIs", "Engine", "EngineTesting",
                "HTTPMessage", "Journal", "JSON", "OpenAPI", "Scaffolding", "TestSupport", "Worlds",
            ]
        ),
        .testTarget(
            name: "ConductTests",
            dependencies: apis.map { .byName(name: $0) } + [
                "Backend", "CivilTime", "Conditions", "Conduct", "ConductKit", "Engine", "HTTPMessage", "Journal",
                "JSON", "Recording", "TestSupport", "Worlds",
            ]
        ),
        .testTarget(
            name: "ControlTests",
            dependencies: apis.map { .byName(name: $0) } + [
                "APIDocs", "Backend", "CivilTime", "Conditions", "Conduct", "ConductControl", "ConductKit",
                "Control", "Crypto", "Engine", "ForwardProxy", "Handshakes", "HTTPMessage", "Journal", "JSON",
                "Recording", "TestSupport", "Worlds",
            ]
        ),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "Certificates", "CivilTime", "COpenSSL", "CPlatform", "ForwardProxy", "Handshakes", "HTTPMessage",
                "HTTPWire", "TestSupport", "Transport",
            ]
        ),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "Backend", "CivilTime", "Control", "Engine", "HTTPMessage", "Journal", "JSON", "OmniChat",
                "Proxying", "Recording", "Serving", "TestSupport", "Transport", "Worlds",
            ]
        ),
        .testTarget(
            name: "UnderstudyTestingTests",
            dependencies: [
                "APIFolders", "CustomAPIs", "TestSupport", "Understudy", "UnderstudyClient", "UnderstudyServer",
                "UnderstudyTesting",
            ]
        ),
        .testTarget(
            name: "UnderstudyTests",
            dependencies: [
                "Backend", "CivilTime", "Compression", "Engine", "HTTPMessage", "JSON", "Persistence", "Proxying",
                "TestSupport", "Understudy", "UnderstudyServer", "Worlds",
            ]
        ),
    ]
)

for api in apis {
    package.targets += [
        .target(name: api, dependencies: apiDependencies, path: "Sources/Backends/\(api)"),
        .testTarget(
            name: "\(api)Tests",
            dependencies: apiDependencies + [
                .byName(name: api), "Conditions", "Engine", "EngineTesting", "Journal", "TestSupport", "Worlds",
            ]
        ),
    ]
}

// What tests share; no part of a product.
package.targets += [
    .target(
        name: "EngineTesting",
        dependencies: [
            "Backend", "Basics", "CivilTime", "Conditions", "Engine", "HTTPMessage", "Journal", "JSON",
            "TestSupport", "Worlds",
        ],
        path: "Tests/EngineTesting"
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
                "Certificates", "CFuzzer", "CivilTime", "HTTPMessage", "HTTPWire", "Imaging", "JSON", "OpenAPI",
                "Recording", "Transport", "YAML",
            ],
            path: "Fuzz/Sources"
        ),
    ]
    package.products.append(.executable(name: "understudy-fuzz", targets: ["UnderstudyFuzz"]))
}

// UNDERSTUDY_TESTS=TrendyTests,EngineTests builds those test targets alone, which is quicker while working on one module.
if let wanted = Context.environment["UNDERSTUDY_TESTS"] {
    let names = Set(wanted.split(separator: ",").map(String.init))
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// `Benchmarks/run` sets the variable.
if Context.environment["UNDERSTUDY_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "UnderstudyBench",
            dependencies: [
                "Backend", "CivilTime", "Conditions", "Crypto", "Engine", "HTTPMessage", "HTTPWire", "Journal",
                "JSON", "OmniChat", "Proxying", "Understudy", "Worlds",
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
/// No I/O and no unsafe code: the compiler warns of every unsafe operation that isn't marked.
///
/// Marked ones are in `YAMLEvents.swift` of YAML alone, the wall over libyaml.
let pureTargets: Set<String> = Set(apis).union([
    "APIDocs", "APIFolders", "CivilTime", "Conduct", "ConductControl", "ConductKit", "Console", "JSON", "Handshakes",
    "HTTPMessage",
    "HTTPWire", "Backend",
    "Conditions", "Engine", "Journal", "Worlds",
    "Recording",
    "Control",
    "OpenAPI",
    "CustomAPIs",
    "ForwardProxy", "Formats", "ProxyControl", "RegularExpressions", "Repeats", "Scaffolding", "Secrets", "Templates",
    "YAML",
])
/// The fast ones of the three groups of a release: every request runs through these.
///
/// `plainTargets` are plain, all others small. `scripts/build-release` sets the variable that makes the difference.
let fastTargets: Set<String> = [
    "Basics", "CivilTime", "Compression", "Crypto", "Backend", "Conditions", "Engine", "Journal", "Worlds",
    "HTTPMessage", "HTTPWire", "JSON", "Secrets", "Serving", "Transport",
]
/// The plain ones, without optimisation, which would take the compiler five times as long.
///
/// No request of an emulated API runs through these, and they are short: plain code is half as long again as small code.
let plainTargets: Set<String> = ["APIDocs", "Console"]
let isRelease = Context.environment["UNDERSTUDY_RELEASE"] != nil
/// Not `CI`: that is set wherever a pipeline builds this package as its dependency, with another compiler perhaps.
let strictBuild = Context.environment["UNDERSTUDY_STRICT"] != nil
/// What links into apps, and what is no part of the program.
let foundationTargets: Set<String> = ["UnderstudyClient", "UnderstudyServer", "UnderstudyTesting"]
let toolTargets: Set<String> = ["EngineTesting", "TestSupport", "UnderstudyBench", "UnderstudyFuzz"]

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    var settings = (target.swiftSettings ?? []) + everywhere
    if pureTargets.contains(target.name) { settings.append(.strictMemorySafety()) }
    let isOfProgram = target.type != .test && !foundationTargets.union(toolTargets).contains(target.name)
    if isOfProgram && isRelease && !fastTargets.contains(target.name) {
        settings.append(.unsafeFlags([plainTargets.contains(target.name) ? "-Onone" : "-Osize"]))
    }
    // The standard library's searches within texts would bring its regular expressions into the program: `Basics` has ours.
    if isOfProgram && (isRelease || strictBuild) {
        settings.append(.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]))
    }
    if strictBuild { settings.append(.treatAllWarnings(as: .error)) }
    target.swiftSettings = settings
}
