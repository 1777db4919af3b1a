import Foundation
import Testing

@testable import SyrinxDesktopModel

@Suite struct QueueMoveTests {
    @Test func `A dragged row says whose it is`() {
        let row = DraggedRow(window: 2, row: 17)
        #expect(DraggedRow(row.text) == row && DraggedRow.isRow(row.text))
        #expect(DraggedRow(window: 1, row: 17).text != row.text)
        for text in ["", "syrinx-row:", "syrinx-row:3", "syrinx-row:1:2:3", "syrinx-row:a:b", "/syrinx-row:1:2"] {
            #expect(DraggedRow(text) == nil)
        }
        #expect(DraggedRow.isRow("syrinx-row:3") && !DraggedRow.isRow("/a.mp3"))
    }

    @Test func `Entries move to a gap and keep their order`() {
        let letters = ["a", "b", "c", "d", "e"]
        func moved(_ entries: Set<Int>, _ gap: Int) -> String {
            QueueMove(entries, to: gap, count: 5).order.map { letters[$0] }.joined()
        }
        #expect(moved([0], 5) == "bcdea" && moved([4], 0) == "eabcd")
        #expect(moved([1], 1) == "abcde" && moved([1], 2) == "abcde")
        #expect(moved([3, 1], 5) == "acebd" && moved([0, 4], 2) == "baecd")
        #expect(moved([0, 1, 2, 3, 4], 3) == "abcde" && moved([], 3) == "abcde" && moved([-1, 9], 0) == "abcde")
        #expect(moved([2], -99) == "cabde" && moved([2], 99) == "abdec")
        #expect(QueueMove([1, 3], to: 0, count: 5).moved == 0..<2)
    }

    @Test func `Every move is a permutation that keeps the moved together and the others in order`() {
        var chance = Chance(6)
        for _ in 0..<3000 {
            let count = chance.int(0...12)
            let entries = Set((0..<chance.int(0...6)).map { _ in chance.int(-2...14) })
            let move = QueueMove(entries, to: chance.int(-3...15), count: count)
            #expect(move.order.sorted() == Array(0..<count))
            #expect(Array(move.order[move.moved]) == entries.filter { (0..<count).contains($0) }.sorted())
            let others = move.order.filter { !entries.contains($0) }
            #expect(others == others.sorted())
        }
    }

    @Test func `Keys move entries by one, and no further than the ends`() {
        func order(_ entries: Set<Int>, down: Bool, count: Int = 4) -> [Int] {
            QueueMove(entries, down: down, count: count).order
        }
        #expect(order([1], down: true) == [0, 2, 1, 3] && order([1], down: false) == [1, 0, 2, 3])
        #expect(order([3], down: true) == [0, 1, 2, 3] && order([0], down: false) == [0, 1, 2, 3])
        #expect(order([1, 2], down: true) == [0, 3, 1, 2])
        #expect(QueueMove([0], down: true, count: 1).isIdentity && QueueMove([0], down: true, count: 0).order.isEmpty)
        #expect(QueueMove([.max], down: true, count: 4).isIdentity)
    }

    @Test func `A drop lands in the gap nearest to it`() {
        #expect(
            QueueMove.gap(atY: 24, rowHeight: 50, count: 3) == 0 && QueueMove.gap(atY: 26, rowHeight: 50, count: 3) == 1
        )
        #expect(QueueMove.gap(atY: 1e9, rowHeight: 50, count: 3) == 3)
        for number in hostileNumbers {
            #expect((0...3).contains(QueueMove.gap(atY: number, rowHeight: number, count: 3)))
        }
    }
}
