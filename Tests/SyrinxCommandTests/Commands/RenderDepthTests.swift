import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite("render: the depth of samples")
struct RenderDepthTests {
    private func render(_ arguments: String...) throws {
        let result = try runProcess(Syrinx.path, ["render"] + arguments, environment: Syrinx.environment)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
    }

    private func info(_ path: String) throws -> MediaInfo { try MediaReader.open(FileByteStream(path: path)).info }

    @Test(
        "Samples that are only copied keep their depth",
        arguments: [("a.flac", "s16", 16), ("a.flac", "s32", 24), ("a.wav", "s16", 16), ("a.wv", "s16p", 16)]
    )
    func copied(name: String, format: String, bits: Int) throws {
        let scratch = try ScratchDirectory()
        let coding = name == "a.wav" ? ["-c:a", "pcm_s16le"] : ["-sample_fmt", format]
        try Fixture.make(scratch.file(name), coding)
        #expect(try info(scratch.file(name)).bitDepth == bits)
        let expected = try Fixture.decode(scratch.file(name))
        for output in ["out.flac", "out.wav", "out.aiff", "out.caf"] {
            try render(scratch.file(name), scratch.file(output))
            #expect(try info(scratch.file(output)).bitDepth == bits, "\(output)")
            #expect(try Fixture.decode(scratch.file(output)) == expected, "\(output)")
        }
    }

    @Test("Samples that are changed or asked for otherwise do not")
    func changed() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"), ["-sample_fmt", "s16"])
        try render(scratch.file("a.flac"), scratch.file("asked.flac"), "--sample-format", "s24")
        #expect(try info(scratch.file("asked.flac")).bitDepth == 24)
        try render("--volume", "0.5", scratch.file("a.flac"), scratch.file("half.flac"))
        #expect(try info(scratch.file("half.flac")).bitDepth == 24)
        try render("--channels", "1", scratch.file("a.flac"), scratch.file("mono.wav"))
        #expect(try info(scratch.file("mono.wav")).codec == "pcm_f32le")
        try Fixture.make(scratch.file("a.mp3"), ["-c:a", "libmp3lame"])
        #expect(try info(scratch.file("a.mp3")).bitDepth == nil)
        try render(scratch.file("a.mp3"), scratch.file("lossy.wav"))
        #expect(try info(scratch.file("lossy.wav")).codec == "pcm_f32le")
    }
}
