import CSyrinxCurl
import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The result with which libcurl ended a transfer.
struct CurlResult: Error {
    let code: Int
    /// The error number of the operating system; 0 if there was none.
    let systemError: Int32
    /// The status of a proxy's response to CONNECT; 0 if there was none.
    let proxyStatus: Int
    /// libcurl's message, which contains addresses and function names: for `underlying` errors only.
    let text: String

    init(_ code: Int32, _ handle: OpaquePointer, _ text: UnsafePointer<CChar>?) {
        func value(_ info: Int) -> Int {
            var value = 0
            csyrinx_easy_get_long(handle, Int32(info), &value)
            return value
        }
        self.code = Int(code)
        systemError = Int32(truncatingIfNeeded: value(CSYRINX_INFO_OS_ERRNO))
        proxyStatus = value(CSYRINX_INFO_HTTP_CONNECTCODE)
        let words = text.map { String(cString: $0) } ?? ""
        // The URL of a proxy may contain a password.
        self.text = words.contains("@") ? "" : words
    }
}

extension FetchFailure {
    /// Creates the failure for a transfer that libcurl could not complete.
    ///
    /// - Parameter hasHead: Whether the head of the response had arrived.
    init(_ result: CurlResult, _ request: TransferRequest, hasHead: Bool) {
        let host = request.url.host
        let remedy: Remedy = hasHead ? .retry : .reconnect
        switch result.code {
        case CSYRINX_E_COULDNT_RESOLVE_HOST, CSYRINX_E_COULDNT_RESOLVE_PROXY:
            let host = result.code == CSYRINX_E_COULDNT_RESOLVE_PROXY ? Self.firstHost(request) : host
            self.init(.hostNotFound, "there is no host named \(host)", .reconnect, underlying: result)
        case CSYRINX_E_COULDNT_CONNECT:
            self.init(connecting: result, host: Self.firstHost(request))
        case CSYRINX_E_OPERATION_TIMEDOUT:
            let host = Self.firstHost(request)
            self.init(.timedOut, "no connection to \(host) in time", .reconnect, underlying: result)
        case _ where result.proxyStatus == 407:
            self.init(.httpStatus(407), Self.proxyAsks, .none, underlying: result)
        case _ where result.proxyStatus >= 300:
            let message = "the proxy does not connect to \(host) (HTTP status \(result.proxyStatus))"
            self.init(.badResponse, message, .none, underlying: result)
        case CSYRINX_E_PROXY:
            self.init(.connectionLost, "the proxy does not connect to \(host)", .reconnect, underlying: result)
        case CSYRINX_E_PARTIAL_FILE:
            let message = "the connection to \(host) was closed in the middle"
            self.init(.connectionLost, message, remedy, underlying: result, isEarlyEnd: hasHead)
        case CSYRINX_E_URL_MALFORMAT:
            self.init(.badURL, "the URL cannot be used", .none, underlying: result)
        // libcurl reports a response without a status line (HTTP/0.9) as an unsupported protocol.
        case CSYRINX_E_UNSUPPORTED_PROTOCOL, CSYRINX_E_WEIRD_SERVER_REPLY, CSYRINX_E_BAD_FUNCTION_ARGUMENT:
            self.init(.badResponse, "the answer of \(host) is not HTTP", .retry, underlying: result)
        case CSYRINX_E_OUT_OF_MEMORY where hasHead && request.isDecoded,
            CSYRINX_E_TOO_LARGE where hasHead && request.isDecoded:
            // While its receiver is paused, libcurl 7.88 buffers up to 64 MiB of decompressed bytes.
            let message =
                "the compressed response of \(host) expands too far"
            self.init(.badResponse, message, .none, underlying: result)
        case CSYRINX_E_OUT_OF_MEMORY where !hasHead, CSYRINX_E_TOO_LARGE:
            // A single header of more than 100 KiB, in libcurl 7.88 and 8.14.
            self.init(.badResponse, "the headers of \(host) are too long", .none, underlying: result)
        case CSYRINX_E_RECV_ERROR where result.text.contains("chunk"):
            self.init(.badResponse, "the answer of \(host) has invalid chunks", .retry, underlying: result)
        case CSYRINX_E_BAD_CONTENT_ENCODING:
            let message = "the answer of \(host) cannot be decompressed"
            self.init(.badResponse, message, .withoutDecoding, underlying: result)
        case CSYRINX_E_SSL_CONNECT_ERROR where result.isConnectionLoss:
            self.init(.connectionLost, "the connection to \(host) was lost", remedy, underlying: result)
        case CSYRINX_E_PEER_FAILED_VERIFICATION:
            let message = "the certificate of \(host) is not trusted"
            self.init(.tlsFailed, message, .none, underlying: result)
        case CSYRINX_E_SSL_CACERT_BADFILE:
            let message = "the trusted certificates of this system, or of SSL_CERT_FILE or SSL_CERT_DIR, cannot be read"
            self.init(.tlsFailed, message, .none, underlying: result)
        case CSYRINX_E_SSL_CONNECT_ERROR, CSYRINX_E_SSL_CERTPROBLEM, CSYRINX_E_SSL_CIPHER, CSYRINX_E_SSL_ISSUER_ERROR,
            CSYRINX_E_SSL_CLIENTCERT:
            let message = "no secure connection to \(host): the server offers no usable TLS"
            self.init(.tlsFailed, message, .none, underlying: result)
        default:
            self.init(.connectionLost, "the connection to \(host) was lost", remedy, underlying: result)
        }
    }

    private static func firstHost(_ request: TransferRequest) -> String {
        ProxyEnvironment(environment: request.environment).firstHost(for: request.url)
    }

    private init(connecting result: CurlResult, host: String) {
        switch result.systemError {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL:
            self.init(.hostUnreachable, "there is no route to \(host)", .reconnect, underlying: result)
        case ETIMEDOUT:
            self.init(.timedOut, "no connection to \(host) in time", .reconnect, underlying: result)
        default:
            self.init(.connectionRefused, "\(host) refuses the connection", .reconnect, underlying: result)
        }
    }

    /// Returns the failure of a transfer that received no bytes for `seconds`.
    static func silence(_ host: String, seconds: Double) -> FetchFailure {
        let message = "no data arrived from \(host) for \(Int(clamped: seconds.rounded(.up))) s"
        return FetchFailure(.timedOut, message, .reconnect)
    }
}

extension CurlResult {
    /// Whether the connection broke during the TLS handshake, as opposed to a failure of TLS itself.
    fileprivate var isConnectionLoss: Bool {
        [ECONNRESET, EPIPE, ETIMEDOUT].contains(systemError) || text.contains("SSL_ERROR_SYSCALL")
            || text.contains("non-properly terminated")
    }
}
