/// Measures in bits how improbable bytes are as text in an encoding, from letter frequencies and neighboring letters.
///
/// ASCII has no cost, because all encodings include it. The numbers are approximate logarithms of frequencies in titles
/// and names.
enum CodePageCost {
    /// An encoding of a separate alphabet, which is not mixed with ASCII letters within a word.
    case alphabet(Alphabet, start: Double)
    /// An encoding of accented letters, which are mixed with ASCII letters.
    case accents(Accents, start: Double)
    /// An encoding with mostly two bytes for each character.
    case wide(start: Double, common: Set<[UInt8]>, commonBits: Double, WideCost)

    struct Alphabet {
        let common, lower, commonUpper, upper, signs: Set<UInt8>
    }

    struct Accents {
        let common, letters, signs: Set<UInt8>
    }

    /// Returns the number of bytes of a character and its cost; `nil` if it is invalid.
    typealias WideCost = @Sendable (_ first: UInt8, _ rest: ArraySlice<UInt8>) -> (count: Int, bits: Double)?

    /// Returns the cost of words; `nil` if they are invalid in this encoding.
    func bits(of words: [UInt8]) -> Double? {
        switch self {
        case .alphabet(let alphabet, let start): return alphabet.bits(of: words) + start
        case .accents(let accents, let start): return accents.bits(of: words) + start
        case .wide(let start, let common, let commonBits, let cost):
            return Self.bits(of: words, common, commonBits, cost).map { $0 + start }
        }
    }

    private static func bits(
        of words: [UInt8],
        _ common: Set<[UInt8]>,
        _ commonBits: Double,
        _ cost: WideCost
    ) -> Double? {
        var (total, place) = (0.0, 0)
        var isBehindLatin = false
        while place < words.count {
            let byte = words[place]
            if byte < 0x80 {
                isBehindLatin = byte.isLatin
                place += 1
                continue
            }
            guard let (count, bits) = cost(byte, words[(place + 1)...]) else { return nil }
            let code = words[place..<place + count]
            total += common.contains(Array(code)) ? commonBits : bits
            // Latin words do not continue with these characters.
            if isBehindLatin { total += 5 }
            place += count
            if place < words.count, words[place].isLatin { total += 4 }
            // Single-byte encodings count this second byte as ASCII, without a cost.
            if count == 2, code.last?.isLatin == true { total -= 4 }
            isBehindLatin = false
        }
        return total
    }
}

extension CodePageCost.Alphabet {
    fileprivate func bits(of words: [UInt8]) -> Double {
        enum Kind { case latin, lower, upper, sign, space }
        var total = 0.0
        var last = Kind.space
        for byte in words {
            let kind: Kind
            if byte < 0x80 {
                kind = byte.isLatin ? .latin : .space
                if kind == .latin, last == .lower || last == .upper { total += 8 }
            } else if lower.contains(byte) {
                kind = .lower
                total += (common.contains(byte) ? 4 : 6.3) + (last == .latin ? 8 : last == .space ? 1 : 0)
            } else if upper.contains(byte) {
                kind = .upper
                total += (commonUpper.contains(byte) ? 4.5 : 6.5) + (last == .latin ? 8 : last == .lower ? 7 : 0)
            } else {
                kind = .sign
                total += signs.contains(byte) ? 10 : 15
            }
            last = kind
        }
        return total
    }
}

extension CodePageCost.Accents {
    /// Symbols of Windows-1252 that do not occur in words, and are letters in other encodings.
    private static let strange = Set<UInt8>([
        0x8C, 0x9C, 0x9F, 0xA1, 0xA3, 0xA5, 0xAF, 0xB3, 0xB9, 0xBC, 0xBE, 0xBF,
    ])

    fileprivate func bits(of words: [UInt8]) -> Double {
        enum Kind { case latin, letter, other }
        var total = 0.0
        var last = Kind.other
        for byte in words {
            let kind: Kind
            if byte < 0x80 {
                kind = byte.isLatin ? .latin : .other
            } else if letters.contains(byte) || common.contains(byte) {
                kind = .letter
                total += (common.contains(byte) ? 8 : 9.5) + (last == .letter ? 5 : 0)
            } else {
                kind = .other
                let isUnused = [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte)
                total += signs.contains(byte) ? 11 : isUnused ? 25 : 16
                if signs.contains(byte), last != .other, Self.strange.contains(byte) { total += 14 }
            }
            last = kind
        }
        return total
    }
}

