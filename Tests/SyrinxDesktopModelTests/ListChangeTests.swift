import Testing

@testable import SyrinxDesktopModel

@Suite struct ListChangeTests {
    @Test func `Only rows that differ are made anew`() {
        let list = Array(0..<2000)
        var shorter = list
        shorter.remove(at: 700)
        let removal = ListChange(from: list, to: shorter)
        #expect(removal.removed == 700..<701 && removal.inserted.isEmpty)
        let insertion = ListChange(from: shorter, to: list)
        #expect(insertion.removed.isEmpty && insertion.inserted == 700..<701)
        let swap = ListChange(from: [1, 2, 3, 4], to: [1, 3, 2, 4])
        #expect(swap.removed == 1..<3 && swap.inserted == 1..<3)
        let same = ListChange(from: [1, 1], to: [1, 1])
        #expect(same.removed.isEmpty && same.inserted.isEmpty)
        let repeated = ListChange(from: [1, 1, 1], to: [1, 1])
        #expect(repeated.removed.count == 1 && repeated.inserted.isEmpty)
        #expect(ListChange(from: [], to: [1, 2]).inserted == 0..<2)
    }
}
