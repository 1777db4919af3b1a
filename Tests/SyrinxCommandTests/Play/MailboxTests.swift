import Foundation
import Testing

@testable import syrinx

@Suite("The mailbox of a player") struct MailboxTests {
    @Test("Messages come in the order in which they were added, whether they wake or not")
    func order() {
        let mailbox = Mailbox<Int>()
        mailbox.post(1)
        mailbox.post(2, wakes: false)
        mailbox.post(3)
        let soon = Date(timeIntervalSinceNow: 60)
        #expect((0..<3).map { _ in mailbox.next(until: soon) } == [1, 2, 3])
        #expect(mailbox.next(until: Date()) == nil)
    }

    @Test("A message that does not wake is taken at the deadline, or with one that does")
    func quiet() {
        let mailbox = Mailbox<Int>()
        let deadline = Date(timeIntervalSinceNow: 0.3)
        Thread.detachNewThread {
            usleep(50_000)
            mailbox.post(1, wakes: false)
        }
        #expect(mailbox.next(until: deadline) == 1)
        #expect(Date() >= deadline)
        Thread.detachNewThread {
            usleep(50_000)
            mailbox.post(2, wakes: false)
            mailbox.post(3)
        }
        let late = Date(timeIntervalSinceNow: 600)
        #expect([mailbox.next(until: late), mailbox.next(until: late)] == [2, 3])
    }
}
