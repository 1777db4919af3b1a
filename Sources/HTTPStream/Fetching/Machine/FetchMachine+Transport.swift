/// The choice of the transport that makes a request.
extension FetchMachine.Request {
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
