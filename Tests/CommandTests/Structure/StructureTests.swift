import Foundation
import TestSupport
import Testing

@Suite("Impossible numbers in files")
struct StructureTests {
    /// Set to `all`, every number is tried, which takes most of an hour; otherwise some of them.
    private static let isExhaustive = ProcessInfo.processInfo.environment["SYRINX_STRUCTURE"] == "all"
    /// The folder for files that fail, if any.
    private static let found = ProcessInfo.processInfo.environment["SYRINX_STRUCTURE_FOUND"]
    /// Mutants of a specimen that are tried otherwise, and by the commands that take one file at a time.
    private static let sampleCount = 16
    private static let singleCount = 2
    /// Files for one run, no fewer than a sample has.
    private static let batchSize = 64

    @Test("No number in a file ends, hangs or bloats a command", arguments: Specimen.all)
    func everyNumber(specimen: Specimen) throws {
        let scratch = try ScratchDirectory()
        let bytes = try specimen.make(in: scratch)
        let all = specimen.mutants(of: bytes)
        #expect(all.count > 20, "the numbers were not found")
        let mutants = Self.sample(all, Self.isExhaustive ? all.count : Self.sampleCount)
        let ending = (specimen.file as NSString).pathExtension
        for start in stride(from: 0, to: mutants.count, by: Self.batchSize) {
            let batch = Array(mutants[start..<min(start + Self.batchSize, mutants.count)])
            let folder = try ScratchDirectory()
            let trial = CommandTrial(folder: folder.path + "/")
            let paths = batch.indices.map { folder.file("\($0).\(ending)") }
            for (path, mutant) in zip(paths, batch) { try Data(mutant.bytes).write(to: URL(fileURLWithPath: path)) }
            for command in CommandTrial.Command.allCases {
                let isSampled = !command.takesSeveral && !Self.isExhaustive
                let inputs = isSampled ? Self.sample(paths, Self.singleCount) : paths
                for complaint in try trial.complaints(command, inputs) {
                    let index = paths.firstIndex(of: complaint.input) ?? 0
                    Self.keep(complaint.input, as: "\(command)-\(specimen.file)-\(start + index)")
                    Issue.record("\(batch[index].name): \(complaint)")
                }
            }
        }
    }

    @Test("Every recording is read, played and written as it was made, or no mutant of it would show anything")
    func controls() throws {
        let scratch = try ScratchDirectory()
        let folder = try ScratchDirectory()
        let paths = try Specimen.all.enumerated().map { index, specimen in
            let bytes = try specimen.make(in: scratch)
            let path = folder.file("\(index)-\(specimen.file)")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        let trial = CommandTrial(folder: folder.path + "/", statuses: [0])
        for command in CommandTrial.Command.allCases {
            for complaint in try trial.complaints(command, paths) { Issue.record("\(complaint.input): \(complaint)") }
        }
    }

    private static func sample<Element>(_ all: [Element], _ count: Int) -> [Element] {
        guard all.count > count else { return all }
        return (0..<count).map { all[$0 * all.count / count] }
    }

    private static func keep(_ path: String, as name: String) {
        guard let found else { return }
        try? FileManager.default.copyItem(atPath: path, toPath: "\(found)/\(name).\((path as NSString).pathExtension)")
    }
}
