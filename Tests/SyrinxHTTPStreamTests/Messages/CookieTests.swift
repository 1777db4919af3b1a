import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

@Suite("Cookies") struct CookieTests {
    private let server: ScriptedHTTPServer
    private let bytes = patternedBytes(50_000)

    init() throws { server = try ScriptedHTTPServer() }

    /// Opens `path` on a host of this server under a name of its own, with the cookies of `jar`, and reads it.
    private func visit(_ path: String, host: String = "127-0-0-1.addresses.test", _ jar: CookieJar) throws {
        let url = "http://\(host):\(server.port)\(path)"
        _ = try readAll(try HTTPByteStream(url: url, options: quickOptions { $0.cookies = jar }))
    }

    private var lastCookie: String? { server.requests.last?.headers["cookie"] }

    /// A server that sets a cookie and sends the caller back to the same place, to see it.
    @Test("A cookie that a redirect sets is sent with later requests of that stream only")
    func aServerThatLooksForItsCookie() throws {
        let bytes = bytes
        server.route("/a") { request, _ in
            request.headers["cookie"]?.contains("id=7") == true
                ? .file(bytes) : .redirect(to: "/a").header("Set-Cookie", "id=7; Path=/")
        }
        let options = quickOptions { $0.headers = [("Cookie", "own=1")] }
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        let isRight = try isSame(readAll(stream), bytes)
        #expect(isRight)
        let sent = server.requests.map { $0.headers["cookie"].map { Set($0.components(separatedBy: "; ")) } }
        #expect(sent == [["own=1"], ["id=7", "own=1"]])
        // Another stream is another visitor.
        let other = try HTTPByteStream(url: server.url("/a"), options: options)
        _ = try readAll(other)
        #expect(server.requests.count == 4)
    }

    @Test("Streams that share a jar share cookies, by host and path")
    func aJarIsShared() throws {
        let file = ScriptedResponse.file(bytes)
        server.route("/x/master", file.header("Set-Cookie", "a=1").header("Set-Cookie", "b=2; Path=/"))
        for path in ["/x/segment", "/other"] { server.route(path, file) }
        let jar = CookieJar()
        try visit("/x/master", jar)
        try visit("/x/segment", jar)
        #expect(lastCookie == "a=1; b=2")
        try visit("/other", jar)
        #expect(lastCookie == "b=2")
        try visit("/x/segment", host: "127-0-0-1.127-0-0-1.addresses.test", jar)
        #expect(lastCookie == nil)
        try visit("/x/segment", CookieJar())
        #expect(lastCookie == nil)
    }

    /// libcurl knows from the public suffix list that anyone may have a name below `co.uk`.
    @Test(
        "A cookie is not set for a public suffix, another host, or by plain HTTP for HTTPS",
        arguments: [
            "s=1; Domain=test", "s=1; Domain=example.org", "s=1; Secure", "s=1; Max-Age=0",
            "s=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT",
        ]
    )
    func refusedCookies(line: String) throws {
        server.route("/a", .file(bytes).header("Set-Cookie", line))
        let jar = CookieJar()
        try visit("/a", jar)
        try visit("/a", jar)
        #expect(lastCookie == nil)
    }

    @Test("A jar keeps at most 300 cookies")
    func theNumberIsBounded() throws {
        let file = ScriptedResponse.file(bytes)
        for page in 0..<12 {
            let cookies = (0..<40).map { "n\($0)=1; Path=/\(page)" }
            // Redirects and answers: a stream ends the transfer of a redirect before its body has arrived.
            let answer = page < 6 ? file : .redirect(to: "/\(page)/again")
            server.route("/\(page)", cookies.reduce(answer) { $0.header("Set-Cookie", $1) })
            server.route("/\(page)/again", file)
        }
        let jar = CookieJar()
        for page in 0..<12 { try visit("/\(page)", jar) }
        var count = 0
        for page in 0..<12 {
            try visit("/\(page)/again", jar)
            count += lastCookie?.components(separatedBy: "; ").count ?? 0
        }
        #expect(count == 300)
    }
}
