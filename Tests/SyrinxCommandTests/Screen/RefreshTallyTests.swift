import Testing

@testable import syrinx

@Suite("Refreshes on the full screen") struct RefreshTallyTests {
    @Test("The results of a wish are told once, when its last refresh has ended")
    func told() {
        #expect(RefreshTally(count: 1).note(added: 0) == "Refreshed: no new episodes.")
        #expect(RefreshTally(count: 1).note(added: 1) == "Refreshed: 1 new episode.")
        // The failure has a message already.
        #expect(RefreshTally(count: 1).note(added: nil) == nil)
        let tally = RefreshTally(count: 3)
        #expect(tally.note(added: 2) == nil && tally.note(added: nil) == nil)
        #expect(tally.note(added: 5) == "3 podcasts refreshed: 7 new episodes, 1 failed.")
    }
}
