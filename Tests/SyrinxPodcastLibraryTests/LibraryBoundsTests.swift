import Foundation
import GRDB
import Synchronization
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

/// The bounds of time and memory for feeds, lists, servers and downloads.
@Suite("Bounds of the library") struct LibraryBoundsTests {
    // MARK: Texts

    private static let signs = [
        "<a", "<a b=\"", "<a\" b=\"", "<a b='<a b=\"", "</a", "&a", "<!", "<![CDATA[", "<x y=\"<\" ", "<!--",
        "<script>",
        "<style></style", "<b></p ",
    ]

    @Test("A feed full of signs that begin nothing is read in time proportional to its length", arguments: signs)
    func signsInFeeds(sign: String) throws {
        // Both sizes exceed the longest tag, 64 KiB: up to there the whole text may be one.
        let growth = try Growth(from: 200_000) { count in
            let text = rss("<item><title>1</title>" + String(repeating: sign, count: count / sign.utf8.count))
            _ = try parse(text)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Small pieces of a feed are not looked through again at each piece")
    func smallPieces() throws {
        let growth = try Growth(from: 20_000, attempts: 3) { count in
            let feed = try parse(rss("<x \(String(repeating: "a", count: count))/>" + item(1)), pieces: 1)
            #expect(feed.episodes.count == 1)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Notes full of signs that begin nothing are read in time proportional to their length", arguments: signs)
    func signsInNotes(sign: String) {
        let growth = Growth(from: 40_000) { count in
            _ = HTMLText.plain(String(repeating: sign, count: count / sign.utf8.count))
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("A tag of notes ends within 8 KiB: a sign that is farther away from the end is text")
    func signsBeforeTags() {
        #expect(HTMLText.plain("a <b and c<p>d</p> <e") == "a d\n\n<e")
        // The end lies at 20,000: the sign at 11,810 is the first one that is near enough.
        let many = String(repeating: "<b", count: 10_000)
        #expect(HTMLText.plain(many + ">d") == String(repeating: "<b", count: 5_905) + "d")
    }

    @Test("A list of podcasts full of signs that begin nothing is read in time proportional to its length")
    func signsInLists() {
        let growth = Growth(from: 40_000) { count in
            let text = "<opml><body>" + String(repeating: "<a", count: count / 2)
            let error = #expect(throws: PodcastError.self) { try OPML.entries(in: Data(text.utf8), name: "list") }
            #expect(error?.code == .opmlTruncated)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(
        "A feed and a list of podcasts are read in time and memory proportional to their lengths",
        arguments: ["rss", "atom", "opml"]
    )
    func documents(kind: String) throws {
        let growth = try Growth(from: 500, attempts: 3) { count in
            let numbers = 0..<count
            let found: Int
            switch kind {
            case "rss":
                let chapters = "<psc:chapters><psc:chapter start=\"0\" title=\"One\"/></psc:chapters>"
                let more = "<description>&lt;p&gt;Notes &amp;amp; more&lt;/p&gt;</description>\(chapters)"
                let items = numbers.map {
                    "<item><title>T</title><guid>\($0)</guid><enclosure url=\"https://h.example/\($0).mp3\"/>\(more)</item>"
                }
                found = try parse(rss(items.joined())).episodes.count
            case "atom":
                let entries = numbers.map {
                    "<entry><id>\($0)</id><title>T</title><link rel=\"enclosure\" href=\"https://h.example/\($0).mp3\"/></entry>"
                }
                let text = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>\(entries.joined())</feed>"
                found = try parse(text).episodes.count
            default:
                let outlines = numbers.map { "<outline type=\"rss\" text=\"T\" xmlUrl=\"https://h.example/\($0)\"/>" }
                let text = "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>"
                found = try OPML.entries(in: Data(text.utf8), name: "list").count
            }
            #expect(found == count)
        }
        #expect(growth.isLinear, "\(kind): \(growth)")
    }

    @Test("The answers of a server are merged in time and memory proportional to their length")
    func answers() throws {
        let growth = try Growth(from: 1_000) { count in
            let actions = (0..<count).map {
                """
                {"podcast":"https://h.example/\($0 % 20)","episode":"https://h.example/\($0).mp3","action":"play",\
                "timestamp":"2024-01-02T03:04:05","started":0,"position":12,"total":60}
                """
            }
            let text = "{\"actions\":[\(actions.joined(separator: ","))],\"timestamp\":1700000000}"
            let decoded = try JSONDecoder().decode(SyncMessages.Actions.self, from: Data(text.utf8))
            let positions = SyncMessages.positions(decoded.actions ?? [])
            let merged = SyncMerge.actions(local: positions, remote: positions)
            #expect(positions.count == count && merged.applied.isEmpty)
            let urls = Set((0..<count).map { "https://h.example/\($0)" })
            let lists = SyncMerge(present: urls, added: urls, removed: [], remote: (Array(urls), Array(urls)))
            #expect(lists.subscribed.isEmpty)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    // MARK: Episodes

    @Test("Episodes that share a recording are taken in time proportional to their number")
    func sharedRecording() throws {
        let growth = try Growth(from: 400, attempts: 3) { count in
            let rig = try LibraryRig()
            try rig.library.database.write { database in
                let (id, _) = try rig.library.insert("https://host.example/a", title: "A show", now: 1, database)
                let episodes = (0..<count).map { number in
                    var episode = feedEpisode(number)
                    episode.mediaURL = "https://host.example/same.mp3"
                    return episode
                }
                let writer = EpisodeWriter(podcastID: id, now: 1)
                #expect(try writer.write(episodes, database).added == count)
                try writer.finish(isComplete: true, database)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Of episodes that a feed has no more, the newest stay, and those that somebody has touched")
    func identitiesThatChangeEachTime() throws {
        let rig = try LibraryRig()
        var limits = FeedLimits()
        (limits.unlisted, limits.episodes) = (10, 30)
        func refresh(_ round: Int, isComplete: Bool = true) throws {
            try rig.library.database.write { database in
                let (id, _) = try rig.library.insert("https://host.example/a", title: "A show", now: 1, database)
                let writer = EpisodeWriter(podcastID: id, now: Double(round))
                let episodes = (0..<20).map { number in
                    var episode = feedEpisode(round * 100 + number)
                    episode.mediaURL = "https://host.example/\(round)-\(number).mp3"
                    return episode
                }
                _ = try writer.write(episodes, database)
                try writer.finish(isComplete: isComplete, limits: limits, database)
            }
        }
        try refresh(0)
        let first = try rig.library.episodes().map(\.id)
        try rig.library.setPosition(5, of: first[0])
        try rig.library.setPlayed(true, first[1])
        try rig.library.enqueue([first[2]])
        for round in 1..<6 { try refresh(round) }
        let episodes = try rig.library.episodes()
        #expect(episodes.filter(\.isListed).count == 20 && episodes.count == 20 + 10 + 3)
        #expect(Set(first[...2]).isSubset(of: episodes.map(\.id)))
        // The newest of the others.
        #expect(episodes.filter { !$0.isListed }.prefix(10).allSatisfy { $0.identity >= "guid-410" })
        #expect(try rig.library.search("Episode").count == 33)
        // A feed that breaks off each time is bounded, too.
        for round in 6..<12 { try refresh(round, isComplete: false) }
        #expect(try rig.library.episodes().count <= 20 + 10 + 30 + 3)
    }

    // MARK: The queue, and other devices

    @Test("An episode enters the queue at either end with as few changes, however long the queue is")
    func enqueueing() throws {
        let rig = try LibraryRig()
        _ = try fill(rig.library, episodes: 400)
        let ids = try rig.library.episodes().map(\.id)
        func changes(_ id: Episode.ID, _ place: PodcastLibrary.QueuePlace) throws -> Int {
            let before = try rig.library.database.write { $0.totalChangesCount }
            try rig.library.enqueue([id], at: place)
            return try rig.library.database.write { $0.totalChangesCount } - before
        }
        for id in ids[..<100] { #expect(try changes(id, .last) <= 2) }
        for id in ids[100..<200] { #expect(try changes(id, .first) <= 2) }
        #expect(try rig.library.queue().map(\.id) == ids[100..<200].reversed() + ids[..<100])
    }

    @Test("Feeds that another device has removed are removed here without a list of all podcasts for each")
    func removedFeeds() async throws {
        let directory = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        let lists = Mutex(0)
        let path = FilePath(directory.file("library.sqlite"))
        let database = try LibraryDatabase(path: path) { database in
            database.trace { event in
                if "\(event)".contains("episodeCount") { lists.withLock { $0 += 1 } }
            }
        }
        let library = PodcastLibrary(database, path: path, options: quickOptions())
        let urls = (0..<50).map { "https://host.example/\($0)" }
        for url in urls { _ = try fill(library, podcast: url, episodes: 1) }
        let app = "/index.php/apps/gpoddersync/"
        let removed = urls.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = "{\"add\":[],\"remove\":[\(removed)],\"timestamp\":77}"
        server.route(app + "subscriptions", .file([UInt8](answer.utf8), type: "application/json").withoutRanges())
        let actions = #"{"actions":[],"timestamp":88}"#
        server.route(app + "episode_action", .file([UInt8](actions.utf8), type: "application/json").withoutRanges())
        let sync = SyncServer(.nextcloud, url: server.url(""), user: "me", password: "secret")
        try library.database.write {
            try $0.execute(sql: "INSERT INTO syncState (server, sentAt) VALUES (?, 2)", arguments: [sync.name])
        }
        let result = try await library.synchronize(with: sync)
        #expect(result.unsubscribedCount == 50 && lists.withLock { $0 } == 0)
        #expect(try library.podcasts().isEmpty)
    }

    // MARK: Downloads

    /// A library with an episode of 300,000 bytes, of which its feed states 1,001.
    private func rig(_ change: (inout PodcastLibrary.Options) -> Void = { _ in }) async throws -> (LibraryRig, Episode)
    {
        let rig = try LibraryRig(change)
        rig.server.route("/1.mp3", .file([UInt8](repeating: 7, count: 300_000), type: "audio/mpeg"))
        let text = item(1).replacingOccurrences(of: "https://host.example/1.mp3", with: rig.server.url("/1.mp3"))
        rig.serve("/feed.xml", rss(text))
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        return (rig, try rig.library.episodes(of: podcast.id)[0])
    }

    private func files(_ rig: LibraryRig, _ episode: Episode) -> [String] {
        let folder = rig.directory.file("Downloads/\(episode.podcastID)")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    @Test(
        "A recording that is larger than may be downloaded is refused, whatever its feed states",
        arguments: [true, false]
    )
    func largeRecordings(statesLength: Bool) async throws {
        let (rig, episode) = try await rig { $0.maximumRecordingSize = 200_000 }
        let response = ScriptedResponse.file([UInt8](repeating: 7, count: 300_000), type: "audio/mpeg")
        rig.server.route("/1.mp3", statesLength ? response : response.withoutRanges().withoutLength())
        let error = await #expect(throws: PodcastError.self) { try await rig.library.fetch(episode.id) }
        #expect(error?.code.rawValue == "media.recordingTooLarge")
        #expect(try rig.library.download(of: episode.id)?.state == .failed && files(rig, episode).isEmpty)
    }

    @Test("The size that a rule allows holds for what the server sends, and is known the next time")
    func sizesOfRules() async throws {
        let (rig, episode) = try await rig()
        try rig.library.setDownloadRule(DownloadRule(byteLimit: 200_000), for: episode.podcastID)
        #expect(try rig.library.downloadPlan().fetched == [episode.id])
        let codes = Mutex<[String]>([])
        try await rig.library.applyDownloadRules { _, result in
            if case .failure(let error) = result { codes.withLock { $0.append(error.code.rawValue) } }
        }
        #expect(codes.withLock { $0 } == ["media.recordingTooLarge"] && files(rig, episode).isEmpty)
        #expect(try rig.library.downloadPlan().fetched.isEmpty)
        // Somebody who asks for it gets it.
        #expect(try await rig.library.fetch(episode.id).byteCount == 300_000)
    }

    @Test("A download that would leave too little space on the disk is not begun")
    func space() async throws {
        let (rig, episode) = try await rig { $0.reservedDiskSpace = .max }
        let error = await #expect(throws: PodcastError.self) { try await rig.library.fetch(episode.id) }
        #expect(error?.code == .diskFull && error?.message.contains("stay free") == true)
    }

    // MARK: Compression

    @Test("A compressed feed that expands too far is cut, or refused by a sentence that says so")
    func compressedFeeds() async throws {
        let rig = try LibraryRig()
        let script = "(printf '<rss><channel><title>'; head -c 200000000 /dev/zero) | gzip -9 | gzip -9"
        let bomb = [UInt8](try runProcess("sh", ["-c", script]).stdout)
        let response = ScriptedResponse.file(bomb, type: "text/xml").withoutRanges()
        rig.server.route("/bomb.xml", response.header("Content-Encoding", "gzip, gzip"))
        do throws(PodcastError) {
            let podcast = try await rig.library.subscribe(to: rig.server.url("/bomb.xml"))
            #expect(podcast.failure?.code == .feedTooLarge)
        } catch {
            #expect(error.code == .badResponse, "\(error)")
        }
    }
}
