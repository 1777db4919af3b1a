import Testing

@testable import SyrinxByteStream

@Suite("Kinds of documents") struct DocumentKindTests {
    @Test(
        "A document is known by its first bytes",
        arguments: [
            ("\u{FEFF}  <!DOCTYPE html><html>", "a web page"), ("<?xml version='1.0'?><a/>", "an XML document"),
            ("<opml/>", "an XML document"), ("<svg xmlns='x'/>", "an image"), ("%PDF-1.4\n", "a PDF document"),
            ("#EXTM3U\n", "a playlist"), ("[1, 2]", "a JSON document"), ("Only words.", "a text file"),
            ("GIF89a\u{0}", "an image"), ("RIFF\u{1}\u{0}\u{0}\u{0}WEBPVP8 ", "an image"),
            ("PK\u{3}\u{4}", "an archive"),
            ("\u{7F}ELF", "a program"), ("\u{0}\u{0}\u{0}\u{1C}ftypavif", "an image"),
        ]
    )
    func kinds(text: String, kind: String) {
        #expect(DocumentKind.name(of: Array(text.utf8)) == kind)
    }

    @Test("Bytes that are no document have no kind")
    func others() {
        #expect(DocumentKind.name(of: [UInt8]()) == nil)
        #expect(DocumentKind.name(of: [0, 1, 2, 3]) == nil)
        #expect(DocumentKind.name(of: Array("RIFF\u{1}\u{0}\u{0}\u{0}WAVE".utf8)) == nil)
        #expect(DocumentKind.name(of: [0xFF, 0xD8, 0xFF, 0xE0]) == "an image")
        // A text that is cut within a character is one.
        #expect(DocumentKind.name(of: Array("Nothing is here but words ü".utf8.dropLast())) == "a text file")
    }
}
