/// The facts that the connection itself needs of a field section, noted while its lines are read.
struct NotedFields {
    /// The number of lines of one name, and the index of the first among all.
    struct Lines {
        private(set) var count = 0
        private(set) var first = 0

        mutating func note(_ place: Int) {
            if count == 0 { first = place }
            count += 1
        }
    }

    private(set) var host = Lines()
    private(set) var contentLength = Lines()
    private(set) var transferEncoding = Lines()
    private(set) var expect = Lines()
    /// `close` among the options of any Connection line.
    private(set) var asksClose = false
    /// `keep-alive` among the options of any Connection line.
    private(set) var asksKeepAlive = false

    private static let hostName = Array("host".utf8)
    private static let expectName = Array("expect".utf8)
    private static let connectionName = Array("connection".utf8)
    private static let contentLengthName = Array("content-length".utf8)
    private static let transferEncodingName = Array("transfer-encoding".utf8)
    private static let closeOption = Array("close".utf8)
    private static let keepAliveOption = Array("keep-alive".utf8)

    /// Looks at one line.
    ///
    /// The length of a name rules nearly all of them out before a byte is compared.
    mutating func note(_ buffer: [UInt8], name: Range<Int>, value: Range<Int>, place: Int) {
        switch name.count {
        case 4 where buffer.spells(Self.hostName, in: name): host.note(place)
        case 6 where buffer.spells(Self.expectName, in: name): expect.note(place)
        case 10 where buffer.spells(Self.connectionName, in: name): noteOptions(buffer, value)
        case 14 where buffer.spells(Self.contentLengthName, in: name): contentLength.note(place)
        case 17 where buffer.spells(Self.transferEncodingName, in: name): transferEncoding.note(place)
        default: break
        }
    }

    private mutating func noteOptions(_ buffer: [UInt8], _ value: Range<Int>) {
        var start = value.lowerBound
        for index in value.lowerBound...value.upperBound where index == value.upperBound || buffer[index] == .comma {
            let option = buffer.trimmingBlanks(start..<index)
            if buffer.spells(Self.closeOption, in: option) { asksClose = true }
            if buffer.spells(Self.keepAliveOption, in: option) { asksKeepAlive = true }
            start = index + 1
        }
    }
}
