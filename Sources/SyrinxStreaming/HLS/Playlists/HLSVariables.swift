import Foundation
import SyrinxByteStream

/// The variables of a playlist (`EXT-X-DEFINE`), and the texts that they are put into.
///
/// All texts of a playlist together hold at most `maximumSize` bytes of values, so that variables of variables cannot multiply.
struct HLSVariables {
    /// The maximum number of substituted bytes in a playlist: as many as the playlist itself may have.
    static let maximumSize = HLSPlaylist.maximumSize
    /// More variables than any playlist defines.
    private static let maximumCount = 100

    private(set) var values: [String: String] = [:]
    private let imported: [String: String]
    private let base: URL
    /// Bytes of values that have been put into texts.
    private var substitutedByteCount = 0
    /// The query parameters of the playlist's URL, by name; parsed when the first tag needs them.
    private var parameters: [String: String]?

    /// No variables yet, of the playlist at `base`; those of the master playlist that led to it may be imported.
    init(base: URL, importing imported: [String: String]) {
        self.base = base
        self.imported = imported
    }

    var isEmpty: Bool { values.isEmpty }

    /// Adds the variable that a tag defines, imports or reads from the query of the playlist's URL.
    mutating func define(_ attributes: HLSAttributes) {
        guard values.count < Self.maximumCount else { return }
        if let name = attributes["NAME"] { values[name] = attributes["VALUE"] ?? "" }
        if let name = attributes["IMPORT"] { values[name] = imported[name] }
        if let name = attributes["QUERYPARAM"] { values[name] = parameter(name) }
    }

    private mutating func parameter(_ name: String) -> String? {
        if let parameters { return parameters[name] }
        let items = URLComponents(url: base, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let parsed = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }.compactMapValues(\.self)
        parameters = parsed
        return parsed[name]
    }

    /// Puts the values of variables in the places of `{$name}`.
    /// - Throws: `media.playlistTooLarge` if the texts of the playlist have more than `maximumSize` bytes of values by now.
    mutating func substituted(_ text: String) throws(SyrinxError) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        // A lone marker, or one without an end, is ordinary text.
        while let dollar = rest.indices.dropFirst().first(where: { rest[$0] == 0x24 && rest[$0 - 1] == 0x7B }),
            let close = rest[dollar...].firstIndex(of: 0x7D)
        {
            let value = values[rest[(dollar + 1)..<close].text] ?? ""
            substitutedByteCount += value.utf8.count
            guard substitutedByteCount <= Self.maximumSize else {
                let message =
                    "The variables of the playlist stand for more than \(Self.maximumSize >> 20) MiB of text, the most that is taken: tell the sender."
                throw SyrinxError(.playlistTooLarge, message, name: StreamingInput.url(base).name)
            }
            result += rest[..<(dollar - 1)]
            result += value.utf8
            rest = rest[(close + 1)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }
}
