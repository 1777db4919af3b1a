import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxStreaming

/// Parses playlists that tests write as texts.
enum HLSTexts {
    static func parse(
        _ text: String,
        from base: String,
        importing variables: [String: String] = [:]
    ) throws -> HLSPlaylist {
        let url = try #require(URL(string: base))
        return try HLSPlaylistParser.parse(Array(text.utf8), locator: HLSLocator(base: url), importing: variables)
    }

    static func media(_ text: String, from base: String) throws -> HLSMediaPlaylist {
        guard case .media(let playlist) = try parse(text, from: base) else {
            throw SyrinxError(.unknown, "not a media playlist", name: text)
        }
        return playlist
    }

    /// The code of the failure of `body`; `nil` if it succeeds.
    static func code(_ body: () throws -> some Any) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return HLSReading.code(of: error)
        }
    }
}
