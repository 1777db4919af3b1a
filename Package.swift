// swift-tools-version:6.2
import PackageDescription

// Each module has one row, and its dependencies decide what it may import. `scripts/check-layering` compares the `import`
// lines with the table in ARCHITECTURE.md, which has the same order.
//
// SwiftPM requires every target name to be unique in the package graph of a program. So a target has the name of Apple's
// module, or a name with `Syrinx`.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of modules whose tests use `@testable import`: `scripts/build` sets the variable for release builds.
///
/// SwiftPM refuses dependencies with unsafe flags, so the flag exists only with this variable.
let testable: [SwiftSetting] =
    settings + (Context.environment["SYRINX_TESTABLE"] == nil ? [] : [.unsafeFlags(["-enable-testing"])])

/// A module.
///
/// - Parameter isTestable: Whether tests may use `@testable import` in release builds. The compiler then keeps every internal
///   declaration as if it were public, which costs the graph 3 to 5 % of its overhead (Benchmarks/README.md).
func module(_ name: String, _ dependencies: [Target.Dependency] = [], isTestable: Bool = true) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: isTestable ? testable : settings)
}

/// The settings of tests that take less time to run than to optimize.
let unoptimized: [SwiftSetting] = settings + [.unsafeFlags(["-Onone"])]

/// The tests of a module.
///
/// - Parameter computes: Whether the tests compute so much that optimizing them saves time in release builds.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], computes: Bool = false) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "SyrinxTestSupport"] + dependencies,
        swiftSettings: computes ? settings : unoptimized
    )
}

/// A program that a test runs, written as for Apple's systems.
func foreignProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Tests/\(name)",
        swiftSettings: [.swiftLanguageMode(.v5)]
    )
}

func system(_ name: String, pkgConfig: String, apt: String...) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(apt)])
}

/// A program that measures one part of the project.
///
/// `make bench` and the other benchmark commands build it.
func benchmark(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Benchmarks/\(path)", swiftSettings: settings)
}

/// A program of the tutorial in docs/Syrinx.docc.
func tutorialStep(_ number: Int, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "syrinx-tutorial-\(number)",
        dependencies: dependencies,
        path: "Examples/Tutorial/Step\(number)",
        swiftSettings: settings
    )
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
    .library(name: "SyrinxAnalysis", targets: ["SyrinxAnalysis"]),
    .library(name: "SyrinxStreaming", targets: ["SyrinxStreaming"]),
    .library(name: "MediaPlayer", targets: ["MediaPlayer"]),
    .library(name: "SyrinxPlayback", targets: ["SyrinxPlayback"]),
    .library(name: "SyrinxPodcastLibrary", targets: ["SyrinxPodcastLibrary"]),
    .library(name: "SyrinxGLibLoop", targets: ["SyrinxGLibLoop"]),
]

// SwiftPM resolves a package only if a target that depends on it has its trait: a program that asks for none resolves no other
// package. `scripts/build` and `.sourcekit-lsp/config.json` enable both.
let database = Target.Dependency.product(
    name: "GRDB",
    package: "GRDB.swift",
    condition: .when(traits: ["Podcasts"])
)

let databasePackage = Package.Dependency.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")

