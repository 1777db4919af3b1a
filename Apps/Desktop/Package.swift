// swift-tools-version:6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "SyrinxDesktop",
    products: [.library(name: "DesktopModel", targets: ["DesktopModel"])],
    targets: [
        .target(name: "DesktopModel", swiftSettings: settings),
        .executableTarget(
            name: "waveform-benchmark",
            dependencies: ["DesktopModel"],
            path: "Benchmarks/waveform",
            swiftSettings: settings
        ),
        .testTarget(name: "DesktopModelTests", dependencies: ["DesktopModel"], swiftSettings: settings),
    ]
)
