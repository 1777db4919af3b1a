import CoreAudioTypes
import Foundation

/// The properties of the sampler.
extension UnitProperty {
    static let sampler: [AudioUnitPropertyID: UnitProperty] = [
        kAUSamplerProperty_LoadInstrument: UnitProperty(
            kAudioUnitScope_Global,
            size: MemoryLayout<AUSamplerInstrumentData>.size,
            write: { unit, _, input in
                try unit.loadSampler { sampler in
                    let (url, fields) = try input.fileAndFields(count: 4)
                    switch fields[0] {
                    case kInstrumentType_SF2Preset:
                        try sampler.loadInstrument(url, program: fields[3], bankMSB: fields[1], bankLSB: fields[2])
                    case kInstrumentType_Audiofile: try sampler.loadFiles([url])
                    default: throw UnitStatus(kAudioUnitErr_UnknownFileType)
                    }
                }
            },
            read: nil
        ),
        kAUSamplerProperty_LoadAudioFiles: UnitProperty(
            kAudioUnitScope_Global,
            size: 8,
            write: { unit, _, input in
                let urls = try input.object(NSArray.self).map { ($0 as? URL) ?? ($0 as? NSURL)?.absoluteURL }
                try unit.loadSampler { sampler in
                    guard urls.allSatisfy({ $0 != nil }), !urls.isEmpty else { throw UnitStatus.invalidValue }
                    try sampler.loadFiles(urls.compactMap { $0 })
                }
            },
            read: nil
        ),
        kAUSamplerProperty_LoadPresetFromBank: UnitProperty(
            kAudioUnitScope_Global,
            size: 16,
            write: { unit, _, input in
                try unit.loadSampler { sampler in
                    let (url, fields) = try input.fileAndFields(count: 3)
                    try sampler.loadInstrument(url, program: fields[2], bankMSB: fields[0], bankLSB: fields[1])
                }
            },
            read: nil
        ),
    ]
}

extension UnitInstance {
    /// Runs `body`, which loads sounds, on the sampler of the unit.
    fileprivate func loadSampler(_ body: (SamplerUnit) throws -> Void) throws(UnitStatus) {
        guard let sampler = unit as? SamplerUnit else { throw UnitStatus.invalidProperty }
        do {
            try body(sampler)
        } catch {
            throw UnitStatus(error)
        }
    }
}

extension PropertyInput {
    /// Returns the file that the first word points to, and the bytes after this word.
    fileprivate func fileAndFields(count: Int) throws -> (URL, [UInt8]) {
        guard bytes.count >= 8 + count else { throw UnitStatus.invalidValue }
        let url = try object(NSURL.self)
        guard let file = url.absoluteURL else { throw UnitStatus.invalidValue }
        return (file, Array(bytes[8..<(8 + count)]))
    }
}