extension UInt8 {
    fileprivate var isLatin: Bool { 0x41...0x5A ~= self & 0xDF }
}

// MARK: The encodings

extension CodePageCost {
    /// The cost function of Windows-1252.
    static let latin = CodePageCost.accents(
        Accents(
            common: Set(letters("äöüßéèàáíóúñçøåæêâôîïëãõùìòœŒûÄÖÜÉÅØÆÈÀÇÁÓÚÍÑ", windows1252)),
            letters: Set(0xC0...0xFF).subtracting([0xD7, 0xF7]).union([0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F]),
            signs: Set(letters("’‘“”„–—…«»°©®½¡¿´·•€™²³§£¹º\u{A0}", windows1252))
        ),
        start: 0
    )

    /// The cost functions of the encodings that the system can convert.
    static let all: [(CodePage, CodePageCost)] = CodePage.allCases.compactMap { page in
        page.codes(of: "x").isEmpty ? nil : (page, cost(of: page))
    }

    private static let windows1252: [Unicode.Scalar: UInt8] = Dictionary(
        (0x80...0xFF).map { (String(utf8OrWindows1252: [$0]).unicodeScalars.first ?? "\0", $0) }
    ) { first, _ in first }

    private static func letters(_ text: String, _ codes: [Unicode.Scalar: UInt8]) -> [UInt8] {
        text.unicodeScalars.compactMap { codes[$0] }
    }

    private static func bytes(_ text: String, _ page: CodePage) -> Set<UInt8> {
        Set(page.codes(of: text).compactMap(\.first))
    }

    private static func cyrillic(_ page: CodePage, start: Double) -> CodePageCost {
        let (common, lower) = ("оеаинтсрвлкмдпу", "абвгдежзийклмнопрстуфхцчшщъыьэюяё")
        return .alphabet(
            Alphabet(
                common: bytes(common, page),
                lower: bytes(lower, page),
                commonUpper: bytes(common.uppercased(), page),
                upper: bytes(lower.uppercased(), page),
                signs: bytes("«»—–„“”…№’©\u{A0}", page)
            ),
            start: start
        )
    }

    private static func cost(of page: CodePage) -> CodePageCost {
        switch page {
        case .cyrillic: cyrillic(page, start: 6)
        case .cyrillicUnix, .cyrillicDOS: cyrillic(page, start: 14)
        case .greek:
            .alphabet(
                Alphabet(
                    common: bytes("αοιετνσηρκςπλυάόίέμώ", page),
                    lower: bytes("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ", page),
                    commonUpper: bytes("ΑΟΙΕΤΝΣΗΡΚΠΛΥ", page),
                    upper: bytes("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ", page),
                    signs: bytes("«»–—’“”…\u{A0}", page)
                ),
                start: 10
            )
        case .centralEuropean:
            .accents(
                Accents(
                    common: bytes("ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽäöüßÄÖÜőűŐŰçăâîşţ", page),
                    letters: Set(0xC0...0xFF).subtracting([0xD7, 0xF7]),
                    signs: bytes("’‘“”„–—…«»°©®·•€™§\u{A0}", page)
                ),
                start: 12
            )
        case .simplifiedChinese, .traditionalChinese, .japanese, .japaneseUnix, .korean: wide(page)
        }
    }

    private static func wide(_ page: CodePage) -> CodePageCost {
        switch page {
        case .simplifiedChinese:
            let common =
                "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年爱心天音乐歌情风月花雪夜梦海水红生活世界小美好没无可会后相自由如都去过想能对里以开家日手起看还发那她得着下"
            return .wide(start: 8, common: Set(page.codes(of: common)), commonBits: 8, simplifiedChinese)
        case .traditionalChinese:
            let common =
                "的一是不了人我在有他這中大來上國個到說們為子和你地出道也時年愛心天音樂歌情風月花雪夜夢海水紅生活世界小美好沒無可會後相自由如都去過想能對裡以開家日手起看還發那她得著下"
            return .wide(start: 10, common: Set(page.codes(of: common)), commonBits: 8, traditionalChinese)
        case .korean:
            let common = "이다의는에가을사아나한지하기리고도로시자어서인그대수너내랑해보마정라일은를오우거제원러전니여주들면요게말안있없않때눈날밤별꽃길비봄당신"
            return .wide(start: 10, common: Set(page.codes(of: common)), commonBits: 7.3, korean)
        case .japaneseUnix: return .wide(start: 10, common: [], commonBits: 0, japaneseUnix)
        default: return .wide(start: 7, common: [], commonBits: 0, japanese)
        }
    }

