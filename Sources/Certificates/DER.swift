import CivilTime

/// The writer of DER (X.690), as far as certificates and OCSP responses need it.
enum DER {
    /// Returns an element of that tag.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap { $0 }) }

    static func set(_ elements: [UInt8]...) -> [UInt8] { element(0x31, elements.flatMap { $0 }) }

    /// Returns a whole number of zero or more, given highest byte first.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        var content = Array(bytes.drop { $0 == 0 })
        // A set high bit would mean a negative number.
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: 0) }
        return element(0x02, content)
    }

    static func enumerated(_ value: UInt8) -> [UInt8] { element(0x0A, [value]) }

    static let yes: [UInt8] = [0x01, 0x01, 0xFF]

    static let null: [UInt8] = [0x05, 0x00]

    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    /// Returns a string of whole bytes.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// Returns a list of flags, whose numbers count from the highest bit of the first byte; at most eight of them.
    static func flags(_ numbers: [Int]) -> [UInt8] {
        let last = numbers.max() ?? 0
        let byte = numbers.reduce(UInt8(0)) { $0 | 0x80 >> UInt8($1) }
        return element(0x03, [UInt8(7 - last), byte])
    }

    static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }

    /// Returns an object identifier.
    static func identifier(_ arcs: [Int]) -> [UInt8] {
        var content = [UInt8(arcs[0] * 40 + arcs[1])]
        for arc in arcs.dropFirst(2) {
            var bytes = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            content += bytes
        }
        return element(0x06, content)
    }

    /// Returns an element in an explicit tag of the context.
    static func tagged(_ number: UInt8, _ element: [UInt8]) -> [UInt8] { self.element(0xA0 | number, element) }

    /// Returns a time in the form of RFC 5280, section 4.1.2.5: two digits of the year until 2049, then four.
    static func time(_ instant: Instant) -> [UInt8] {
        let digits = digits(of: instant)
        guard instant.civilDate.year < 2050 else { return element(0x18, digits) }
        return element(0x17, Array(digits.dropFirst(2)))
    }

    /// Returns a time with four digits of the year.
    static func longTime(_ instant: Instant) -> [UInt8] { element(0x18, digits(of: instant)) }

    private static func digits(of instant: Instant) -> [UInt8] {
        instant.iso8601(.seconds).utf8.filter { (0x30...0x39).contains($0) || $0 == 0x5A }
    }
}
