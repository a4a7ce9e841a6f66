// swift-tools-version: 6.2
import PackageDescription

// Copy this folder, and point the path at where you cloned Understudy.
let package = Package(
    name: "driving-school",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "DrivingSchool", targets: ["DrivingSchool"]),
        .library(name: "Onboarding", targets: ["Onboarding"]),
    ],
    dependencies: [.package(name: "understudy", path: "..")],
    targets: [
        .target(name: "DrivingSchool"),
        .testTarget(
            name: "DrivingSchoolTests",
            dependencies: ["DrivingSchool", .product(name: "UnderstudyServer", package: "understudy")]
        ),
        .target(name: "Onboarding", dependencies: [.product(name: "TrendyOnboarding", package: "understudy")]),
        .testTarget(
            name: "OnboardingTests",
            dependencies: [
                "Onboarding", .product(name: "TrendyOnboarding", package: "understudy"),
                .product(name: "UnderstudyServer", package: "understudy"),
            ]
        ),
    ]
)
