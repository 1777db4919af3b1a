// swift-tools-version:6.2
import PackageDescription

// The desktop app is a package of its own, because the libraries do not need GTK. It stands on the products of Syrinx alone. `make desktop`
// builds it in the folder of Syrinx's own release build, so that nothing is compiled a second time.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func syrinx(_ product: String) -> Target.Dependency { .product(name: product, package: "Syrinx") }

let package = Package(
    name: "SyrinxDesktop",
    products: [.executable(name: "syrinx-desktop", targets: ["syrinx-desktop"])],
    dependencies: [.package(name: "Syrinx", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CGTK",
            pkgConfig: "libadwaita-1",
            providers: [.apt(["libgtk-4-dev", "libadwaita-1-dev"])]
        ),
        .target(name: "GTK", dependencies: ["CGTK"], swiftSettings: settings),
        .target(name: "DesktopModel", dependencies: [syrinx("Playback")], swiftSettings: settings),
        .executableTarget(
            name: "syrinx-desktop",
            dependencies: [
                "GTK", "DesktopModel", syrinx("AVFoundation"), syrinx("AudioAnalysis"), syrinx("AudioStreaming"),
                syrinx("GLibLoop"), syrinx("MediaPlayer"), syrinx("Playback"), syrinx("PodcastLibrary"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "waveform-benchmark",
            dependencies: ["DesktopModel"],
            path: "Benchmarks/waveform",
            swiftSettings: settings
        ),
        .testTarget(
            name: "DesktopModelTests",
            dependencies: ["DesktopModel", syrinx("Playback")],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The model and its tests alone, which `scripts/sanitize` builds for ThreadSanitizer.
if Context.environment["SYRINX_ENGINE_ALONE"] != nil {
    package.targets.removeAll { !["DesktopModel", "DesktopModelTests"].contains($0.name) }
    package.products = []
}
