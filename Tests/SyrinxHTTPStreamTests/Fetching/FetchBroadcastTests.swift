import SyrinxByteStream
import Testing

@testable import SyrinxHTTPStream

@Suite("Live streams of a FetchMachine") struct FetchBroadcastTests {
    @Test("A live stream reconnects with a discontinuity at the offset of the break")
    func aBroadcastGoesOnWhereItBrokeOff() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        let station = head(200, [("icy-name", "One"), ("icy-metaint", "8192")])
        #expect(
            short(machine.responded(1, station)) == ["response 200 false", "interleave 8192", "metadata station"]
        )
        _ = machine.received(1, count: 1_000, missing: 1_000)
        #expect(short(machine.ended(1, missing: 1_000)) == ["wait", "retry 2 network.lost"])
        #expect(short(machine.timerFired(machine.id)) == ["send whole"])
        #expect(short(machine.responded(machine.id, station)) == ["discontinuity 1000", "interleave 8192"])
        #expect(machine.offset(forTransfer: machine.id) == 1_000)
    }

    /// Its reader could make nothing of other bytes than those that it began with.
    @Test(
        "A reconnected live stream fails only if its content type has changed",
        arguments: [nil, "audio/mpeg", "Audio/MPEG; charset=x", "audio/aac"]
    )
    func aBroadcastOfAnotherKindIsAnother(type: String?) throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, head(200, [("icy-name", "One"), ("Content-Type", "audio/mpeg")]))
        _ = machine.received(1, count: 1_000, missing: 1_000)
        _ = machine.ended(1, missing: 1_000)
        _ = machine.timerFired(machine.id)
        let next = head(200, [("icy-name", "One")] + (type.map { [("Content-Type", $0)] } ?? []))
        let actions = short(machine.responded(machine.id, next))
        let goesOn = ["discontinuity 1000", "interleave 0"]
        #expect(actions == (type == "audio/aac" ? ["stop", "fail", "failed http.resourceChanged"] : goesOn))
    }

    @Test("A live stream lost while paused is requested again when the reader advances")
    func aBroadcastDroppedInAPauseIsAskedForAgain() throws {
        var machine = try makeFetchMachine()
        _ = machine.requestBytes(from: 0, missing: 0)
        _ = machine.responded(1, head(200, [("icy-name", "One")]))
        #expect(short(machine.received(1, count: 4 << 20, missing: 4 * FetchMachineTests.mega)) == ["pause"])
        #expect(machine.failed(1, .cutShort(at: 1, of: 2)).isEmpty)
        #expect(
            short(machine.requestBytes(from: 2 * FetchMachineTests.mega, missing: 4 * FetchMachineTests.mega)) == [
                "send whole"
            ]
        )
    }
}
