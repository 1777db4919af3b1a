import Foundation

/// libFuzzer's own loop, of which its header in C says no more than this.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Feeds the target that the environment names; the arguments are libFuzzer's.
@main
enum Fuzz {
    /// Read once: libFuzzer calls with nothing but bytes.
    static let target: Target = {
        let name = ProcessInfo.processInfo.environment["SYRINX_FUZZ_TARGET"] ?? ""
        guard let target = Target(rawValue: name) else {
            let names = Target.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("SYRINX_FUZZ_TARGET has to be one of \(names); it is '\(name)'")
        }
        return target
    }()

    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { data, count in
                Fuzz.target.run(Array(UnsafeBufferPointer(start: data, count: count)))
                return 0
            }
        )
    }
}
