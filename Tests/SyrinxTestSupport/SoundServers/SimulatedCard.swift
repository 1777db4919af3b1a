import Foundation

/// A sound card that ALSA takes for one: it plays in real time, into a file. What it has not played can be written over.
public final class SimulatedCard: Sendable {
    private let directory: ScratchDirectory

    /// The name of the PCM in `configuration`.
    public let pcm = "card"

    /// Builds the plugin of ALSA that simulates the card.
    public init() throws {
        directory = try ScratchDirectory("card")
        let source = repositoryRoot.appendingPathComponent("Tests/SimulatedCard/card.c").path
        let built = try runProcess(
            "clang",
            ["-shared", "-fPIC", "-DPIC", "-O1", "-Wall", "-Werror", "-o", plugin, source, "-lasound", "-lpthread"]
        )
        guard built.status == 0 else { throw SoundServerError(description: built.errors) }
    }

    private var plugin: String { directory.file("card.so") }
    private var file: String { directory.file("played.f32") }

    /// A configuration of ALSA that has no PCM but the card's.
    public var configuration: String {
        """
        pcm.\(pcm) { type simulated file "\(file)" }
        pcm_type.simulated { lib "\(plugin)" }

        """
    }

    /// Takes the card out, as one on USB that is unplugged.
    public func remove() { _ = FileManager.default.createFile(atPath: file + ".gone", contents: nil) }

    /// Puts the card back.
    public func bringBack() throws { try FileManager.default.removeItem(atPath: file + ".gone") }

    /// Returns the number of frames of so many channels that have been played.
    public func playedFrameCount(channelCount: Int) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        return (attributes?[.size] as? Int ?? 0) / (4 * channelCount)
    }

    /// Returns the played samples, one array for each channel.
    public func played(channelCount: Int) throws -> [[Float]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        return deinterleave(data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }, channelCount: channelCount)
    }
}
