import MediaCodec

/// How far an input could be read.
struct ScanOutcome {
    /// The frames that were read.
    var frameCount: Int64 = 0
    /// What could not be read, if anything.
    var problem: Failure?
}

/// Reads an input to its end for those who look at its samples, and takes damage for an end or a gap.
enum InputScan {
    /// Calls `body` with each block of samples.
    /// - Parameter asJSON: Whether damage is told as an event, too.
    /// - Throws: Only when nothing at all could be read.
    static func run(
        _ source: any FrameSource,
        reader: MediaReader,
        name: String,
        context: CommandContext,
        asJSON: Bool = false,
        _ body: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) -> Void
    ) throws(Failure) -> ScanOutcome {
        let block = SampleBlock(channelCount: source.channelCount, capacity: 4096)
        var outcome = ScanOutcome()
        do throws(Failure) {
            while !context.interruption.isRequested {
                let count = try source.read(into: block)
                if count == 0 { break }
                body(block.channels, count)
                outcome.frameCount += Int64(count)
            }
        } catch {
            guard outcome.frameCount > 0 else { throw error }
            outcome.problem = error
        }
        if outcome.problem == nil { tellDamage(in: reader, name: name, context: context, asJSON: asJSON) }
        return outcome
    }

    /// Says how much of what has been read was damaged, if any was.
    ///
    /// Only said: what there is has been read, and what there is not sounds as silence.
    static func tellDamage(in reader: MediaReader, name: String, context: CommandContext, asJSON: Bool = false) {
        let damaged = reader.corruptPacketCount
        guard damaged > 0 else { return }
        let packets = damaged == 1 ? "1 packet" : "\(damaged) packets"
        let message = "\(packets) could not be decoded, and count as silence"
        let warning = Failure(code: "media.corrupt", message: message, name: name)
        if asJSON { context.console.write(.warning(warning)) }
        context.console.say(warning.warningLine)
    }
}
