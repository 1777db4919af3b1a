import ArgumentParser
import SyrinxListening
import SyrinxMediaCodec

/// The option of commands that read inputs to their ends.
struct DamageOptions: ParsableArguments {
    @Flag(help: "Fail if an input is damaged or cut off")
    var strict = false
}

/// The result of reading an input to its end.
struct ScanOutcome {
    /// The number of frames read.
    var frameCount: Int64 = 0
    /// The error that ended reading; `nil` if there was none.
    var problem: Failure?
    /// Whether no missing or damaged part was found.
    var isWhole = true
}

/// Reads the samples of an input to its end, tolerating damage.
enum InputScan {
    /// Calls `body` with each block of samples.
    ///
    /// Stops without an error at an interruption, and where reading fails after the first block.
    /// - Parameters:
    ///   - source: The samples.
    ///   - reader: The decoder, which knows about damage.
    ///   - name: The name of the input in messages.
    ///   - context: The context of the command.
    ///   - isStrict: Whether damage is an error.
    ///   - asJSON: Whether damage is also reported as a JSON event.
    ///   - body: Receives one pointer per channel, and the number of frames.
    /// - Throws: An error if nothing could be read, or if there is damage and `isStrict` is true.
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
    /// The warnings about the damage, at least one.
    private let warnings: [Failure]

    /// Creates the damage that `reader` has found; `nil` if there is none.
    init?(_ reader: any SampleReader, name: String) {
        warnings = reader.takeMissing().map { Failure($0) } + [Self.rest(reader, name: name)].compactMap(\.self)
        if warnings.isEmpty { return nil }
    }

    /// Returns the warning about a truncated input, or about corrupt packets; `nil` if there are none.
    private static func rest(_ reader: any SampleReader, name: String) -> Failure? {
        if let shortfall = reader.shortfall { return Failure(shortfall, name: name) }
        let count = reader.corruptPacketCount
        guard count > 0 else { return nil }
        let packets = count == 1 ? "1 packet" : "\(count) packets"
        let seconds = Double(reader.concealedFrameCount) / reader.info.sampleRate
        let silence = seconds > 0 ? "; \(text(seconds)) s of silence stand in their place" : ""
        return Failure(code: .corrupt, message: "\(packets) could not be decoded\(silence)", name: name)
    }

    /// Reports the warnings.
    /// - Throws: The first warning as an error, if `isStrict` is true.
    func tell(_ context: CommandContext, isStrict: Bool, asJSON: Bool = false) throws(Failure) {
        if isStrict, let first = warnings.first { throw Self.refusal(first) }
        for warning in warnings {
            if asJSON { context.console.write(.warning(warning)) }
            context.console.say(warning.warningLine)
        }
    }

    /// The first warning, as an error.
    var refusal: Failure { Self.refusal(warnings[0]) }

    /// Returns a warning as an error; corrupt packets and gaps get the code `damaged`.
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

    /// Returns seconds with two decimals, at least 0.01.
    private static func text(_ seconds: Double) -> String {
        String(max((seconds * 100).rounded(), 1) / 100)
    }
}
