/// A request that a `FetchMachine` has decided on.
struct FetchRequest: Equatable, Sendable {
    let id: Int
    let url: RequestURL
    let offset: Int64
    /// The value of the `Range` header.
    let range: String?
    let ifRange: String?
    /// Whether the server may interleave titles with the audio.
    var asksForTitles = false
    /// Whether an idle connection must not be reused, because the last request failed.
    var needsNewConnection = false
    /// Whether the body is decoded, because the server compresses it although that was not requested.
    var isDecoded = false
}
