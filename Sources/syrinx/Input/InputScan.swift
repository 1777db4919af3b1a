import ArgumentParser
import SyrinxListening
import SyrinxMediaCodec

/// The option of what reads inputs to their ends.
struct DamageOptions: ParsableArguments {
    @Flag(help: "Fail if an input is damaged or cut off")
    var strict = false
}

/// The extent of what could be read of an input.
struct ScanOutcome {
    /// The frames that were read.
    var frameCount: Int64 = 0
    /// The reason why reading has failed, if it has.
    var problem: Failure?
    /// Whether nothing is known to be missing or damaged.
    var isWhole = true
}

/// Reads an input to its end for those who look at its samples, and takes damage for an end or a gap.
enum InputScan {
    /// Calls `body` with each block of samples.
    /// - Parameters:
    ///   - isStrict: Whether damage is a failure.
    ///   - asJSON: Whether damage is reported as an event, too.
    /// - Throws: Only when nothing at all could be read, or what could is not enough.
    static func run(
        _ source: any FrameSource,
        reader: any SampleReader,
        name: String,
        context: CommandContext,
        isStrict: Bool = false,
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
            guard outcome.frameCount > 0, !isStrict else { throw error }
            outcome.problem = error
            outcome.isWhole = false
        }
        guard outcome.problem == nil, !context.interruption.isRequested, let damage = InputDamage(reader, name: name)
        else { return outcome }
        outcome.isWhole = false
        if outcome.frameCount == 0 { throw damage.refusal.givingNothing }
        try damage.tell(context, isStrict: isStrict, asJSON: asJSON)
        return outcome
    }
}

/// The damage of an input that has been read to its end.
struct InputDamage {
    /// The lines that say so; one at least.
    private let warnings: [Failure]

    /// `nil` if nothing is known to be.
    init?(_ reader: any SampleReader, name: String) {
        warnings = reader.takeMissing().map { Failure($0) } + [Self.rest(reader, name: name)].compactMap(\.self)
        if warnings.isEmpty { return nil }
    }

    /// The line about the end and the packets of an input.
    private static func rest(_ reader: any SampleReader, name: String) -> Failure? {
        if let shortfall = reader.shortfall { return Failure(shortfall, name: name) }
        let count = reader.corruptPacketCount
        guard count > 0 else { return nil }
        let packets = count == 1 ? "1 packet" : "\(count) packets"
        let seconds = Double(reader.concealedFrameCount) / reader.info.sampleRate
        let silence = seconds > 0 ? "; \(text(seconds)) s of silence stand in their place" : ""
        return Failure(code: .corrupt, message: "\(packets) could not be decoded\(silence)", name: name)
    }

    /// Says it, or refuses the input because of it.
    func tell(_ context: CommandContext, isStrict: Bool, asJSON: Bool = false) throws(Failure) {
        if isStrict, let first = warnings.first { throw Self.refusal(first) }
        for warning in warnings {
            if asJSON { context.console.write(.warning(warning)) }
            context.console.say(warning.warningLine)
        }
    }

    /// The first of the lines, as an error.
    var refusal: Failure { Self.refusal(warnings[0]) }

    /// Damage in the middle is refused as what is missing at the end is.
    private static func refusal(_ warning: Failure) -> Failure {
        let isDamage = warning.code == .corrupt || warning.stretch != nil
        var refusal = Failure(
            code: isDamage ? .damaged : warning.code,
            message: warning.message,
            name: warning.name
        )
        refusal.stretch = warning.stretch
        return refusal
    }

    /// Seconds with two places.
    private static func text(_ seconds: Double) -> String {
        String(max((seconds * 100).rounded(), 1) / 100)
    }
}
