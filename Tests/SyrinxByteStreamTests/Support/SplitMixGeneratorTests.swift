import Testing

@testable import SyrinxByteStream

@Suite("SplitMixGenerator") struct SplitMixGeneratorTests {
    /// The first words for the seed 1234567, as in the published reference implementation.
    @Test("The generator gives the published words") func referenceWords() {
        var generator = SplitMixGenerator(seed: 1_234_567)
        let words = (0..<5).map { _ in generator.next() }
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ]
        #expect(words == expected)
    }
}
