/// The contents of iTunes' `iTunSMPB` comment, such as ` 00000000 00000840 000001C4 00000000003A3D78 …`.
///
/// The hexadecimal numbers are an unused field, the encoder delay, the padding, and the number of audible frames.
struct ITunesGapless: Equatable {
    let startSkip: Int64
    let frameCount: Int64
    /// The number of padding frames at the end; 0 if the stated number is implausible.
    let endPadding: Int64

    /// - Parameter text: The value of the tag `iTunSMPB`.
    init?(_ text: String) {
        let fields = text.split(separator: " ").map { Int64($0, radix: 16) }
        guard fields.count >= 4, let skip = fields[1], let count = fields[3], skip >= 0, skip < 16384, count > 0,
            count < 1 << 40
        else { return nil }
        startSkip = skip
        frameCount = count
        endPadding = fields[2].flatMap { 0..<16384 ~= $0 ? $0 : nil } ?? 0
    }
}
