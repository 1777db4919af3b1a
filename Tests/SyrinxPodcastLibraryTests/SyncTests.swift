import Foundation
import GRDB
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Synchronisation") struct SyncTests {
    @Test("Of subscriptions changed on both sides, a change made here wins, and what both did needs nothing")
    func subscriptionsMerge() {
        let merge = SyncMerge(
            present: ["old", "mine", "both", "kept"],
            added: ["mine", "both", "kept"],
            removed: ["gone", "bothGone", "back"],
            remote: (
                added: ["theirs", "theirs", "both", "gone", "old"], removed: ["old", "kept", "bothGone", "unknown"]
            )
        )
        #expect(merge.subscribed == ["theirs"] && merge.unsubscribed == [])
        #expect(merge.sentAdditions == ["kept", "mine"] && merge.sentRemovals == ["back", "gone"])
        let plain = SyncMerge(present: ["old"], added: [], removed: [], remote: ([], ["old"]))
        #expect(plain.unsubscribed == ["old"] && plain.sentRemovals.isEmpty)
    }

    @Test("Of positions the latest counts, on each side and between them")
    func positionsMerge() {
        func action(_ episode: String, _ position: Double, _ time: Double) -> SyncAction {
            SyncAction(
                podcast: "p",
                episode: episode,
                guid: nil,
                position: position,
                total: nil,
                isPlayed: false,
                time: time
            )
        }
        let merge = SyncMerge.actions(
            local: [action("a", 1, 10), action("b", 2, 20), action("same", 3, 30)],
            remote: [
                action("a", 7, 5), action("a", 8, 15), action("b", 9, 15), action("c", 4, 1), action("same", 3, 30),
            ]
        )
        #expect(merge.applied == [action("c", 4, 1), action("a", 8, 15)])
        #expect(merge.sent == [action("b", 2, 20)])
    }

    private func body(_ request: ScriptedRequest?) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(request?.body ?? []))
    }

    private func json(_ text: String) -> ScriptedResponse {
        .file([UInt8](text.utf8), type: "application/json").withoutRanges()
    }

    @Test("Nextcloud's app gets and gives subscriptions and positions; the next time only what is new")
    func nextcloud() async throws {
        let rig = try LibraryRig()
        let podcast = try fill(rig.library, podcast: "https://host.example/a", episodes: 3)
        try rig.library.database.write { try $0.execute(sql: "UPDATE podcast SET addedAt = 1000") }
        let episodes = try rig.library.episodes(of: podcast)
        try rig.library.setPosition(33, of: episodes[0].id, at: Date(timeIntervalSince1970: 1_700_000_000))
        let app = "/index.php/apps/gpoddersync/"
        rig.server.route(
            app + "subscriptions",
            json(#"{"add":["https://host.example/new"],"remove":[],"timestamp":77}"#)
        )
        rig.server.route(app + "subscription_change/create", json("{}"))
        rig.server.route(
            app + "episode_action",
            json(
                """
                {"actions":[
                {"podcast":"https://host.example/a","episode":"https://host.example/1.mp3","action":"PLAY","position":120,"started":0,
                 "total":600,"timestamp":"2023-01-02T03:04:05"},
                {"podcast":"x","episode":"https://other.example/0.mp3","guid":"guid-0","action":"play","position":599,"total":600,
                 "timestamp":"2023-01-02T03:04:05"},
                {"podcast":"x","episode":"y","action":"download"},
                {"podcast":"x","episode":"y","action":"play","position":9223372036854775807,"timestamp":"never"}],"timestamp":88}
                """
            )
        )
        rig.server.route(app + "episode_action/create", json("{}"))
        let server = SyncServer(.nextcloud, url: rig.server.url("/"), user: "me", password: "pass")
        let result = try await rig.library.synchronize(with: server)
        #expect(result.subscribedCount == 1 && result.receivedCount == 1 && result.sentCount == 2)
        #expect(try rig.library.episode(episodes[1].id).position == 120)
        #expect(
            Set(try rig.library.podcasts().map(\.feedURL)) == ["https://host.example/a", "https://host.example/new"]
        )
        let sent = try body(rig.server.requests(app + "episode_action/create").last) as? [[String: Any]]
        #expect(
            sent?.count == 1 && sent?[0]["position"] as? Int == 33
                && sent?[0]["timestamp"] as? String == "2023-11-14T22:13:20"
        )
        let changes = try body(rig.server.requests(app + "subscription_change/create").last) as? [String: [String]]
        #expect(changes == ["add": ["https://host.example/a"], "remove": []])
        #expect(rig.server.requests.allSatisfy { $0.headers["authorization"] == "Basic bWU6cGFzcw==" })

        rig.server.route(
            app + "subscriptions",
            json(#"{"add":[],"remove":["https://host.example/new"],"timestamp":99}"#)
        )
        rig.server.route(app + "episode_action", json(#"{"actions":[],"timestamp":99}"#))
        let before = rig.server.requests.count
        let second = try await rig.library.synchronize(with: server)
        #expect(second.unsubscribedCount == 1 && second.sentCount == 0)
        #expect(
            rig.server.requests[before...].map(\.path) == [
                app + "subscriptions?since=77", app + "episode_action?since=88",
            ]
        )
    }

    @Test("gpodder.net's interface has its own addresses, and a device")
    func gpodder() async throws {
        let rig = try LibraryRig()
        _ = try fill(rig.library, episodes: 1)
        try rig.library.setPlayed(true, rig.library.episodes()[0].id)
        rig.server.route("/api/2/subscriptions/a%20b/syrinx.json", json(#"{"add":[],"remove":[],"timestamp":1}"#))
        rig.server.route("/api/2/episodes/a%20b.json", json(#"{"actions":[],"timestamp":1}"#))
        let server = SyncServer(.gpodder, url: rig.server.url(""), user: "a b", password: "pass")
        #expect(try await rig.library.synchronize(with: server).sentCount >= 1)
        let post = rig.server.requests.last { $0.method == "POST" }
        let sent = try body(post) as? [[String: Any]]
        #expect(sent?[0]["device"] as? String == "syrinx" && sent?[0]["position"] as? Int == 600)
    }

    @Test("A server that refuses, or answers something else, changes nothing here")
    func refusals() async throws {
        let rig = try LibraryRig()
        let server = SyncServer(.nextcloud, url: rig.server.url(""), user: "me", password: "wrong")
        let subscriptions = "/index.php/apps/gpoddersync/subscriptions"
        rig.server.route(subscriptions, .status(401))
        let refused = await #expect(throws: PodcastError.self) { try await rig.library.synchronize(with: server) }
        #expect(refused?.code.rawValue == "http.401")
        rig.server.route(subscriptions, json("<html>"))
        let other = await #expect(throws: PodcastError.self) { try await rig.library.synchronize(with: server) }
        #expect(other?.code == .syncInvalid)
    }
}
