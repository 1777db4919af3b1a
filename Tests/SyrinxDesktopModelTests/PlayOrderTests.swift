import SyrinxPlayback
import Testing

@testable import SyrinxDesktopModel

@Suite struct PlayOrderTests {
    private func order(_ repetition: PlayOrder.Repetition, sounded: Bool = true) -> PlayOrder {
        var order = PlayOrder()
        order.repetition = repetition
        if sounded { _ = order.sounded() }
        return order
    }

    @Test
    func
        `The button goes from off to one to all and back, with a name, an icon and a message for each`()
    {
        let modes = [PlayOrder.Repetition.none, .none.next, .none.next.next, .none.next.next.next]
        #expect(modes == [.none, .one, .all, .none])
        #expect(Set(modes.map(\.label)).count == 3 && Set(modes.map(\.message)).count == 3)
        #expect(PlayOrder.Repetition.all.icon == "media-playlist-repeat-symbolic")
        #expect(PlayOrder.Repetition.one.icon == "media-playlist-repeat-song-symbolic")
        var order = PlayOrder()
        let off = order.shuffleMessage
        order.isShuffled = true
        #expect(order.shuffleMessage != off)
    }

    @Test func `The listener goes beyond the ends of the queue only while all is repeated`() {
        for repetition in PlayOrder.Repetition.allCases {
            let order = order(repetition, sounded: false)
            let wraps = repetition == .all
            #expect(order.next(after: 0, count: 3) == 1 && order.previous(before: 2, count: 3) == 1)
            #expect(order.next(after: 2, count: 3) == (wraps ? 0 : nil))
            #expect(order.previous(before: 0, count: 3) == (wraps ? 2 : nil))
            // The only recording is no other one.
            #expect(order.next(after: 0, count: 1) == nil && order.previous(before: 0, count: 1) == nil)
            #expect(order.next(after: 0, count: 0) == nil && order.previous(before: 0, count: 0) == nil)
        }
    }

    @Test func `A recording that ends is followed by the next, the first, or itself`() {
        #expect(order(.none).end(of: 0, count: 2) == .go(to: 1))
        #expect(order(.none).end(of: 1, count: 2) == .stop)
        #expect(order(.all).end(of: 0, count: 2) == .go(to: 1))
        #expect(order(.all).end(of: 1, count: 2) == .go(to: 0))
        #expect(order(.all).end(of: 0, count: 1) == .again)
        #expect(order(.one).end(of: 0, count: 2) == .again)
        #expect(order(.one).end(of: 1, count: 2) == .again)
    }

    @Test func `A queue of which nothing is heard ends, whatever is repeated`() {
        for repetition in PlayOrder.Repetition.allCases {
            var order = order(repetition, sounded: false)
            var (index, steps) = (0, 0)
            order.began(index, after: nil)
            while let next = order.following(index, count: 3), steps < 100 {
                order.began(next, after: index)
                (index, steps) = (next, steps + 1)
            }
            #expect(steps == 2 && !order.mayRepeat)
            #expect(order.end(of: 2, count: 3) == .stop)
        }
    }

    @Test func `Damaged recordings are passed over in each round while one is heard`() {
        var order = order(.all, sounded: false)
        order.began(0, after: nil)
        for _ in 0..<3 {
            _ = order.sounded()
            for index in 1..<3 { order.began(index, after: index - 1) }
            #expect(order.following(2, count: 3) == 0 && order.mayRepeat)
            order.began(0, after: 2)
            #expect(!order.mayRepeat)
        }
        // The one that was heard is damaged now too.
        order.began(1, after: 0)
        order.began(2, after: 1)
        #expect(order.following(2, count: 3) == nil)
    }

    @Test func `A recording is repeated only if it is heard each time`() {
        var order = order(.one)
        #expect(order.mayRepeat)
        order.began(4, after: 4)
        #expect(!order.mayRepeat)
        #expect(order.sounded() == true)
        #expect(order.mayRepeat)
        #expect(order.sounded() == false)
        order.began(4, after: nil)
        #expect(order.end(of: 4, count: 5) == .stop)
        #expect(order.end(of: 3, count: 5) == .go(to: 4))
    }

    @Test func `What follows is announced anew when the first sound allows a repetition`() {
        var plain = order(.none, sounded: false)
        #expect(plain.sounded() == false)
        var all = order(.all, sounded: false)
        #expect(all.sounded() == true && all.sounded() == false)
        all.replaced()
        #expect(!all.mayRepeat)
        #expect(all.sounded() == true && all.mayRepeat)
    }

    @Test func `Episodes stay in the queue of the library while all is repeated`() {
        #expect(PlayOrder.Repetition.allCases.filter { order($0).keepsPlayed } == [.all])
    }
}
