import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// The real recordings beside the package, where they are.
private let recordings: [URL] = {
    let folder = repositoryRoot.deletingLastPathComponent().appending(path: "shared/audio")
    let all = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return all.filter { ["ogg", "flac", "wav"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
}()

@Suite struct RecordingTests {
    @Test(
        "Real recordings decode as with ffmpeg and seek to the frame",
        .enabled(if: !recordings.isEmpty, "../shared/audio is not there"),
        arguments: recordings
    )
    func decodeLikeFFmpegAndSeek(_ file: URL) throws {
        let expected = try FFmpeg.decode(file.path)
        let reader = try MediaReader.open(TestStream(file: file))
        let channels = reader.info.channelCount
        #expect(reader.info.frameCount == Int64(expected.count / channels))
        let whole = try reader.readAll(block: 65536)
        #expect(whole.count == expected.count)
        #expect(largestDifference(whole, expected) == 0)
        let total = whole.count / channels
        for place in [total / 2, total / 7, total - 100, 17] {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 5000)
            #expect(part.count == min(5000, total - place) * channels)
            #expect(largestDifference(part, whole[(place * channels)...]) == 0)
        }
    }
}
