internal import CSyrinxFFmpeg
internal import SyrinxByteStream

extension Container {
    // The file types are four-character codes: WAVE, W64f.

    /// WAVE, with the sizes of RIFF or RF64 (EBU Tech 3306).
    static let wave = wave("wav", fileType: 0x5741_5645) {
        $0.statedEnd = .isBoundOfCompressed
        $0.seeksDirectly = true
    }
    /// Sony's Wave64.
    static let wave64 = wave("w64", fileType: 0x5736_3466)

    private static func wave(
        _ name: String,
        fileType: UInt32,
        _ describe: (inout Container) -> Void = { _ in }
    ) -> Container {
        Container(name) {
            $0.fileType = fileType
            $0.cutting = .samples
            describe(&$0)
            $0.makeSource = { reader throws(SyrinxError) in
                let first = try reader.readFirst()
                if let blocks = try WAVEBlockSource.open(reader, first) { return blocks }
                return try PacketSource(reader, first: first, statement(reader.format))
            }
        }
    }

    private static func statement(_ format: LibavContext) -> ContainerStatement {
        var statement = ContainerStatement()
        guard let codec = format.stream.pointee.codecpar?.pointee.codec_id, isPCM(codec) else { return statement }
        let bridge = format.bridge
        statement.length = { _ in
            .frames(WAVEDataLength(length: bridge.stream.length) { bridge.peek(at: $0, count: $1) }.frameCount())
        }
        return statement
    }
}

extension OutputContainer {
    /// WAVE, which becomes RF64 past 4 GiB.
    static let wave = OutputContainer("wav", [.pcm]) {
        $0.options = ["rf64": "auto"]
        $0.growing = .wave
    }
}
