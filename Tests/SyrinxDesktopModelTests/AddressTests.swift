import Foundation
import SyrinxListening
import Testing

@testable import SyrinxDesktopModel

@Suite struct AddressTests {
    private func failure(_ code: String) -> PageState.Failure { PageState.Failure(code: code, message: code) }

    @Test(arguments: ["radio.example/live", "localhost:8000", "10.0.0.1:80/a.mp3", "radio.example", "[::1]:8000/a"])
    func `An address without a scheme is tried with https, then with http`(text: String) throws {
        var attempt = try #require(AddressAttempt(typed: " \(text)\n"))
        #expect(attempt.input == ListeningInput(location: "https://\(text)"))
        let plain = try #require(ListeningInput(location: "http://\(text)"))
        #expect(attempt.failed(failure("network.refused")) == .again(plain))
        #expect(attempt.input == plain)
        #expect(attempt.failed(failure("network.timeout")) == .fail(failure("network.refused")), "not without end")
    }

    @Test func `The reason of the server that answers is told`() throws {
        var attempt = try #require(AddressAttempt(typed: "radio.example/live"))
        _ = attempt.failed(failure("network.tls"))
        #expect(attempt.failed(failure("http.404")) == .fail(failure("http.404")))
        attempt = try #require(AddressAttempt(typed: "radio.example/live"))
        #expect(
            attempt.failed(failure("http.404")) == .fail(failure("http.404")),
            "a server that answers is not asked by http"
        )
    }

    @Test func `A server that wants a password is given one`() throws {
        var attempt = try #require(AddressAttempt(typed: "https://radio.example/live"))
        #expect(attempt.failed(failure("http.401")) == .askPassword)
        #expect(attempt.failed(failure("network.refused")) == .fail(failure("network.refused")))
    }

    @Test func `A password is not sent by http for want of a scheme`() throws {
        var attempt = try #require(AddressAttempt(typed: "me:secret@radio.example/live"))
        #expect(attempt.input.isWeb)
        #expect(attempt.failed(failure("network.refused")) == .fail(failure("network.refused")))
    }

    @Test(arguments: ["", "  ", "not an address", "song.mp3 and more", "ftp://host/a.mp3", "word", "mailto:me@host"])
    func `Words are no address`(text: String) { #expect(AddressAttempt(typed: text) == nil) }

    @Test func `A path is one`() throws {
        let attempt = try #require(AddressAttempt(typed: "/music/a.mp3"))
        #expect(!attempt.input.isWeb)
    }

    @Test func `A login is for its server only, and is not kept`() throws {
        func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
        var logins = SessionLogins()
        logins.keep("me", "se:cret", of: try url("https://Radio.example/a?x=1"))
        let with = logins.added(to: try url("https://radio.example:443/b"))
        #expect(with.user() == "me" && with.password(percentEncoded: false) == "se:cret")
        #expect(logins.removed(from: with) == URL(string: "https://radio.example:443/b"))
        for other in [
            "http://radio.example/b", "https://radio.example:8443/b", "https://example/b", "https://you@radio.example/",
        ] {
            let url = try url(other)
            #expect(logins.added(to: url) == url)
        }
        let own = try url("https://me:other@radio.example/b")
        #expect(logins.removed(from: own) == own, "one of the address stays")
        let (secure, plain) = (try url("https://radio.example/"), try url("http://radio.example/"))
        #expect(logins.knows(secure) && !logins.knows(plain))
        for number in 1...500 { logins.keep("me", "1", of: try url("https://h\(number).example/")) }
        let last = try url("https://h500.example/")
        #expect(logins.knows(last))
    }
}
