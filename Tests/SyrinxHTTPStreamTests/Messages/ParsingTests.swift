import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxHTTPStream

@Suite("Heads, URLs and proxies") struct ParsingTests {
    @Test("Content-Range is parsed")
    func contentRanges() {
        typealias ContentRange = ResponseHead.ContentRange
        #expect(ContentRange("bytes 0-9/10")?.range == 0...9)
        #expect(ContentRange("bytes 0-9/10")?.size == 10)
        #expect(ContentRange("Bytes 5-5/*")?.range == 5...5)
        #expect(ContentRange("bytes */10")?.size == 10)
        #expect(ContentRange("bytes */10")?.range == nil)
        let wrong = [
            "", "bytes", "bytes 0-9", "bytes 9-0/10", "bytes 0-10/10", "items 0-9/10", "bytes -9/10", "bytes 0-/10",
            "bytes a-b/c", "bytes 0-9/-1", "bytes 0-99999999999999999999/*",
        ]
        for text in wrong { #expect(ContentRange(text) == nil, "\(text)") }
    }

    @Test("Response heads are parsed")
    func heads() {
        let head = ResponseHead(
            status: 200,
            fields: [
                ("CONTENT-TYPE", " Audio/OGG ; codecs=opus"), ("Content-Length", "12"),
                ("Content-Encoding", "identity"),
                ("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Accept-Ranges", "none"),
            ]
        )
        #expect(head.mimeType == "audio/ogg")
        #expect(head.contentLength == 12)
        #expect(!head.isCompressed)
        #expect(head.acceptsRanges == false)
        // 784111777 is what `date -d` gives for that date.
        #expect(head.retryAfter(now: 784_111_770) == 7)
        #expect(head.retryAfter(now: 784_111_800) == 0)
        let odd = ResponseHead(status: 200, fields: [("Content-Length", "-1"), ("Retry-After", "soon")])
        #expect(odd.contentLength == nil)
        #expect(odd.retryAfter(now: 0) == nil)
    }

    @Test("URLs are parsed as browsers do")
    func urls() throws {
        let url = try RequestURL("HTTP://user:pa%20ss@Example.org:8080/a b?c=d#e")
        #expect(url.string == "http://Example.org:8080/a%20b?c=d")
        #expect(url.port == 8_080)
        #expect(url.host == "example.org")
        #expect(url.credentials == Credentials(user: "user", password: "pa ss"))
        #expect(try url.resolving("//other/x").string == "http://other/x")
        #expect(try url.resolving("../z?q").string == "http://Example.org:8080/z?q")
        #expect(try url.resolving("/z").credentials == nil)
        // What cannot be parsed loses too much rather than too little.
        #expect(Redaction.redact("http://a:b@c:x/d") == "http://c:x/d")
        #expect(Redaction.redact("http://a:b@c:x/d@e") == "http://e")
        #expect(Redaction.redact("http://c/d@e") == "http://c/d@e")
        let odd = try #require(URL(string: "http://a:b@c:8080/d@e?f=g:h@i"))
        #expect(Redaction.redact(odd) == "http://c:8080/d@e?f=g:h@i")
    }

    @Test(
        "A user or password with a control character is refused",
        arguments: ["a%0D%0AX:%201@h", "a:%00@h", "a:b%7F@h"]
    )
    func controlCharacters(authority: String) {
        #expect(throws: RequestURL.Problem.malformed) { try RequestURL("http://\(authority)/") }
    }

    /// Escapes stay escapes, beside characters that are not escaped.
    @Test("Partly encoded URLs are completed")
    func halfEncodedURLs() throws {
        let url = try RequestURL("http://u:p%40 x@h/My%20Show/\u{E9}pisode 1.mp3?sig=a%2Fb&t=[x]&p=100%#a#b")
        #expect(url.string == "http://h/My%20Show/%C3%A9pisode%201.mp3?sig=a%2Fb&t=%5Bx%5D&p=100%25")
        #expect(url.credentials == Credentials(user: "u", password: "p@ x"))
        #expect(try url.resolving("/a b%2Fc").string == "http://h/a%20b%2Fc")
        #expect(try url.resolving("d%20e|f?x y%3D").string == "http://h/My%20Show/d%20e%7Cf?x%20y%3D")
        #expect(try url.resolving("//[::1]:80/%e9 ").string == "http://[::1]:80/%e9%20")
        #expect(PercentEncoding.completed("a/b?c#d#e%4") == "a/b?c#d%23e%254")
        #expect(PercentEncoding.completed("http://\u{FC}.org/\u{FC}") == "http://\u{FC}.org/%C3%BC")
    }

    @Test("The proxy is chosen by scheme, and loopback has none")
    func proxies() throws {
        func proxy(_ url: String, _ environment: [String: String]) throws -> String {
            ProxyEnvironment(environment: environment).proxy(for: try RequestURL(url)).url
        }
        #expect(try proxy("http://a.org/", ["http_proxy": "http://p:3128", "all_proxy": "q"]) == "http://p:3128")
        #expect(try proxy("https://a.org/", ["http_proxy": "p:1"]) == "")
        #expect(try proxy("https://a.org/", ["HTTPS_PROXY": "p:1"]) == "p:1")
        #expect(try proxy("http://a.org/", ["HTTP_PROXY": "p:1"]) == "")
        #expect(try proxy("http://a.org/", ["all_proxy": "socks5://p"]) == "socks5://p")
        for loopback in ["127.0.0.1:5", "127.1.2.3", "localhost", "a.localhost", "[::1]:5"] {
            #expect(try proxy("http://\(loopback)/", ["http_proxy": "p:1"]) == "", "\(loopback)")
        }
    }

    @Test("The host for messages is that of the proxy, or of the URL")
    func firstHosts() throws {
        func host(_ proxy: String) throws -> String {
            ProxyEnvironment(environment: ["http_proxy": proxy]).firstHost(for: try RequestURL("http://a.org/"))
        }
        for proxy in ["http://u:v@p:1", "p:1", "p", "socks5h://p"] { #expect(try host(proxy) == "p", "\(proxy)") }
        #expect(try host("http://u:v@[FD00::2]:8905") == "fd00::2")
        #expect(try host("") == "a.org")
    }

    @Test("Versions of a resource are compared by their validators")
    func entities() {
        func entity(_ length: Int64?, _ etag: String?, _ date: String?) -> ResourceVersion {
            var fields: [(name: String, value: String)] = []
            if let etag { fields.append(("ETag", etag)) }
            if let date { fields.append(("Last-Modified", date)) }
            return ResourceVersion(ResponseHead(status: 200, fields: fields), length: length)
        }
        #expect(entity(1, "\"a\"", "x").rangeValidator == "\"a\"")
        #expect(entity(1, "W/\"a\"", "x").rangeValidator == nil)
        #expect(entity(1, nil, "x").rangeValidator == "x")
        for isVouchedFor in [true, false] {
            func differs(_ one: ResourceVersion, _ other: ResourceVersion) -> Bool {
                one.differs(from: other, isVouchedFor: isVouchedFor)
            }
            #expect(!differs(entity(1, "\"a\"", "x"), entity(nil, "W/\"a\"", "y")))
            #expect(differs(entity(1, "\"a\"", "x"), entity(2, "\"a\"", "x")))
            #expect(differs(entity(1, nil, "x"), entity(1, "\"a\"", "y")))
            #expect(differs(entity(1, "\"a\"", "x"), entity(1, nil, "y")))
            #expect(!differs(entity(1, nil, "x"), entity(1, "\"a\"", "x")))
            #expect(!differs(entity(1, "W/\"a\"", "x"), entity(1, nil, "x")))
            #expect(!differs(entity(1, nil, nil), entity(1, "\"a\"", "x")))
            // Nothing says that it is the same.
            #expect(differs(entity(1, "\"a\"", nil), entity(1, nil, nil)))
            #expect(differs(entity(1, "\"a\"", nil), entity(1, nil, "x")))
            #expect(differs(entity(1, "\"a\"", "x"), entity(1, nil, "x")) != isVouchedFor)
            #expect(differs(entity(1, "W/\"a\"", nil), entity(1, nil, nil)))
            #expect(differs(entity(1, nil, "x"), entity(1, "\"a\"", nil)))
            #expect(differs(entity(1, nil, "x"), entity(1, nil, nil)) != isVouchedFor)
        }
        #expect(!entity(nil, nil, nil).canBeRecognised)
    }
}