let package = Package(
    name: "Syrinx",
    products: libraries + [
        .executable(name: "syrinx", targets: ["syrinx"]),
        .executable(name: "syrinx-demo", targets: ["syrinx-demo"]),
    ],
    traits: [
        .trait(name: "Podcasts", description: "The product SyrinxPodcastLibrary, which depends on GRDB."),
        .trait(name: "Command", description: "The command `syrinx`, which depends on swift-argument-parser."),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        databasePackage,
    ],
    targets: [
        system("CSyrinxTransform", pkgConfig: "libavutil", apt: "libavutil-dev"),
        system("CSyrinxDigest", pkgConfig: "libavutil", apt: "libavutil-dev"),
        system("CSyrinxFFmpeg", pkgConfig: "libavformat", apt: "libavformat-dev"),
        system("CSyrinxSwscale", pkgConfig: "libswscale", apt: "libswscale-dev"),
        system("CSyrinxPulse", pkgConfig: "libpulse", apt: "libpulse-dev"),
        system("CSyrinxMySofa", pkgConfig: "libmysofa", apt: "libmysofa-dev"),
        system("CSyrinxALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        system("CSyrinxGIO", pkgConfig: "gio-2.0", apt: "libglib2.0-dev"),
        system("CSyrinxGLib", pkgConfig: "glib-2.0", apt: "libglib2.0-dev"),
        .target(name: "CSyrinxCoreAudioTypes"),
        .target(name: "CSyrinxCoreMedia"),
        // A program of C functions and Foundation alone would be linked without the functions of math.h.
        .target(name: "CSyrinxAccelerate", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "CSyrinxCurl"),
        .target(name: "CSyrinxCommit"),
        // Only a module map, which makes `import AudioToolbox.AudioFile` and similar imports resolve.
        .target(name: "CSyrinxSubmodules", path: "Submodules"),

        module("CoreAudioTypes", ["CSyrinxCoreAudioTypes"]),
        module("Accelerate", ["CSyrinxAccelerate"]),
        module("SyrinxDSP", ["CSyrinxTransform"]),
        module("SyrinxByteStream", ["CSyrinxDigest"]),
        module("SyrinxHTTPStream", ["SyrinxByteStream", "CSyrinxCurl"]),
        module("SyrinxMediaCodec", ["SyrinxByteStream", "CoreAudioTypes", "CSyrinxFFmpeg", "CSyrinxSwscale"]),
        module("SyrinxDevice", ["SyrinxByteStream", "CoreAudioTypes", "CSyrinxPulse", "CSyrinxALSA"]),
        module(
            "AVFAudio",
            [
                "CoreAudioTypes", "SyrinxDSP", "SyrinxByteStream", "SyrinxMediaCodec", "SyrinxDevice", "CSyrinxMySofa",
                "CSyrinxSubmodules",
            ],
            isTestable: false
        ),
        module(
            "AudioToolbox",
            ["AVFAudio", "SyrinxByteStream", "CoreAudioTypes", "SyrinxMediaCodec", "CSyrinxSubmodules"]
        ),
        module("CoreVideo", ["CoreAudioTypes"]),
        module("CoreMedia", ["CSyrinxCoreMedia", "CoreAudioTypes", "CoreVideo"]),
        module("CoreAudio", ["CoreAudioTypes", "CSyrinxSubmodules"]),
        module("SyrinxAnalysis", ["AVFAudio", "SyrinxDSP", "SyrinxByteStream", "SyrinxMediaCodec"]),
        module(
            "SyrinxStreaming",
            [
                "AVFAudio", "SyrinxAnalysis", "SyrinxDSP", "SyrinxDevice", "SyrinxByteStream", "CoreAudioTypes",
                "SyrinxHTTPStream", "SyrinxMediaCodec",
            ]
        ),
        module(
            "AVFoundation",
            [
                "AVFAudio", "SyrinxDevice", "SyrinxStreaming", "AudioToolbox", "SyrinxByteStream", "CoreAudioTypes",
                "CoreMedia", "CoreVideo", "SyrinxHTTPStream", "SyrinxMediaCodec",
            ]
        ),

        module("SyrinxGLibLoop", ["CSyrinxGLib"]),
        module("MediaPlayer", ["CSyrinxGIO"]),
        module("SyrinxPlayback", ["SyrinxByteStream"]),
        module(
            "SyrinxPodcastLibrary",
            ["SyrinxByteStream", "SyrinxHTTPStream", "SyrinxPlayback", database]
        ),

        module("SyrinxTerminal"),
        module(
            "SyrinxListening",
            [
                "AVFAudio", "CoreAudioTypes", "MediaPlayer", "SyrinxByteStream", "SyrinxDevice", "SyrinxHTTPStream",
                "SyrinxMediaCodec", "SyrinxPlayback", "SyrinxPodcastLibrary", "SyrinxStreaming", "SyrinxTerminal",
            ]
        ),
        module("SyrinxPlayerUI", ["SyrinxListening", "SyrinxTerminal"]),
        .executableTarget(
            name: "syrinx",
            dependencies: [
                "AVFAudio", "SyrinxAnalysis", "SyrinxDevice", "SyrinxStreaming", "SyrinxByteStream", "CoreAudioTypes",
                "SyrinxHTTPStream", "SyrinxMediaCodec", "MediaPlayer", "SyrinxListening", "SyrinxPlayback",
                "SyrinxPlayerUI", "SyrinxPodcastLibrary", "SyrinxTerminal", "CSyrinxCommit",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["Command"])
                ),
            ],
            swiftSettings: testable
        ),
        .executableTarget(
            name: "syrinx-demo",
            dependencies: ["AVFAudio", "CoreAudioTypes", "SyrinxByteStream", "SyrinxMediaCodec"],
            swiftSettings: testable
        ),

        // The decisions of the desktop app. The app itself needs GTK, and is added below.
        module("SyrinxDesktopModel", ["SyrinxByteStream", "SyrinxListening", "SyrinxPlayback"]),

        benchmark("syrinx-engine-benchmark", ["AVFAudio", "CoreAudioTypes"], path: "engine/Sources"),
        benchmark("syrinx-effect-gallery", ["AVFAudio", "CoreAudioTypes"], path: "gallery/Sources"),
        benchmark("syrinx-accelerate-benchmark", ["Accelerate"], path: "accelerate"),
        benchmark("syrinx-pyramid-benchmark", ["SyrinxAnalysis"], path: "pyramid"),
        benchmark("syrinx-podcast-benchmark", ["SyrinxPodcastLibrary"], path: "podcasts/Sources"),
        benchmark("syrinx-smart-speed-benchmark", ["SyrinxDSP"], path: "smartspeed/Sources"),
        benchmark("syrinx-time-pitch-benchmark", ["SyrinxDSP"], path: "timepitch/Sources"),
        benchmark("syrinx-waveform-benchmark", ["SyrinxDesktopModel"], path: "desktop/waveform"),

        .executableTarget(
            name: "syrinx-examples",
            dependencies: ["AVFoundation", "Accelerate", "SyrinxAnalysis", "SyrinxStreaming"],
            path: "Examples",
            exclude: ["Tutorial"],
            swiftSettings: testable
        ),
        tutorialStep(1, ["SyrinxStreaming"]),
        tutorialStep(2, ["SyrinxStreaming"]),
        tutorialStep(3, ["SyrinxStreaming"]),
        tutorialStep(4, ["SyrinxStreaming", "SyrinxAnalysis"]),
        tutorialStep(5, ["SyrinxStreaming", "SyrinxAnalysis", "SyrinxPodcastLibrary"]),
        tutorialStep(6, ["SyrinxStreaming", "SyrinxAnalysis", "SyrinxPodcastLibrary", "MediaPlayer"]),

        .target(name: "CSyrinxAllocationCounter", path: "Tests/CSyrinxAllocationCounter"),
        .target(name: "CSyrinxNames", path: "Tests/CSyrinxNames"),
        .target(
            name: "SyrinxTestSupport",
            dependencies: ["SyrinxDevice", "SyrinxByteStream", "CSyrinxAllocationCounter", "CoreAudioTypes"],
            path: "Tests/SyrinxTestSupport",
            swiftSettings: testable
        ),
        .executableTarget(
            name: "syrinx-glib-loop-probe",
            dependencies: ["SyrinxGLibLoop"],
            path: "Tests/syrinx-glib-loop-probe",
            swiftSettings: settings
        ),
        tests("SyrinxGLibLoop", ["syrinx-glib-loop-probe"]),
        tests("MediaPlayer"),
        tests("SyrinxPlayback", ["SyrinxByteStream"]),
        tests(
            "SyrinxPodcastLibrary",
            ["SyrinxByteStream", "SyrinxPlayback", database]
        ),
        // These three need no SyrinxTestSupport.
        .testTarget(name: "SyrinxTerminalTests", dependencies: ["SyrinxTerminal"], swiftSettings: unoptimized),
        .testTarget(
            name: "SyrinxPlayerUITests",
            dependencies: ["SyrinxPlayerUI", "SyrinxListening", "SyrinxTerminal"],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "SyrinxDesktopModelTests",
            dependencies: [
                "SyrinxByteStream", "SyrinxDesktopModel", "SyrinxListening", "SyrinxPlayback", "SyrinxStreaming",
            ],
            swiftSettings: unoptimized
        ),
        tests(
            "SyrinxListening",
            [
                "AVFAudio", "CoreAudioTypes", "MediaPlayer", "SyrinxByteStream", "SyrinxDevice", "SyrinxMediaCodec",
                "SyrinxPlayback", "SyrinxPodcastLibrary", "SyrinxStreaming",
            ]
        ),
        tests("CoreAudioTypes"),
        tests("CoreVideo"),
        tests("CoreMedia", ["CoreAudioTypes", "CoreVideo"], computes: true),
        .testTarget(name: "AccelerateTests", dependencies: ["Accelerate"], swiftSettings: settings),
        tests("SyrinxDSP", computes: true),
        tests("SyrinxByteStream"),
        tests("SyrinxHTTPStream", ["SyrinxByteStream", "CSyrinxNames"]),
        tests("SyrinxMediaCodec", ["SyrinxByteStream", "CoreAudioTypes"]),
        tests("SyrinxDevice", ["CoreAudioTypes"]),
        tests("AudioToolbox", ["SyrinxByteStream", "CoreAudioTypes", "SyrinxMediaCodec"]),
        tests("AVFAudio", ["SyrinxDevice", "CoreAudioTypes"]),
        tests("SyrinxAnalysis", ["AVFAudio", "SyrinxByteStream", "SyrinxMediaCodec"]),
        tests(
            "SyrinxStreaming",
            [
                "AVFAudio", "SyrinxAnalysis", "SyrinxDevice", "SyrinxByteStream", "CoreAudioTypes", "SyrinxHTTPStream",
                "SyrinxMediaCodec",
            ]
        ),
        tests(
            "AVFoundation",
            [
                "AVFAudio", "SyrinxDevice", "SyrinxStreaming", "SyrinxByteStream", "CoreAudioTypes", "CoreMedia",
                "CoreVideo", "SyrinxMediaCodec",
            ]
        ),
        // Programs as they are written for Apple's systems: in Swift 5, with the imports that they have there. Two of them run as
        // processes of their own, because the tests' main is asynchronous.
        foreignProgram("syrinx-notification-probe", ["AVFoundation", "MediaPlayer", "SyrinxDevice"]),
        foreignProgram("syrinx-async-probe", ["AVFoundation", "SyrinxDevice"]),
        .testTarget(
            name: "SyrinxForeignStyleTests",
            dependencies: [
                "AVFoundation", "CoreAudio", "SyrinxTestSupport", "syrinx-notification-probe", "syrinx-async-probe",
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "SyrinxExampleTests",
            dependencies: [
                "AVFoundation", "SyrinxAnalysis", "SyrinxStreaming", "SyrinxTestSupport", "syrinx-examples",
                "syrinx-tutorial-1", "syrinx-tutorial-2", "syrinx-tutorial-3", "syrinx-tutorial-4",
                "syrinx-tutorial-5", "syrinx-tutorial-6",
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "SyrinxCommandTests",
            dependencies: [
                "SyrinxTestSupport", "syrinx", "AVFAudio", "SyrinxAnalysis", "SyrinxDevice", "SyrinxStreaming",
                "CoreAudioTypes", "SyrinxMediaCodec", "MediaPlayer", "SyrinxListening", "SyrinxPlayerUI",
                "SyrinxTerminal",
                "SyrinxPlayback",
            ],
            swiftSettings: unoptimized
        ),
        .testTarget(
            name: "SyrinxDemoTests",
            dependencies: ["syrinx-demo", "syrinx"],
            swiftSettings: unoptimized
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The desktop app, which `make desktop` asks for: only a build with this variable needs GTK and libadwaita. A package trait
// would change the flags of every module, and so compile everything again.
if Context.environment["SYRINX_DESKTOP"] != nil {
    package.products.append(.executable(name: "syrinx-desktop", targets: ["syrinx-desktop"]))
    package.targets += [
        system("CSyrinxGTK", pkgConfig: "libadwaita-1", apt: "libgtk-4-dev", "libadwaita-1-dev"),
        module("SyrinxGTK", ["CSyrinxGTK"]),
        .executableTarget(
            name: "syrinx-desktop",
            dependencies: [
                "SyrinxGTK", "SyrinxDesktopModel", "AVFoundation", "SyrinxAnalysis", "SyrinxStreaming",
                "SyrinxGLibLoop", "MediaPlayer", "SyrinxListening", "SyrinxPlayback", "SyrinxPodcastLibrary",
            ],
            exclude: ["Data"],
            swiftSettings: settings
        ),
    ]
}

/// Returns the names of the targets in `named` and of all targets that they depend on.
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

// Only the named targets and their dependencies: `SYRINX_ONLY="SyrinxStreamingTests" scripts/build --build-tests` takes far less
// time than a whole build while one module is worked on.
if let named = Context.environment["SYRINX_ONLY"] {
    let kept = dependencies(of: named.split(separator: " ").map(String.init))
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}

// The tests of the named modules of the engine, without the network stack and the modules above it: `scripts/sanitize` builds
// them for each sanitizer that needs a build of its own. With "none", the engine's libraries without tests.
if let tested = Context.environment["SYRINX_ENGINE_ALONE"] {
    let engine = [
        "CoreAudioTypes", "SyrinxDSP", "SyrinxByteStream", "SyrinxMediaCodec", "SyrinxDevice", "AVFAudio",
        "AudioToolbox", "CoreVideo", "CoreMedia", "CoreAudio", "Accelerate", "SyrinxPlayback",
    ]
    let hasTests = tested != "none"
    let kept = dependencies(of: hasTests ? tested.split(separator: " ").map { "\($0)Tests" } : engine)
    package.dependencies = []
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = hasTests ? [] : engine.map { .library(name: $0, targets: [$0]) }
}

// The program that `scripts/fuzz` runs, and its dependencies. libFuzzer brings its own `main`, so no other build has this target.
if Context.environment["SYRINX_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "syrinx-fuzz",
            dependencies: [
                "AudioToolbox", "SyrinxByteStream", "CoreAudioTypes", "SyrinxMediaCodec", "SyrinxStreaming",
                "SyrinxPlayback",
                "SyrinxPodcastLibrary", "SyrinxListening", "MediaPlayer", "CSyrinxGIO",
            ],
            path: "Tests/Fuzzing",
            swiftSettings: settings
        )
    )
    let kept = dependencies(of: ["syrinx-fuzz"])
    package.dependencies = [databasePackage]
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = [.executable(name: "syrinx-fuzz", targets: ["syrinx-fuzz"])]
}
