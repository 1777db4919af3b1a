import Glibc
import SyrinxByteStream

/// The arguments of the process.
enum ProcessArguments {
    /// The arguments of the process without the command's name, as text.
    ///
    /// Arguments that are not UTF-8 contain encoded bytes (`ByteText`), so that paths are preserved.
    static var texts: [String] {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return arguments.dropFirst().compactMap { argument in
            argument.map { ByteText.text(carrying: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }
}