    // The rows of the national standards: common characters have their own rows, which come first.

    private static let simplifiedChinese: WideCost = { first, rest in
        guard let second = rest.first, first != 0x80, first != 0xFF, second != 0x7F, second != 0xFF else { return nil }
        if second < 0x40 {
            let end = rest.dropFirst().prefix(2)
            guard 0x30...0x39 ~= second, let third = end.first, let last = end.last, end.count == 2,
                0x81...0xFE ~= third, 0x30...0x39 ~= last
            else { return nil }
            return (4, 30)
        }
        guard second >= 0xA1 else { return (2, 22.5) }
        switch first {
        case 0xB0...0xD7: return (2, 12.3)
        case 0xA1, 0xA3: return (2, 13)
        case 0xD8...0xF7: return (2, 17)
        case 0xA2...0xA9: return (2, 19)
        default: return (2, 22.5)
        }
    }

    private static let traditionalChinese: WideCost = { first, rest in
        guard let second = rest.first, 0xA1...0xF9 ~= first, 0x40...0x7E ~= second || 0xA1...0xFE ~= second else {
            return nil
        }
        return (2, first <= 0xA3 ? 13.5 : first <= 0xC6 ? 12.8 : 20)
    }

    private static let korean: WideCost = { first, rest in
        guard let second = rest.first, 0x81...0xFD ~= first else { return nil }
        guard 0xA1...0xFE ~= second else {
            let isLetter = 0x41...0x5A ~= second || 0x61...0x7A ~= second || 0x81...0xA0 ~= second
            return first <= 0xC6 && isLetter ? (2, 22) : nil
        }
        switch first {
        case 0xB0...0xC8: return (2, 11.6)
        case 0xA1, 0xA3: return (2, 13)
        default: return (2, 20)
        }
    }

    /// Brackets, the comma, the full stop, the long vowel mark and others.
    private static let usualSigns = Set<UInt8>([
        0xA1, 0xA2, 0xA3, 0xA6, 0xA8, 0xA9, 0xBC, 0xC1, 0xC4, 0xCA, 0xCB, 0xD6, 0xD7, 0xD8, 0xD9,
    ])

    private static let japanese: WideCost = { first, rest in
        if 0xA1...0xDF ~= first { return (1, 13.5) }
        guard 0x81...0x9F ~= first || 0xE0...0xFC ~= first, let second = rest.first, 0x40...0xFC ~= second,
            second != 0x7F
        else { return nil }
        switch first {
        // The same symbols: in Shift JIS they are 0x61 lower than in EUC-JP.
        case 0x81: return (2, second < 0x7F && usualSigns.contains(second + 0x61) ? 10 : 14)
        case 0x82: return (2, 0x9F...0xF1 ~= second ? 7.7 : 12)
        case 0x83: return (2, second <= 0x96 ? 8.4 : 18.5)
        case 0x88...0x97: return (2, 13)
        case 0x84...0x9F, 0xE0...0xEA: return (2, 18.5)
        default: return (2, 24)
        }
    }

    private static let japaneseUnix: WideCost = { first, rest in
        guard let second = rest.first else { return nil }
        if first == 0x8E, 0xA1...0xDF ~= second { return (2, 14) }
        guard 0xA1...0xFE ~= first, 0xA1...0xFE ~= second else { return nil }
        switch first {
        case 0xA1: return (2, usualSigns.contains(second) ? 10 : 14)
        case 0xA2, 0xA3: return (2, 13)
        case 0xA4 where second <= 0xF3: return (2, 7.7)
        case 0xA5 where second <= 0xF6: return (2, 8.4)
        case 0xB0...0xCF: return (2, 13)
        case 0xD0...0xF4: return (2, 18.5)
        default: return nil
        }
    }
}
