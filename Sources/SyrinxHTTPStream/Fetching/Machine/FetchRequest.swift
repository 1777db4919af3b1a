/// A request that a `FetchMachine` has decided on.
struct FetchRequest: Equatable, Sendable {
    let id: Int
    let url: RequestURL
    let offset: Int64
    /// The value of the `Range` header.
    let range: String?
    let ifRange: String?
    /// Whether the user's secrets may be sent: not to another origin.
    let carriesSecrets: Bool
    /// Whether the server may weave titles into the audio.
    var asksForTitles = false
    /// Whether the answer may begin with `ICY`, or have a head that is written badly.
    var isShoutcast = false
}

/// The choice of the transport that makes a request.
extension FetchRequest {
    /// The ways to make a request.
    enum Transport: Equatable, Sendable {
        /// The HTTP client.
        case client
        /// A plain connection, for what the HTTP client refuses to send or to read.
        case raw
    }

    /// Returns the transport for the request through a proxy, or without one.
    ///
    /// Through a SOCKS proxy there is the client only: what it refuses then stays refused.
    func transport(through proxy: ProxyEnvironment.Proxy?) -> Transport {
        guard url.scheme == "http" else { return .client }
        if let proxy { return proxy.isSOCKS ? .client : .raw }
        return isShoutcast || !url.hasUTF8Path ? .raw : .client
    }
}
