// swift-tools-version:6.2
import PackageDescription

// One row for each module: its dependencies decide what it may import. `scripts/check-layering` holds the `import` lines
// against the table in ARCHITECTURE.md, which this list follows.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The settings of tests, which cost more to optimise than they take to run.
///
/// Their module is not made in a second pass either.
let unoptimised: [SwiftSetting] = settings + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]

/// The tests of a module.
///
/// - Parameter computes: Whether they compute so much themselves that optimising them is worth its time also in release builds.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], computes: Bool = false) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        swiftSettings: computes ? settings : unoptimised
    )
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

// The modules that programs import. All others are implementation: their declarations are `package`, apart from the types that
// these modules name in their interfaces and re-export. `import CoreAudio` works with each of the three of Apple's names.
let libraries: [Product] = [
    .library(name: "AVFAudio", targets: ["AVFAudio", "CoreAudio"]),
    .library(name: "AudioToolbox", targets: ["AudioToolbox", "CoreAudio"]),
    .library(name: "CoreVideo", targets: ["CoreVideo"]),
    .library(name: "CoreMedia", targets: ["CoreMedia"]),
    .library(name: "AVFoundation", targets: ["AVFoundation", "CoreAudio"]),
    .library(name: "Accelerate", targets: ["Accelerate"]),
    .library(name: "AudioAnalysis", targets: ["AudioAnalysis"]),
    .library(name: "AudioStreaming", targets: ["AudioStreaming"]),
    .library(name: "MediaPlayer", targets: ["MediaPlayer"]),
    .library(name: "Playback", targets: ["Playback"]),
    .library(name: "PodcastLibrary", targets: ["PodcastLibrary"]),
    .library(name: "GLibLoop", targets: ["GLibLoop"]),
]

