/// A request that a `FetchMachine` has decided on.
struct FetchRequest: Equatable, Sendable {
    let id: Int
    let url: RequestURL
    let offset: Int64
    /// The value of the `Range` header.
    let range: String?
    let ifRange: String?
    /// Whether the server may weave titles into the audio.
    var asksForTitles = false
    /// Whether an idle connection must not be used: the last request failed.
    var needsNewConnection = false
    /// Whether the server compresses the body though it was asked not to: it is decoded then.
    var isDecoded = false
}
