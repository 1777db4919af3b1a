import ArgumentParser
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// `syrinx info`: shows the format, length, tags and chapters of inputs.
struct InfoCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows the format, length, tags, chapters and artwork of an input."
    )
    static let examples = [
        "syrinx info episode.mp3",
        "syrinx info --json --scan album/*.flac",
        "curl -s https://example.org/a.ogg | syrinx info -",
    ]

    @Flag(help: "Write one JSON object per input")
    var json = false

    @Flag(help: "Decode the whole input and count its frames")
    var scan = false

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(help: "Paths and URLs (file:, http:, https:), or - for standard input")
    var input: [ListeningInput]

    var writesJSON: Bool { json }

    func validate() throws {
        guard input.count(where: \.isStandardInput) <= 1 else {
            throw ValidationError("standard input can only be read once")
        }
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        var status = ExitStatus.success
        for (index, item) in input.enumerated() {
            do throws(Failure) {
                let report = try report(on: item, in: context)
                if !json && index > 0 { context.console.write("") }
                context.console.write(json ? report.json : report.text)
            } catch {
                if context.interruption.isRequested { return .interrupted }
                context.console.tell(error, asJSON: json)
                if status == .success { status = error.exitStatus }
            }
            if context.interruption.isRequested { return .interrupted }
            if context.console.isOutputClosed { break }
        }
        return status
    }

    /// Decodes an input to its end, as `render` does, and returns the number of frames.
    private func count(
        _ reader: any SampleReader,
        of item: ListeningInput,
        in context: CommandContext
    ) throws(Failure) -> Int64 {
        let source = try InputSource(reader, name: item.name, start: 0, end: nil)
        let ignore = { (_: UnsafePointer<UnsafeMutablePointer<Float>>, _: Int) in }
        let outcome = try InputScan.run(
            source,
            reader: reader,
            name: item.name,
            context: context,
            asJSON: json,
            ignore
        )
        if let problem = outcome.problem { throw problem }
        return outcome.frameCount
    }

    private func report(on item: ListeningInput, in context: CommandContext) throws(Failure) -> MediaReport {
        try item.withReader(network: network.options(isHeard: false), interruption: context.interruption) {
            reader throws(Failure) in
            // The length that a file states may be wrong: only frames that were read count.
            let frames = scan ? try count(reader, of: item, in: context) : reader.info.frameCount
            return MediaReport(reader.info, url: item.name, frames: frames)
        }
    }
}
