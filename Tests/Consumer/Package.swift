// swift-tools-version:6.2
import PackageDescription

// A program that depends on Syrinx by version, as `scripts/test-consumer` builds it: one executable for each library product, and
// targets with names that other packages have. SwiftPM refuses two targets of one name anywhere in the package graph.

// The script names the product, which may need a trait.
let product = Context.environment["SYRINX_PRODUCT"] ?? "AVFAudio"
let traits = Set((Context.environment["SYRINX_TRAITS"] ?? "").split(separator: " ").map(String.init))

let common = [
    "Analysis", "AudioAnalysis", "AudioDSP", "AudioDevice", "AudioStreaming", "ByteStream", "CALSA", "CAccelerate",
    "CDigest",
    "CFFmpeg", "CGIO", "CGLib", "CGTK", "CMySofa", "CPulse", "CSwscale", "DSP", "DesktopModel", "Examples", "Fuzz",
    "GLibLoop",
    "GTK", "HTTPStream", "Media", "MediaCodec", "Playback", "PlayerUI", "PodcastLibrary", "Streaming", "Submodules",
    "Terminal",
    "TestSupport",
]

let package = Package(
    name: "Consumer",
    dependencies: [
        // Without traits as most programs write it.
        traits.isEmpty
            ? .package(url: Context.environment["SYRINX_REPOSITORY"] ?? "", from: "0.1.0")
            : .package(
                url: Context.environment["SYRINX_REPOSITORY"] ?? "",
                from: "0.1.0",
                traits: Set(traits.map { .trait(name: $0) })
            )
    ],
    targets: [
        .executableTarget(
            name: "Use\(product)",
            dependencies: [.product(name: product, package: "syrinx")] + common.map { .byName(name: $0) }
        )
    ] + common.map { .target(name: $0, path: "Common/\($0)") }
        // The tests of a dependency are no part of the graph: their names are free.
        + ["AVFAudioTests", "AccelerateTests", "CoreMediaTests"].map { .testTarget(name: $0, path: "Common/\($0)") }
)
