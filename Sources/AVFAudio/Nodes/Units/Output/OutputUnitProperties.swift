import CoreAudioTypes
import Foundation
import Synchronization

/// The properties of output units.
extension UnitProperty {
    private static let global = kAudioUnitScope_Global
    private static let input = kAudioUnitScope_Input
    private static let output = kAudioUnitScope_Output

    static let outputUnits: [AudioUnitPropertyID: UnitProperty] = [
        kAudioOutputUnitProperty_IsRunning: UnitProperty(global, size: 4) { unit, _ in .flag(unit.unit.isRunning) },
        kAudioOutputUnitProperty_CurrentDevice: currentDevice,
        kAudioOutputUnitProperty_EnableIO: enabling,
        kAudioOutputUnitProperty_HasIO: UnitProperty(input, output, size: 4) { unit, place in
            .flag(try unit.isDeviceSide(place) && (place.element == 0 || unit.unit.canPerformInput))
        }.withOwnElements,
        kAudioOutputUnitProperty_SetInputCallback: inputCallback,
        kAudioOutputUnitProperty_StartTimestampsAtZero: startsAtZero,
    ]

    private static let currentDevice = UnitProperty(
        global,
        output,
        size: 4,
        write: { unit, _, input in
            do {
                try unit.unit.setDeviceID(try input.value(AudioDeviceID.self))
            } catch {
                throw UnitStatus(error)
            }
        },
        read: { unit, _ in .value(unit.unit.deviceID) }
    )

    /// The input is element 1 of the input scope, the output element 0 of the output scope.
    private static let enabling = UnitProperty(
        input,
        output,
        size: 4,
        write: { unit, place, input in
            guard try unit.isDeviceSide(place) else { throw UnitStatus.invalidElement }
            let isEnabled = try input.flag()
            guard unit.unit.hostingEngine == nil else { throw UnitStatus.notWritable }
            guard !unit.unit.renderResourcesAllocated else { throw UnitStatus.initialized }
            if place.scope == kAudioUnitScope_Input {
                guard unit.unit.canPerformInput else { throw UnitStatus.invalidElement }
                unit.unit.isInputEnabled = isEnabled
            } else {
                unit.unit.isOutputEnabled = isEnabled
            }
        },
        read: { unit, place in
            guard try unit.isDeviceSide(place) else { throw UnitStatus.invalidElement }
            return .flag(place.scope == kAudioUnitScope_Input ? unit.unit.isInputEnabled : unit.unit.isOutputEnabled)
        }
    ).withOwnElements

    private static let inputCallback = UnitProperty(
        global,
        output,
        input,
        size: MemoryLayout<AURenderCallbackStruct>.size,
        write: { unit, _, input in
            let callback = try input.value(AURenderCallbackStruct.self)
            guard unit.unit.hostingEngine == nil else { throw UnitStatus.notWritable }
            guard unit.unit.canPerformInput else { throw UnitStatus.invalidProperty }
            unit.callbacks.change { $0.inputCallback = callback.inputProc == nil ? nil : callback }
        },
        read: nil
    ).withOwnElements

    private static let startsAtZero = UnitProperty(
        global,
        size: 4,
        write: { unit, _, input in
            let isSet = try input.flag()
            guard unit.unit.hostingEngine == nil else { throw UnitStatus.notWritable }
            (unit.unit as? OutputUnit)?.feed.startsAtZero.store(isSet, ordering: .relaxed)
        },
        read: { unit, _ in
            .flag((unit.unit as? OutputUnit)?.feed.startsAtZero.load(ordering: .relaxed) ?? true)
        }
    )
}

extension UnitInstance {
    /// Whether the format at a place is that of a device: the input of element 1, or the output of element 0.
    fileprivate func isDeviceSide(_ place: UnitPlace) throws(UnitStatus) -> Bool {
        guard place.element <= 1 else { throw UnitStatus.invalidElement }
        return (place.scope == kAudioUnitScope_Input) == (place.element == 1)
    }
}
