// swift-tools-version: 6.2
import PackageDescription

// Copy this folder, and point the paths at where you cloned Understudy.
let package = Package(
    name: "driving-school",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "DrivingSchool", targets: ["DrivingSchool"]),
        .library(name: "Onboarding", targets: ["Onboarding"]),
    ],
    dependencies: [
        .package(name: "understudy", path: ".."),
        .package(path: "../clients/swift/TrendyOnboarding"),
    ],
    targets: [
        .target(name: "DrivingSchool"),
        // The examples of the libraries' documentation, so that they compile; scripts/embed-snippets writes them.
        .target(name: "Snippets", dependencies: [.product(name: "UnderstudyServer", package: "understudy")]),
        .testTarget(
            name: "DrivingSchoolTests",
            dependencies: ["DrivingSchool", .product(name: "UnderstudyServer", package: "understudy")]
        ),
        .target(name: "GuideApp"),
        // They import UnderstudyTesting, as tests in Xcode do. That UnderstudyServer is linked starts the emulator here.
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "DrivingSchool", "GuideApp", .product(name: "UnderstudyServer", package: "understudy"),
                .product(name: "UnderstudyTesting", package: "understudy"),
            ]
        ),
        .target(name: "Onboarding", dependencies: ["TrendyOnboarding"]),
        .testTarget(
            name: "OnboardingTests",
            dependencies: [
                "Onboarding", "TrendyOnboarding", .product(name: "UnderstudyServer", package: "understudy"),
            ]
        ),
    ]
)
