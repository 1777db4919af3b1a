extension String {
    /// Decodes bytes of an unknown encoding: as UTF-8 if they are valid, otherwise as Windows-1252.
    ///
    /// In Windows-1252, every byte is a character; unassigned bytes become control characters (WHATWG Encoding
    /// Standard, index windows-1252).
    package init(utf8OrWindows1252 bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
            return
        }
        let scalars = bytes.map { byte in
            0x80..<0xA0 ~= byte ? Self.windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
        }
        self.init(String.UnicodeScalarView(scalars))
    }

    /// The characters of 0x80 to 0x9F; all others are those of Latin-1.
    private static let windows1252: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]
}