let package = Package(
    name: "Syrinx",
    products: libraries + [
        .executable(name: "syrinx", targets: ["syrinx"]),
        .executable(name: "syrinx-demo", targets: ["syrinx-demo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        system("CTransform", pkgConfig: "libavutil", apt: "libavutil-dev"),
        system("CDigest", pkgConfig: "libavutil", apt: "libavutil-dev"),
        system("CFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev"),
        system("CSwscale", pkgConfig: "libswscale", apt: "libswscale-dev"),
        system("CPulse", pkgConfig: "libpulse", apt: "libpulse-dev"),
        system("CMySofa", pkgConfig: "libmysofa", apt: "libmysofa-dev"),
        system("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        system("CGIO", pkgConfig: "gio-2.0", apt: "libglib2.0-dev"),
        system("CGLib", pkgConfig: "glib-2.0", apt: "libglib2.0-dev"),
        .target(name: "CCoreAudioTypes"),
        .target(name: "CCoreMedia"),
        .target(name: "CAccelerate"),
        // Only names: `import AudioToolbox.AudioFile` and the like. Programs that depend on a module see them.
        .target(name: "Submodules", path: "Submodules"),

        module("CoreAudioTypes", ["CCoreAudioTypes"]),
        module("Accelerate", ["CAccelerate"]),
        module("AudioDSP", ["CTransform"]),
        module("ByteStream", ["CDigest"]),
        module(
            "HTTPStream",
            [
                "ByteStream",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        module("MediaCodec", ["ByteStream", "CoreAudioTypes", "CFFmpeg", "CSwscale"]),
        module("AudioDevice", ["ByteStream", "CoreAudioTypes", "CPulse", "CALSA"]),
        module(
            "AVFAudio",
            ["CoreAudioTypes", "AudioDSP", "ByteStream", "MediaCodec", "AudioDevice", "CMySofa", "Submodules"]
        ),
        module("AudioToolbox", ["AVFAudio", "ByteStream", "CoreAudioTypes", "MediaCodec", "Submodules"]),
        module("CoreVideo", ["CoreAudioTypes"]),
        module("CoreMedia", ["CCoreMedia", "CoreAudioTypes", "CoreVideo"]),
        module("CoreAudio", ["CoreAudioTypes", "Submodules"]),
        module("AudioAnalysis", ["AVFAudio", "AudioDSP", "ByteStream", "MediaCodec"]),
        module(
            "AudioStreaming",
            [
                "AVFAudio", "AudioAnalysis", "AudioDSP", "AudioDevice", "ByteStream", "CoreAudioTypes", "HTTPStream",
                "MediaCodec",
            ]
        ),
        module(
            "AVFoundation",
            [
                "AVFAudio", "AudioDevice", "AudioStreaming", "AudioToolbox", "ByteStream", "CoreAudioTypes",
                "CoreMedia", "CoreVideo",
                "HTTPStream", "MediaCodec",
            ]
        ),

        module("GLibLoop", ["CGLib"]),
        module("MediaPlayer", ["CGIO"]),
        module("Playback", ["ByteStream"]),
        module(
            "PodcastLibrary",
            ["ByteStream", "HTTPStream", "Playback", .product(name: "GRDB", package: "GRDB.swift")]
        ),

        module("Terminal"),
        module("PlayerUI", ["Terminal"]),
        .executableTarget(
            name: "syrinx",
            dependencies: [
                "AVFAudio", "AudioAnalysis", "AudioDevice", "AudioStreaming", "ByteStream", "CoreAudioTypes",
                "HTTPStream",
                "MediaCodec",
                "MediaPlayer",
                "Playback",
                "PlayerUI",
                "PodcastLibrary",
                "Terminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "syrinx-demo",
            dependencies: [
                "AVFAudio", "AudioDevice", "CoreAudioTypes", "MediaCodec",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),

        .executableTarget(
            name: "engine-benchmark",
            dependencies: ["AVFAudio", "CoreAudioTypes"],
            path: "Benchmarks/engine/Sources",
            swiftSettings: settings
        ),

        .executableTarget(
            name: "effect-gallery",
            dependencies: ["AVFAudio", "CoreAudioTypes"],
            path: "Benchmarks/gallery/Sources",
            swiftSettings: settings
        ),

        .executableTarget(
            name: "accelerate-benchmark",
            dependencies: ["Accelerate"],
            path: "Benchmarks/accelerate",
            swiftSettings: settings
        ),

        .executableTarget(
            name: "pyramid-benchmark",
            dependencies: ["AudioAnalysis"],
            path: "Benchmarks/pyramid",
            swiftSettings: settings
        ),

        .executableTarget(
            name: "smart-speed-benchmark",
            dependencies: ["AudioDSP"],
            path: "Benchmarks/smartspeed/Sources",
            swiftSettings: settings
        ),

        .executableTarget(
            name: "examples",
            dependencies: ["AVFoundation", "Accelerate", "AudioAnalysis", "AudioStreaming"],
            path: "Examples",
            swiftSettings: settings
        ),

        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .target(name: "CNames", path: "Tests/CNames"),
        .target(
            name: "TestSupport",
            dependencies: ["AudioDevice", "ByteStream", "CAllocationCounter", "CoreAudioTypes"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "glib-loop-probe",
            dependencies: ["GLibLoop"],
            path: "Tests/GLibLoopProbe",
            swiftSettings: settings
        ),
        tests("GLibLoop", ["glib-loop-probe"]),
        tests("MediaPlayer"),
        tests("Playback", ["ByteStream"]),
        tests("PodcastLibrary", ["ByteStream", "Playback", .product(name: "GRDB", package: "GRDB.swift")]),
        // They stand on nothing, TestSupport neither, and so are built and tested in seconds.
        .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: unoptimised),
        .testTarget(name: "PlayerUITests", dependencies: ["PlayerUI", "Terminal"], swiftSettings: unoptimised),
        tests("CoreAudioTypes"),
        tests("CoreVideo"),
        tests("CoreMedia", ["CoreAudioTypes", "CoreVideo"], computes: true),
        .testTarget(name: "AccelerateTests", dependencies: ["Accelerate"], swiftSettings: settings),
        tests("AudioDSP", computes: true),
        tests("ByteStream"),
        tests(
            "HTTPStream",
            [
                "ByteStream", "CNames",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        tests("MediaCodec", ["ByteStream", "CoreAudioTypes"]),
        tests("AudioDevice", ["CoreAudioTypes"]),
        tests("AudioToolbox", ["ByteStream", "CoreAudioTypes", "MediaCodec"]),
        tests("AVFAudio", ["AudioDevice", "CoreAudioTypes"]),
        tests("AudioAnalysis", ["AVFAudio", "ByteStream", "MediaCodec"]),
        tests(
            "AudioStreaming",
            ["AVFAudio", "AudioAnalysis", "AudioDevice", "ByteStream", "CoreAudioTypes", "HTTPStream", "MediaCodec"]
        ),
        tests(
            "AVFoundation",
            [
                "AVFAudio", "AudioDevice", "AudioStreaming", "ByteStream", "CoreAudioTypes", "CoreMedia", "CoreVideo",
                "MediaCodec",
            ]
        ),
        // Programs as they are written for Apple's systems: in Swift 5, with the imports that they have there.
        .testTarget(
            name: "ForeignStyleTests",
            dependencies: ["AVFoundation", "CoreAudio", "TestSupport"],
            path: "Tests/ForeignStyle",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "ExampleTests",
            dependencies: ["AVFoundation", "AudioAnalysis", "AudioStreaming", "TestSupport", "examples"],
            swiftSettings: unoptimised
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "TestSupport", "syrinx", "AVFAudio", "AudioAnalysis", "AudioDevice", "AudioStreaming", "CoreAudioTypes",
                "MediaCodec", "MediaPlayer",
                "PlayerUI", "Terminal",
                "Playback",
            ],
            swiftSettings: unoptimised
        ),
        .testTarget(
            name: "DemoTests",
            dependencies: ["syrinx-demo", "syrinx", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: unoptimised
        ),
    ],
    swiftLanguageModes: [.v6]
)

/// Returns the names of targets and of what they stand on.
@MainActor
func dependencies(of named: [String]) -> Set<String> {
    var kept: Set<String> = []
    var open = named
    while let name = open.popLast() {
        guard kept.insert(name).inserted else { continue }
        for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
            default: break
            }
        }
    }
    return kept
}

// Only the targets that are named and what they stand on: `SYRINX_ONLY="AudioStreamingTests" swift build --build-tests` is far
// quicker than a whole build while one module is worked on.
if let named = Context.environment["SYRINX_ONLY"] {
    let kept = dependencies(of: named.split(separator: " ").map(String.init))
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}

// The tests of the engine's modules that are named, without the network stack and what stands above it: `scripts/sanitize` builds
// them for each sanitizer that needs a build of its own. With "none", the engine's libraries without tests.
if let tested = Context.environment["SYRINX_ENGINE_ALONE"] {
    let engine = [
        "CoreAudioTypes", "AudioDSP", "ByteStream", "MediaCodec", "AudioDevice", "AVFAudio", "AudioToolbox",
        "CoreVideo", "CoreMedia", "CoreAudio", "Accelerate", "Playback",
    ]
    let hasTests = tested != "none"
    let kept = dependencies(of: hasTests ? tested.split(separator: " ").map { "\($0)Tests" } : engine)
    package.dependencies = []
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = hasTests ? [] : engine.map { .library(name: $0, targets: [$0]) }
}

// What `scripts/fuzz` feeds, and what stands beneath it. It is there only then: libFuzzer brings its own `main`.
if Context.environment["SYRINX_FUZZ"] != nil {
    let fed = [
        "CoreAudioTypes", "CCoreAudioTypes", "Submodules", "CDigest", "ByteStream", "MediaCodec", "CFFmpeg", "CSwscale",
        "AudioToolbox", "AVFAudio", "AudioDSP", "AudioDevice", "CTransform", "CPulse", "CALSA", "CMySofa",
    ]
    package.dependencies = []
    package.targets.removeAll { !fed.contains($0.name) }
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["AudioToolbox", "ByteStream", "CoreAudioTypes", "MediaCodec"],
            path: "Tests/Fuzzing",
            swiftSettings: settings
        )
    )
    package.products = [.executable(name: "fuzz", targets: ["fuzz"])]
}
