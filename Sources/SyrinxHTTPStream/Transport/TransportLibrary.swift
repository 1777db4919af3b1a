import CSyrinxCurl

/// The library of HTTP in this process.
package enum TransportLibrary {
    /// The version of libcurl, which is loaded for it; `nil` if it is not installed or too old.
    package static var version: String? {
        guard csyrinx_curl_load() == nil else { return nil }
        // libcurl names itself first, as in "libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13".
        let first = String(cString: csyrinx_curl_version()).split(separator: " ").first ?? ""
        return first.split(separator: "/").last.map(String.init)
    }
}
