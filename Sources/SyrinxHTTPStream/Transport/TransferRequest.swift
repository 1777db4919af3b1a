/// The description of a request for the transport.
struct TransferRequest: Sendable {
    /// A number that the listener assigns.
    var id = 0
    let url: RequestURL
    var method = "GET"
    var content: [UInt8]?
    var headers = RequestHeaders()
    /// The user and password for the URL's origin.
    let credentials: Credentials?
    let cookies: CookieJar?
    /// Whether libcurl decodes the body.
    var isDecoded = false
    /// Whether HTTP/2 may be used.
    ///
    /// libcurl 7.88 buffers up to 32 MiB of a paused HTTP/2 body.
    var allowsHTTP2 = false
    /// Whether an idle connection must not be reused, because the last one to this origin was silent.
    var needsNewConnection = false
    let connectTimeout: Double
    let stallTimeout: Double
    let environment: [String: String]

    /// Creates a request to `url`, possibly redirected from `original`.
    ///
    /// The headers of `options`, and the user and password of `original`, are sent to the origin of `original` only.
    init(_ url: RequestURL, _ original: RequestURL, _ options: HTTPByteStream.Options) {
        let isOwn = url.hasSameOrigin(as: original)
        self.url = url
        credentials = isOwn ? original.credentials : url.credentials
        cookies = options.cookies
        connectTimeout = options.connectTimeout
        stallTimeout = options.stallTimeout
        environment = options.environmentInUse
        if isOwn {
            for (name, value) in options.headers { headers.add(name, value) }
        }
        headers.set("User-Agent", options.userAgent)
        headers.set("Accept", "*/*")
        headers.set("Accept-Encoding", "identity")
        if credentials != nil { headers.set("Authorization", nil) }
    }
}

/// The headers of a request, without those that libcurl sets itself, such as `Host`.
struct RequestHeaders: Sendable {
    private var fields: [(name: String, value: String)] = []
    /// The value of the `Cookie` header, to which libcurl adds the cookies of the jar.
    private(set) var cookie: String?

    /// Adds a header.
    ///
    /// Line breaks in its value become spaces, so that a value cannot inject headers.
    mutating func add(_ name: String, _ value: String) {
        let value = String(value.map { $0.isNewline || $0 == "\0" ? " " : $0 })
        guard !name.isEmpty, !name.contains(where: { $0.isWhitespace || $0 == ":" || $0 == "\0" }) else { return }
        if name.lowercased() == "cookie" {
            cookie = cookie.map { "\($0); \(value)" } ?? value
        } else {
            fields.append((name, value))
        }
    }

    /// Sets the only header with this name; `nil` removes it.
    mutating func set(_ name: String, _ value: String?) {
        fields.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { add(name, value) }
    }

    /// The lines for libcurl; a header without a value ends with a semicolon.
    var lines: [String] { fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } }
}
