// swift-tools-version: 6.2
import PackageDescription

// Tests that drive the built program, named by UNDERSTUDY_BINARY. They compile nothing of it but the modules that read and pack bytes.
// `package` declarations are visible only within their own package. So the links in `Modules` make those modules part of this one.
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
