import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

@Suite("Cookies") struct CookieTests {
    private func jar(_ lines: [String], from url: String = "http://a.b.org/x/y?z", now: Double = 0) throws -> CookieJar
    {
        var jar = CookieJar()
        let head = ResponseHead(status: 302, fields: lines.map { (name: "Set-Cookie", value: $0) })
        jar.take(head, from: try RequestURL(url), now: now)
        return jar
    }

    private func sent(_ jar: CookieJar, _ url: String, now: Double = 0) throws -> String? {
        jar.header(for: try RequestURL(url), now: now)
    }

    @Test("Cookies go to their hosts and paths")
    func hostsAndPaths() throws {
        let own = try jar(["s=1; HttpOnly", " t = \"2=3\" ; Path=/"])
        #expect(try sent(own, "http://a.b.org/x/z") == "s=1; t=\"2=3\"")
        #expect(try sent(own, "http://a.b.org:81/x") == "s=1; t=\"2=3\"")
        #expect(try sent(own, "https://A.B.org/xx") == "t=\"2=3\"")
        for other in ["http://b.org/x/y", "http://c.a.b.org/x/y", "http://xa.b.org/"] {
            #expect(try sent(own, other) == nil, "\(other)")
        }
        let shared = try jar(["s=1; Domain=.B.org; Path=/"])
        for url in ["http://b.org/", "http://c.b.org/q"] { #expect(try sent(shared, url) == "s=1") }
        #expect(try sent(shared, "http://xb.org/") == nil)
        for refused in ["s=1; Domain=c.org", "s=1; Domain=c.a.b.org", "s=1; Domain=org", "=1", "s", "", "s=\u{1}"] {
            #expect(try sent(try jar([refused]), "http://a.b.org/x/y") == nil, "\(refused)")
        }
        let address = try jar(["s=1; Domain=0.0.1"], from: "http://127.0.0.1/")
        #expect(try sent(address, "http://127.0.0.1/") == nil)
        #expect(try sent(try jar(["s=1"], from: "http://[::1]:8/"), "http://[::1]/") == "s=1")
    }

    @Test("Secure cookies are not sent over plain HTTP")
    func secretsStaySecret() throws {
        let secure = try jar(["s=1; Secure"], from: "https://h/")
        #expect(try sent(secure, "https://h/") == "s=1")
        #expect(try sent(secure, "http://h/") == nil)
        #expect(try sent(try jar(["s=1; Secure"], from: "http://h/"), "https://h/") == nil)
    }

    @Test("Cookies expire, and their number is bounded")
    func timeAndNumber() throws {
        // 784111777 is what `date -d` gives for that date.
        let lines = [
            "a=1; Max-Age=10; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "b=2; Expires=Sun, 06-Nov-1994 08:49:37 GMT",
        ]
        var jar = try jar(lines, from: "http://h/", now: 784_111_700)
        #expect(try sent(jar, "http://h/", now: 784_111_709) == "a=1; b=2")
        #expect(try sent(jar, "http://h/", now: 784_111_776) == "b=2")
        #expect(try sent(jar, "http://h/", now: 784_111_777) == nil)
        func take(_ line: String) throws {
            jar.take(
                ResponseHead(status: 200, fields: [("set-cookie", line)]),
                from: try RequestURL("http://h/"),
                now: 784_111_700
            )
        }
        try take("b=3")
        #expect(try sent(jar, "http://h/", now: 784_111_700) == "a=1; b=3")
        try take("a=; Max-Age=0")
        #expect(try sent(jar, "http://h/", now: 784_111_700) == "b=3")
        for number in 0..<60 { try take("n\(number)=\(number)") }
        let kept = try #require(try sent(jar, "http://h/", now: 784_111_700)).components(separatedBy: "; ")
        #expect(kept.count == 50)
        #expect(kept.first == "n10=10" && kept.last == "n59=59")
        try take("long=" + String(repeating: "x", count: 4_096))
        #expect(try sent(jar, "http://h/", now: 784_111_700)?.contains("long") == false)
    }

    /// A server that sets a cookie and sends the caller back to the same place, to see it.
    @Test("A cookie set by a redirect is sent on later requests of that stream only")
    func aServerThatLooksForItsCookie() throws {
        let server = try ScriptedHTTPServer()
        let bytes = patternedBytes(50_000)
        server.route("/a") { request, _ in
            request.headers["cookie"] == "own=1; id=7"
                ? .file(bytes) : .redirect(to: "/a").header("Set-Cookie", "id=7; Path=/")
        }
        let options = quickOptions { $0.headers = [("Cookie", "own=1")] }
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        let isRight = try isSame(readAll(stream), bytes)
        #expect(isRight)
        #expect(server.requests.map { $0.headers["cookie"] } == ["own=1", "own=1; id=7"])
        // Another stream is another visitor.
        let other = try HTTPByteStream(url: server.url("/a"), options: options)
        _ = try readAll(other)
        #expect(server.requests.count == 4)
    }
}
