import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Covers on the full screen") struct CoverTests {
    /// Returns the cells of a screen that have half of one colour and half of another.
    private func halfBlocks(_ session: TerminalSession) throws -> Int {
        try session.screen().joined().count { "▀▄".contains($0) }
    }

    private func picture(_ name: String, in scratch: ScratchDirectory) throws -> String {
        let path = scratch.file(name)
        try FFmpeg.run(["-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1", path])
        return path
    }

    @Test("That of a file is drawn beside its title", arguments: ["cover.png", "cover.jpg"])
    func file(name: String) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.mp3")
        try FFmpeg.run(
            [
                "-f", "lavfi", "-i", "sine=d=60", "-i", try picture(name, in: scratch), "-map", "0", "-map", "1",
                "-c:v", "copy", "-disposition:v", "attached_pic", path,
            ]
        )
        let session = try TerminalSession("play --output null a.mp3", columns: 80, rows: 24, in: scratch)
        #expect(waitUntil { (try? halfBlocks(session)) ?? 0 > 20 }, "\((try? session.screen()) ?? [])")
    }

    @Test("That of a podcast is drawn where the episode has none")
    func feed() throws {
        let show = try Show(seconds: 60)
        let picture = try Data(contentsOf: URL(fileURLWithPath: try picture("cover.png", in: show.scratch)))
        show.server.route("/cover.png", .file([UInt8](picture), type: "image/png"))
        show.publish(["First steps"], image: show.server.url("/cover.png"))
        #expect(try show.podcast("add", show.server.url("/feed.xml")).status == 0)
        let session = try TerminalSession(
            "podcast play --output null 'The Show'",
            columns: 80,
            rows: 24,
            in: show.scratch
        )
        #expect(waitUntil { (try? halfBlocks(session)) ?? 0 > 20 }, "\((try? session.screen()) ?? [])")
    }
}
