// swift-tools-version:6.2
import PackageDescription

// A program that depends on Syrinx by version, as `scripts/test-consumer` builds it: one executable for each library product, and
// targets with names that other packages have. SwiftPM refuses two targets of one name anywhere in the package graph.

let products = [
    "AVFAudio", "AudioToolbox", "CoreVideo", "CoreMedia", "AVFoundation", "Accelerate", "SyrinxAnalysis",
    "SyrinxStreaming",
    "MediaPlayer", "SyrinxPlayback", "SyrinxPodcastLibrary", "SyrinxGLibLoop",
]

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
    dependencies: [.package(url: Context.environment["SYRINX_REPOSITORY"] ?? "", from: "0.1.0")],
    targets: products.map { name in
        .executableTarget(
            name: "Use\(name)",
            dependencies: [.product(name: name, package: "syrinx")] + common.map { .byName(name: $0) }
        )
    } + common.map { .target(name: $0, path: "Common/\($0)") }
        // The tests of a dependency are no part of the graph: their names are free.
        + ["AVFAudioTests", "AccelerateTests", "CoreMediaTests"].map { .testTarget(name: $0, path: "Common/\($0)") }
)
