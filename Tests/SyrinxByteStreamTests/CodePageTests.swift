import Testing

@testable import SyrinxByteStream

@Suite("Code pages")
struct CodePageTests {
    private func bytes(_ text: String, _ page: CodePage?) -> [UInt8] {
        if let page { return page.codes(of: text).flatMap { $0 } }
        return text.unicodeScalars.flatMap { scalar -> [UInt8] in
            (0...255).first { String(utf8OrWindows1252: [$0]) == String(scalar) }.map { [$0] } ?? []
        }
    }

    private static let titles: [(CodePage?, [String])] = [
        (
            nil,
            [
                "Grüße aus Köln", "Für Elise", "Café del Mar", "Björk", "Sigur Rós", "Motörhead", "Mañana", "Coração",
                "Ação",
                "Crème brûlée", "L’été", "Ágætis byrjun", "Það besta", "Hüsker Dü", "Håkan", "FÜR ELISE", "¿Qué pasa?",
                "Don’t Stop", "Rock – Roll", "Œuvres complètes", "Live © 1999", "È vero", "Più", "é",
            ]
        ),
        (
            .cyrillic,
            [
                "Прощай, оружие", "Группа крови", "КИНО", "ДДТ", "Ты", "Алла Пугачёва", "НАУТИЛУС ПОМПИЛИУС",
                "Song Песня Mix",
                "Мы желаем счастья вам",
            ]
        ),
        (.cyrillicUnix, ["Прощай, оружие", "Звезда по имени Солнце"]),
        (.cyrillicDOS, ["Прощай, оружие", "Звезда по имени Солнце"]),
        (.greek, ["Τα παιδιά του Πειραιά", "Μίκης Θεοδωράκης"]),
        (.centralEuropean, ["Dziwny jest ten świat, Wspomnienie, Czesław Niemen, Pod Papugami, Miłość, Jednego sercą"]),
        (.simplifiedChinese, ["中国音乐大全", "月亮代表我的心", "爱", "甜蜜蜜", "崔健 - 一无所有", "我的祖国"]),
        (.japanese, ["日本語の歌表", "さくら", "カタカナ", "残酷な天使のテーゼ", "坂本龍一", "ラブ・ストーリー", "雪"]),
        (.traditionalChinese, ["月亮代表我的心", "海闊天空", "音樂", "羅大佑"]),
        (.korean, ["사랑해", "아리랑", "소녀시대", "돌아와요 부산항에"]),
        (.japaneseUnix, ["日本語の歌表", "残酷な天使のテーゼ"]),
    ]

    @Test("Ordinary titles are read in the code page that they were written in")
    func titles() {
        for (page, titles) in Self.titles {
            for title in titles {
                // By itself, and as a list says it: in several lines, among words in ASCII.
                for text in [title, "TITLE \"\(title)\"\r\nFILE \"disc.wav\" WAVE\r\nTITLE \"\(title) 2\"\r\n"] {
                    let bytes = bytes(text, page)
                    #expect(String(bytes, codePage: CodePage(ofText: bytes)) == text)
                }
            }
        }
    }

    @Test("UTF-8 and ASCII are what they are")
    func utf8() {
        for text in ["", "Plain", "Прощай", "中国音乐", "Grüße"] { #expect(CodePage(ofText: Array(text.utf8)) == nil) }
    }

    @Test("Any bytes have a text, and what looks like a byte order mark is none")
    func anyBytes() {
        var random = SplitMixGenerator(seed: 9)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = String(bytes, codePage: CodePage(ofText: bytes))
            for page in CodePage.allCases { _ = page.text(bytes) }
        }
        #expect(CodePage.cyrillic.text(bytes("юя", .cyrillic)) == "юя")
    }
}
