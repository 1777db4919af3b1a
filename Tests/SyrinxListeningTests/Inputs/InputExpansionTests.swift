import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxTestSupport
import Testing

@Suite("Folders and playlists as inputs")
struct InputExpansionTests {
    private let scratch: ScratchDirectory
    private let expansion = InputExpansion(recursively: true)

    init() throws { scratch = try ScratchDirectory() }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.file(name)))
    }

    private func input(_ name: String) throws -> ListeningInput {
        try #require(ListeningInput(argument: scratch.file(name)))
    }

    private func names(_ inputs: [ListeningInput]) -> [String] { inputs.map { $0.title ?? $0.shortName } }

    @Test("A playlist on a web server names what lies beside it there", arguments: ["stations.pls", "stations.m3u"])
    func web(name: String) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let list =
            name.hasSuffix("pls")
            ? "[playlist]\nFile1=/one\nTitle1=Radio One\nFile2=file:///etc/passwd\n"
            : "#EXTM3U\n#EXTINF:-1,Radio One\n/one\nfile:///etc/passwd\n"
        server.route("/" + name, .file(Array(list.utf8), type: "text/plain"))
        let input = try #require(ListeningInput(argument: server.url("/" + name)))
        #expect(input.isList)
        let found = try expansion.expand(input)
        #expect(found.inputs.map(\.name) == [server.url("/one")] && names(found.inputs) == ["Radio One"])
        #expect(found.warning?.code.rawValue == "media.playlistEntry")
        // Another thread asks servers, when the turn of the list has come.
        #expect(expansion.expandLocal([input]).inputs == [input])
    }

    @Test("Folders and playlists on this machine are replaced by what they name, also in each other")
    func local() throws {
        try FileManager.default.createDirectory(atPath: scratch.file("album"), withIntermediateDirectories: true)
        try write("", to: "album/10.mp3")
        try write("", to: "album/9.mp3")
        try write("album\ninner.m3u\nhttp://127.0.0.1/list.pls\n", to: "outer.m3u")
        try write("#EXTM3U\n#EXTINF:3,Named\nx.mp3\nftp://no/a\n", to: "inner.m3u")
        try write("", to: "x.mp3")
        let found = expansion.expandLocal([try input("outer.m3u"), try input("x.mp3")])
        #expect(names(found.inputs) == ["9.mp3", "10.mp3", "Named", "list.pls", "x.mp3"])
        #expect(found.problems.map(\.code.rawValue) == ["media.playlistEntry"])
    }

    @Test("A playlist that leads back to itself, and one that names nothing, are problems")
    func loops() throws {
        try write("b.m3u\n", to: "a.m3u")
        try write("a.m3u\n", to: "b.m3u")
        try write("\n", to: "empty.pls")
        let found = expansion.expandLocal([try input("a.m3u"), try input("empty.pls"), try input("gone.m3u")])
        #expect(found.inputs.isEmpty)
        #expect(found.problems.map(\.code.rawValue) == ["media.unsupported", "media.empty", "file.notFound"])
    }

    @Test("Playlists that name further playlists without end are read to a depth", arguments: [true, false])
    func depth(isLocal: Bool) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        for number in 0..<9 {
            try write("\(number + 1).m3u\n", to: "\(number).m3u")
            server.route("/\(number).m3u", .file(Array("\(number + 1).m3u\n".utf8), type: "text/plain"))
        }
        var list = try isLocal ? input("0.m3u") : #require(ListeningInput(argument: server.url("/0.m3u")))
        for number in 1...4 {
            list = try #require(try expansion.expand(list).inputs.first)
            #expect(list.shortName == "\(number).m3u")
        }
        let error = #expect(throws: SyrinxError.self) { try expansion.expand(list) }
        #expect(error?.code.rawValue == "media.unsupported")
    }

    @Test("A list that names another one many times has it read a bounded number of times")
    func product() throws {
        try write(String(repeating: "b.m3u\n", count: 5_000), to: "a.m3u")
        try write("\n", to: "b.m3u")
        let found = expansion.expandLocal([try input("a.m3u")])
        #expect(found.problems.count == 100 && found.inputs.count == 4_900)
    }

    @Test("The index of an HTTP live stream is one input")
    func presentation() throws {
        try write("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n", to: "live.m3u8")
        let found = expansion.expandLocal([try input("live.m3u8")])
        #expect(found.inputs.map(\.shortName) == ["live.m3u8"] && found.problems.isEmpty)
    }
}
