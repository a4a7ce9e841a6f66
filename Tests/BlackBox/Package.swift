// swift-tools-version: 6.2
import PackageDescription

// Tests that drive the built program, named by UNDERSTUDY_BINARY. They compile nothing of it but what reads and packs bytes, which
// lies behind links in `Modules`: modules of this package, since those of the main one show themselves to that alone.
let package = Package(
    name: "black-box",
    platforms: [.macOS(.v15)],
    targets: [
        .systemLibrary(name: "CZlib", path: "Modules/CZlib", pkgConfig: "zlib"),
        .target(name: "Compression", dependencies: ["CZlib"], path: "Modules/Compression"),
        .target(name: "RegularExpressions", path: "Modules/RegularExpressions"),
        .target(name: "JSON", dependencies: ["RegularExpressions"], path: "Modules/JSON"),
        .target(name: "TestSupport", path: "Modules/TestSupport"),
        .testTarget(
            name: "BlackBoxTests",
            dependencies: ["Compression", "JSON", "TestSupport"],
            path: "BlackBoxTests"
        ),
    ]
)

let isStrict = Context.environment["UNDERSTUDY_STRICT"] != nil

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
    if isStrict { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}
