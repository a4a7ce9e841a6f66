// swift-tools-version: 6.2
import PackageDescription

// The library depends on nothing. Only its tests use the emulator, so the graph of an app has no part of it.
let package = Package(
    name: "TrendyOnboarding",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
    products: [.library(name: "TrendyOnboarding", targets: ["TrendyOnboarding"])],
    dependencies: [.package(name: "understudy", path: "../../..")],
    targets: [
        .target(name: "TrendyOnboarding", swiftSettings: [.strictMemorySafety()]),
        .testTarget(
            name: "TrendyOnboardingTests",
            dependencies: [
                "TrendyOnboarding", .product(name: "UnderstudyServer", package: "understudy"),
                .product(name: "UnderstudyTesting", package: "understudy"),
            ]
        ),
    ]
)

for target in package.targets {
    var settings = target.swiftSettings ?? []
    settings += [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
    // Not `CI`: that is set wherever a pipeline builds this package as its dependency, with another compiler perhaps.
    if Context.environment["UNDERSTUDY_STRICT"] != nil { settings.append(.treatAllWarnings(as: .error)) }
    target.swiftSettings = settings
}
