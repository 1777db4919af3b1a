import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Episodes that follow, and directories") struct PodcastFollowingTests {
    /// Subscribes to a show of three short episodes, whose newer ones follow, and returns the number of the oldest.
    private func subscribed(_ show: Show) throws -> Int {
        show.publish(["One", "Two", "Three"])
        #expect(try show.podcast("add", show.server.url("/feed.xml")).status == 0)
        #expect(try show.podcast("set", "The Show", "--autoplay", "newer").status == 0)
        return try #require(show.episodes()["One"]?["id"] as? Int)
    }

    private func titles(_ result: ProcessResult) -> [String] {
        result.objects.filter { $0["event"] as? String == "metadata" }.compactMap { $0["title"] as? String }
    }

    @Test("With --autoplay the next episode follows by the settings of the podcast, and without it none does")
    func autoplay() throws {
        let show = try Show(seconds: 2)
        let first = try subscribed(show)
        let play = ["podcast", "play", "--json", "--output", "null", "--no-mpris"]
        let alone = try runProcess(Syrinx.path, play + ["\(first)"], environment: show.environment)
        #expect(alone.status == 0 && titles(alone) == ["One"])
        #expect(try show.podcast("mark", "\(first)", "--unplayed").status == 0)
        let all = try runProcess(Syrinx.path, play + ["--autoplay", "\(first)"], environment: show.environment)
        #expect(all.status == 0 && titles(all) == ["One", "Two", "Three"])
        // All three count as played.
        #expect(try show.episodes().values.allSatisfy { $0["played"] as? Bool == true })
    }

    @Test("A search goes to the directory of config.toml, and without one nothing is sent")
    func directory() throws {
        let show = try Show(seconds: 1)
        let answer = #"[{"url":"https://a.example/feed","title":"A \u001b[31mshow","author":"Anna"}]"#
        show.server.route("/search.json", .file(Array(answer.utf8), type: "application/json").withoutRanges())
        let config = show.scratch.file("config")
        let environment = show.environment.merging(["XDG_CONFIG_HOME": config]) { $1 }
        let search = ["podcast", "search", "--directory", "history", "of", "rain"]
        let off = try runProcess(Syrinx.path, search, environment: environment)
        #expect(off.status == 64 && off.errors.contains("config.toml") && show.server.requests.isEmpty)
        try FileManager.default.createDirectory(atPath: config + "/syrinx", withIntermediateDirectories: true)
        let text = "[podcasts]\ndirectory = \"\(show.server.url("/search.json"))\"\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: config + "/syrinx/config.toml"))
        let found = try runProcess(Syrinx.path, search, environment: environment)
        #expect(found.status == 0 && found.output.hasPrefix("https://a.example/feed  A "))
        #expect(found.output.contains("(Anna)") && !found.output.contains("\u{1B}"))
        #expect(show.server.requests.map(\.path) == ["/search.json?q=history%20of%20rain"])
        let json = try runProcess(Syrinx.path, search + ["--json"], environment: environment)
        let object = try #require(json.objects.first)
        #expect(object["url"] as? String == "https://a.example/feed" && object["author"] as? String == "Anna")
        #expect(object.keys.sorted() == ["author", "summary", "title", "url", "website"])
    }
}
