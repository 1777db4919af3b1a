import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// AAC in MP4 over ranges, in pieces of all kinds.
@Suite struct FragmentTests {
    private static let forms = [
        [], ["-movflags", "+faststart"], ["-movflags", "+frag_keyframe+empty_moov"],
        ["-movflags", "+frag_every_frame+empty_moov"],
        ["-movflags", "+frag_keyframe+empty_moov+delay_moov", "-frag_duration", "300000"],
        ["-movflags", "+dash+global_sidx", "-frag_duration", "500000"],
    ]

    /// Without noise that the decoder makes up, which is another each time, a seek gives what reading through gives.
    @Test("A seek in a fragmented MP4 gives the samples of a full read", arguments: forms)
    func aSeekGivesTheSamplesOfTheWhole(_ options: [String]) throws {
        let scratch = try ScratchDirectory()
        let sound = "aevalsrc=0.3*sin(2*PI*(300+20*t)*t)+0.3*(random(0)-0.5)*lt(mod(t\\,0.5)\\,0.1):s=44100:d=8"
        let codec = ["-ac", "2", "-c:a", "aac", "-b:a", "64k", "-aac_pns", "0"]
        let file = try scratch.make(["-f", "lavfi", "-i", sound] + codec + options + ["a.m4a"])
        let whole = try MediaReader.open(TestStream(file: file)).readAll()
        var chance = SplitMix64(seed: 3)
        for _ in 0..<30 {
            let stream = try TestStream(file: file)
            (stream.isRemote, stream.portion) = (true, 1400)
            let reader = try MediaReader.open(stream)
            let place = Int.random(in: 0..<whole.count / 2 - 2000, using: &chance)
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 2000)
            #expect(part.count == 4000)
            let difference = largestDifference(part, whole[(2 * place)...])
            // 0.0001, in the last bits of 16.
            #expect(difference < 3.3, "\(difference) at \(place)")
        }
    }
}
