import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// Field values are tested in blocks of 16 bytes: every byte at every place of a block and beside it (RFC 9110 section 5.5).
@Suite struct FieldValueTests {
    private func transcript(_ value: [UInt8]) -> String {
        var conversation = Conversation()
        conversation.feed(Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + value + Array("\r\n\r\n".utf8))
        return conversation.transcript.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }

    @Test(arguments: [0, 1, 14, 15, 16, 17, 31, 32, 33, 47, 48, 49])
    func `a control character is refused wherever it stands`(place: Int) {
        for control: UInt8 in [0x00, 0x01, 0x08, 0x0B, 0x1F, 0x7F] {
            var value = [UInt8](repeating: 0x61, count: 50)
            value[place] = control
            #expect(transcript(value).hasPrefix("refused malformedFieldValue 400"), "\(control) at \(place)")
        }
    }

    @Test(arguments: [1, 14, 15, 16, 17, 31, 32, 33, 47, 48])
    func `a tab, a blank and bytes above ASCII may stand anywhere inside`(place: Int) {
        for byte: UInt8 in [0x09, 0x20, 0x7E, 0x80, 0xC3, 0xFF] {
            var value = [UInt8](repeating: 0x61, count: 50)
            value[place] = byte
            #expect(transcript(value).hasPrefix("request GET / HTTP/1.1"), "\(byte) at \(place)")
        }
    }

    @Test func `values of each length around the blocks are whole`() {
        for length in 1...66 {
            var machine = Conversation().machine
            let value = (0..<length).map { UInt8(0x21 + $0 % 0x5D) }
            machine.received(Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8)[...], now: .epoch)
            machine.received((value + Array("\r\n\r\n".utf8))[...], now: .epoch)
            guard case .head(let head, _)? = machine.nextEvent(now: .epoch) else {
                Issue.record("no head with a value of \(length) bytes")
                continue
            }
            expectEqual(head.bytes(of: "X").map(Array.init), value)
        }
    }
}
