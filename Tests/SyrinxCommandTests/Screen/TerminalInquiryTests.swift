import SyrinxTerminal
import Testing

@testable import syrinx

@Suite("Questions to a terminal") struct TerminalInquiryTests {
    @Test("Each question is asked once, when it matters")
    func questions() {
        var inquiry = TerminalInquiry()
        #expect(inquiry.questions(hasCover: false, isOpen: false).isEmpty)
        #expect(inquiry.questions(hasCover: false, isOpen: true) == GridPainter.backgroundQuestion)
        #expect(inquiry.questions(hasCover: true, isOpen: true) == GridPainter.questions)
        #expect(inquiry.questions(hasCover: true, isOpen: true).isEmpty)
    }

    @Test("The answers tell the background and the size of a cell")
    func answers() {
        var inquiry = TerminalInquiry()
        #expect(!inquiry.hasLightBackground && inquiry.cellSize == nil)
        inquiry.take(.background(isLight: true))
        inquiry.take(.cellSize(width: 9, height: 18))
        #expect(inquiry.hasLightBackground && inquiry.cellSize?.height == 18)
    }
}
