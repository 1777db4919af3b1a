/// The comment of iTunes in a file that it has encoded, ` 00000000 00000840 000001C4 00000000003A3D78 …`: an unused field, the
/// frames of delay, those of padding, and the frames between.
struct ITunesGapless: Equatable {
    let startSkip: Int64
    let frameCount: Int64
    /// The frames of padding; 0 if that is nonsense.
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
