import Foundation
import SyrinxPlayback
import SyrinxTestSupport
import Testing

@Suite("Transcripts")
struct TranscriptTests {
    private typealias Passage = Transcript.Passage

    private func read(_ text: String, as format: TranscriptDocuments.Format) throws -> [Transcript.Passage] {
        try TranscriptDocuments.read(Data(text.utf8), as: format).passages
    }

    @Test("SubRip gives a passage for each cue, without tags, places and numbers")
    func subRip() throws {
        let text = """
            1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}<i>Hello</i>\r\nthere\r\n2\r
            00:01:03,500 --> 00:01:04,000 X1:0\r\nNext: a < b &amp; c\r\n\r\n\r\n
            """
        let passages = try read(text, as: .subRip)
        #expect(passages == [Passage(start: 1, text: "Hello there"), Passage(start: 63.5, text: "Next: a < b & c")])
    }

    @Test("WebVTT names who speaks, and its notes and styles are no passages")
    func webVTT() throws {
        let text = """
            \u{FEFF}WEBVTT - Title

            NOTE a note
            of two lines

            STYLE
            ::cue { color: red }

            first
            00:01.500 --> 00:02.000 align:start position:10%
            <v.loud Roger &amp; Co>Hi <00:01.700><c.quiet>you</c></v>
            <v Ann>Yes

            01:00:00.000 --> 01:00:01.000
            The end
            """
        let passages = try read(text, as: .webVTT)
        #expect(
            passages == [
                Passage(start: 1.5, speaker: "Roger & Co", text: "Hi you"),
                Passage(start: 1.5, speaker: "Ann", text: "Yes"), Passage(start: 3_600, text: "The end"),
            ]
        )
    }

    @Test("The JSON of Podcasting 2.0 is read, its words are joined, and bad segments are left out")
    func json() throws {
        let text = """
            {"version": "1.0.0", "segments": [
              {"speaker": "Ann", "startTime": 0.5, "endTime": 0.7, "body": "I"},
              {"speaker": "Ann", "startTime": 0.8, "endTime": 0.9, "body": "am."},
              3, {"startTime": "never", "body": "x"}, {"startTime": 1e300, "body": "x"}, {"body": "x"},
              {"speaker": "Ann", "startTime": 1, "endTime": 1.2, "body": "So"},
              {"speaker": "Ben", "startTime": 1.3, "body": "what"},
              {"startTime": "00:01:02", "body": "Two\\n words"}
            ]}
            """
        let passages = try read(text, as: .json)
        #expect(
            passages == [
                Passage(start: 0.5, speaker: "Ann", text: "I am."), Passage(start: 1, speaker: "Ann", text: "So"),
                Passage(start: 1.3, speaker: "Ben", text: "what"), Passage(start: 62, text: "Two words"),
            ]
        )
    }

    @Test("The HTML of Podcasting 2.0 has speakers, times and paragraphs")
    func html() throws {
        let text = """
            <!DOCTYPE html><html><head><title>No passage</title><style>p { color: red }</style></head><body>
            <cite>Kevin:</cite><time>0:00</time><p>An update &#8211; at last</p>
            <cite>Ann</cite><time>1:02:03</time><p>Yes<br/>no</p></body></html>
            """
        let passages = try read(text, as: .html)
        #expect(
            passages == [
                Passage(start: 0, speaker: "Kevin", text: "An update – at last"),
                Passage(start: 3_723, speaker: "Ann", text: "Yes"), Passage(start: 3_723, speaker: "Ann", text: "no"),
            ]
        )
        let untimed = try read("<p>One</p><p>Two</p>", as: .html)
        #expect(untimed == [Passage(text: "One"), Passage(text: "Two")])
    }

    @Test("Lyrics come in the order of their times, moved by the offset; those without times keep theirs")
    func lyrics() throws {
        let text = "[ar:Fern]\n[offset:+500]\n[00:01.50][00:10.00]La <00:02.00>la\n[00:05.0]mid\n[x] no time\n"
        let timed = try read(text, as: .lyrics)
        #expect(
            timed == [
                Passage(start: 1, text: "La la"), Passage(start: 4.5, text: "mid"), Passage(start: 9.5, text: "La la"),
            ]
        )
        let untimed = TranscriptDocuments.lyrics("One\r\n\r\n  Two  lines\n")
        #expect(untimed.passages == [Passage(text: "One"), Passage(text: "Two lines")])
        #expect(!untimed.isTimed && untimed.index(at: 3) == nil)
    }

    @Test("Places at the start of a passage cost as much each, however many there are")
    func places() throws {
        func cues(_ count: Int) -> Data {
            // A passage has at most 2,000 characters.
            let cue = "00:01.000 --> 00:02.000\n\(String(repeating: "{\\}", count: count))Hello\n\n"
            return Data(String(repeating: cue, count: 40).utf8)
        }
        #expect(try read(String(decoding: cues(300), as: UTF8.self), as: .subRip).allSatisfy { $0.text == "Hello" })
        let growth = try Growth(from: 300) { _ = try TranscriptDocuments.read(cues($0), as: .subRip) }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(
        "A transcript is read in time and memory proportional to its length",
        arguments: TranscriptDocuments.Format.allCases
    )
    func growth(format: TranscriptDocuments.Format) throws {
        let growth = try Growth(from: 2_000) { count in
            let numbers = 0..<count
            let text =
                switch format {
                case .subRip:
                    numbers.map { "\($0)\n00:00:01,000 --> 00:00:02,000\n<i>Words</i> &amp; \($0)\n\n" }.joined()
                case .webVTT:
                    "WEBVTT\n\n" + numbers.map { "00:01.000 --> 00:02.000\n<v Ann>Words &amp; \($0)\n\n" }.joined()
                case .json:
                    "{\"segments\":["
                        + numbers.map { "{\"startTime\":\($0),\"endTime\":\($0),\"body\":\"Words\"}" }.joined(
                            separator: ","
                        )
                        + "]}"
                case .html: numbers.map { "<cite>Ann:</cite><time>0:01</time><p>Words &amp; \($0)</p>" }.joined()
                case .lyrics: numbers.map { "[00:01.50][00:02.50]Words \($0)\n" }.joined()
                case .plain: numbers.map { "Words \($0).\n\n" }.joined()
                }
            let passages = try TranscriptDocuments.read(Data(text.utf8), as: format).passages
            #expect(passages.reduce(0) { $0 + $1.text.utf8.count } >= 5 * count)
        }
        #expect(growth.isLinear, "\(format): \(growth)")
    }

    @Test("A passage of few characters with any number of marks is cut")
    func marks() throws {
        let text = "a" + String(repeating: "\u{301}", count: 500_000) + " b"
        let passages = try read(text, as: .plain)
        #expect(passages.count == 1 && passages[0].text.unicodeScalars.count == 8_000)
    }

    @Test("The passage that is heard is the last that has begun")
    func index() {
        let transcript = Transcript(
            [3.0, 1, 1, 8].map { (start: Double) in Passage(start: start, text: "at \(start)") }
        )
        #expect(transcript.passages.map(\.start) == [1, 1, 3, 8])
        #expect([0.5, 1, 2.9, 3, 100].map(transcript.index) == [nil, 1, 1, 2, 3])
        #expect(transcript.index(at: .nan) == nil && Transcript().index(at: 1) == nil)
    }

    @Test("Media types and names tell the format")
    func formats() {
        typealias Format = TranscriptDocuments.Format
        #expect(Format(mediaType: "text/vtt; charset=utf-8") == .webVTT)
        #expect(Format(mediaType: "Application/X-SubRip") == .subRip)
        #expect(Format(mediaType: "application/json") == .json && Format(mediaType: "text/html") == .html)
        #expect(Format(mediaType: "text/plain", name: "https://example.org/A.SRT?x=1") == .subRip)
        #expect(Format(mediaType: nil, name: "song.lrc") == .lyrics && Format(mediaType: nil, name: "song.mp3") == nil)
    }

    @Test("UTF-16 is read, and what is no transcript is refused with a code")
    func refusals() throws {
        let wide = try #require("\u{FEFF}1\n00:01 --> 00:02\nÄh\n".data(using: .utf16LittleEndian))
        #expect(try TranscriptDocuments.read(wide, as: .subRip).passages == [Passage(start: 1, text: "Äh")])
        for format in TranscriptDocuments.Format.allCases {
            for bytes in [Data(), Data([0, 1, 2, 10]) + Data(repeating: 0x20, count: 9), Data("<p>".utf8)] {
                do {
                    let transcript = try TranscriptDocuments.read(bytes, as: format)
                    // Any text is plain text.
                    #expect(transcript.passages.count == 1 && !transcript.isTimed)
                } catch let error as PlaybackError {
                    #expect(error.code == .badTranscript)
                }
            }
            let large = Data(repeating: 0x20, count: TranscriptDocuments.maximumBytes + 1)
            #expect(throws: PlaybackError.self) { try TranscriptDocuments.read(large, as: format) }
        }
    }

    @Test(
        "Hostile documents take bounded time and give bounded passages",
        arguments: TranscriptDocuments.Format.allCases
    )
    func hostile(format: TranscriptDocuments.Format) {
        let count = 200_000
        let texts = [
            String(repeating: "<", count: count), String(repeating: "&#", count: count),
            "00:01 --> 00:02\n" + String(repeating: "<v a>&", count: count / 4),
            String(repeating: "[00:01]", count: count) + "x", String(repeating: "{\\", count: count),
            "00:01 --> 00:02\n" + String(repeating: "{\\a}", count: count) + "x",
            String(repeating: "00:01 --> 00:02\n", count: count / 4), "[" + String(repeating: "[", count: count),
            String(repeating: "{\"segments\":[", count: count / 10),
            "00:01 --> 00:02\n" + String(repeating: "x", count: count),
            "{\"segments\":[{\"startTime\":-1e999,\"body\":\"\u{1B}]0;x\"}]}",
        ]
        for text in texts {
            guard let read = try? read(text, as: format) else { continue }
            #expect(read.count <= TranscriptDocuments.maximumCount)
            #expect(read.allSatisfy { $0.text.count <= TranscriptDocuments.maximumTextLength })
        }
    }
}
