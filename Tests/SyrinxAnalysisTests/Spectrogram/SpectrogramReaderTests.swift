import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@Suite("The spectrogram of a recording")
struct SpectrogramReaderTests {
    /// A hundred bands of 100 Hz.
    private static let edges = (0...100).map { Double($0) * 100 }

    private static func reader(_ source: String, seconds: Int = 4) throws -> SpectrogramReader {
        let scratch = try ScratchDirectory()
        try FFmpeg.make(scratch.file("a.wav"), from: "\(source):s=44100:d=\(seconds)")
        let bytes = [UInt8](try Data(contentsOf: scratch.url("a.wav")))
        return try SpectrogramReader(MemoryByteStream(bytes, name: "a.wav"))
    }

    private static func loudest(_ column: [UInt8]?) -> Int? {
        column.flatMap { column in column.indices.max { column[$0] < column[$1] } }
    }

    @Test("A tone of 1050 Hz is in the band that holds it, at its level", arguments: [0.0005, 0.005, 0.05, 0.25, 0.9])
    func tone(secondsPerColumn: Double) throws {
        let reader = try Self.reader("aevalsrc='0.5*sin(2*PI*1050*t)'")
        let columns = reader.columns(
            from: 1,
            secondsPerColumn: secondsPerColumn,
            count: min(Int(2.5 / secondsPerColumn), 100),
            edges: Self.edges
        )
        #expect(columns.count >= 2)
        for column in columns {
            let levels = try #require(column)
            #expect(abs(try #require(Self.loudest(levels)) - 10) <= (secondsPerColumn < 0.02 ? 1 : 0))
            // Half of full scale is −6 dB, which are 240 of 255; between two lines it is up to 1.5 dB less.
            #expect((234...241).contains(levels[10]))
            #expect(levels[60] < 60)
        }
    }

    @Test("A chirp rises from column to column")
    func chirp() throws {
        let reader = try Self.reader("aevalsrc='0.5*sin(2*PI*(500*t+1000*t*t))'")
        let columns = reader.columns(from: 0, secondsPerColumn: 0.1, count: 40, edges: Self.edges)
        let bands = columns.compactMap(Self.loudest)
        #expect(bands.count == 40)
        // 500 Hz at the start, and 2000 Hz more each second.
        for (index, band) in bands.enumerated().dropFirst().dropLast() {
            #expect(abs(Double(band) + 0.5 - (5 + 2 * (Double(index) + 0.5))) <= 2)
        }
        #expect(zip(bands, bands.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("Silence, and what lies before the start and behind the end, has no level")
    func silence() throws {
        let reader = try Self.reader("aevalsrc='0.5*sin(2*PI*1050*t)'", seconds: 1)
        let columns = reader.columns(from: -1, secondsPerColumn: 0.25, count: 12, edges: Self.edges)
        let loud = columns.map { ($0?.max() ?? 0) > 200 }
        #expect(loud == [false, false, false, false, true, true, true, true, false, false, false, false])
        #expect(columns.allSatisfy { $0 != nil })
    }

    @Test("Columns in any order are those in order")
    func order() throws {
        let reader = try Self.reader("aevalsrc='0.5*sin(2*PI*(500*t+1000*t*t))'")
        let whole = reader.columns(from: 0, secondsPerColumn: 0.02, count: 200, edges: Self.edges)
        for start in [150, 10, 120, 0, 199] {
            let one = reader.columns(from: Double(start) * 0.02, secondsPerColumn: 0.02, count: 1, edges: Self.edges)
            #expect(one == [whole[start]])
        }
    }

    @Test("Columns whose bytes have not arrived are missing, and come when they have")
    func missing() throws {
        let scratch = try ScratchDirectory()
        try FFmpeg.make(scratch.file("a.wav"), from: "aevalsrc='0.5*sin(2*PI*1050*t)':s=44100:d=20")
        let stream = SparseStream([UInt8](try Data(contentsOf: scratch.url("a.wav"))))
        stream.arrive(0..<400_000)
        stream.arrive(1_000_000..<1_200_000)
        let reader = try SpectrogramReader(stream)
        func known() -> [Bool] {
            reader.columns(from: 0, secondsPerColumn: 1, count: 20, edges: Self.edges).map { $0 != nil }
        }
        let first = known()
        #expect(first[0..<4].allSatisfy { $0 } && first[12])
        #expect(!first[6] && !first[9] && !first[16])
        stream.arriveWhole()
        #expect(known().allSatisfy { $0 })
    }

    @Test("It stops when it is told to, and numbers that make no sense give nothing")
    func bounds() throws {
        let reader = try Self.reader("aevalsrc='0.5*sin(2*PI*1050*t)'", seconds: 1)
        var left = 5
        let columns = reader.columns(from: 0, secondsPerColumn: 0.01, count: 50, edges: Self.edges) {
            left -= 1
            return left >= 0
        }
        #expect(columns.count == 5)
        #expect(reader.columns(from: .nan, secondsPerColumn: 1, count: 5, edges: Self.edges).isEmpty)
        #expect(reader.columns(from: 0, secondsPerColumn: 0, count: 5, edges: Self.edges).isEmpty)
        #expect(reader.columns(from: 0, secondsPerColumn: 1, count: -5, edges: Self.edges).isEmpty)
        #expect(reader.columns(from: 1e300, secondsPerColumn: 1e300, count: 2, edges: Self.edges).count == 2)
        #expect(reader.columns(from: 0, secondsPerColumn: 0.1, count: 2, edges: [-1e9, 5, 1e12])[0]?.count == 2)
    }
}
