/// Writes JSON text piece by piece; commas and indentation are the writer's business.
///
/// Without options the text is compact, slashes stay as they are and characters beyond ASCII are raw UTF-8. The caller
/// opens and closes containers in pairs and writes a name before each member's value.
public struct JSONWriter: Sendable {
    /// Variations of the text.
    public struct Options: Hashable, Sendable {
        /// Writes `<`, `>` and `&` as `\u003c`, `\u003e` and `\u0026`, as some server frameworks do.
        public var escapeHTML: Bool
        /// Writes U+0085, U+2028 and U+2029 as `\u` escapes, so that no reader takes them for a line end.
        public var escapeLineSeparators: Bool
        /// Puts each member and element on a line of its own, indented by two spaces for each level.
        public var pretty: Bool

        /// Creates options for compact text with raw characters by default.
        public init(escapeHTML: Bool = false, escapeLineSeparators: Bool = false, pretty: Bool = false) {
            self.escapeHTML = escapeHTML
            self.escapeLineSeparators = escapeLineSeparators
            self.pretty = pretty
        }
    }

    /// The context of the next value.
    private enum Place {
        case start, first, next, afterName
    }

    /// The text so far.
    public private(set) var bytes: [UInt8]
    private let options: Options
    private let strings: JSONStringEncoder
    private var place = Place.start
    private var depth = 0

    /// An empty text with room for that many bytes.
    public init(reserving capacity: Int = 256, options: Options = Options()) {
        bytes = []
        bytes.reserveCapacity(capacity)
        self.options = options
        strings = JSONStringEncoder(options: options)
    }

    /// Ends the text and hands it over.
    package consuming func finish() -> [UInt8] { bytes }

    /// Continues after bytes that are already there; they are not looked at.
    public init(appendingTo bytes: consuming [UInt8], options: Options = Options()) {
        self.bytes = bytes
        self.options = options
        strings = JSONStringEncoder(options: options)
    }

    // MARK: Containers

    /// Opens an object.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes the object.
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes the array.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// The name of the member whose value comes next.
    public mutating func name(_ name: String) {
        separate()
        strings.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if options.pretty { bytes.append(0x20) }
        place = .afterName
    }

    /// A member's name that is already JSON text with its quotes, such as one written once for many objects.
    public mutating func name(encoded: [UInt8]) {
        separate()
        bytes.append(contentsOf: encoded)
        bytes.append(UInt8(ascii: ":"))
        if options.pretty { bytes.append(0x20) }
        place = .afterName
    }

    /// A member's name that is already JSON text with its quotes and its colon.
    package mutating func name(label: [UInt8]) {
        separate()
        bytes.append(contentsOf: label)
        if options.pretty { bytes.append(0x20) }
        place = .afterName
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        place = .first
        depth += 1
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        if options.pretty, place == .next { breakLine() }
        bytes.append(bracket)
        place = .next
    }

    private mutating func separate() {
        switch place {
        case .next:
            // Two values at the top level are the caller's mistake; the text shows it.
            bytes.append(UInt8(ascii: ","))
            if options.pretty { breakLine() }
        case .first:
            if options.pretty { breakLine() }
        case .start, .afterName:
            break
        }
        place = .next
    }

    private mutating func breakLine() {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: max(0, depth) * 2))
    }

    // MARK: Scalars

    /// `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// An integer.
    public mutating func integer(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        guard rest >= 10 else { return bytes.append(0x30 &+ UInt8(truncatingIfNeeded: rest)) }
        let start = bytes.count
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(0x30 &+ UInt8(truncatingIfNeeded: digit))
            rest = quotient
        }
        bytes[start...].reverse()
    }

    /// A number in its own spelling.
    public mutating func number(_ value: JSONNumber) {
        separate()
        bytes.append(contentsOf: value.text.utf8)
    }

    /// A number in the spelling of `JSON.double`; `null` when it is not finite.
    public mutating func double(_ value: Double) {
        // Most are whole thousandths, such as times in milliseconds, whose spelling needs no search for the shortest.
        let thousandths = (value * 1_000).rounded()
        guard thousandths.magnitude < 1e12, thousandths / 1_000 == value else { return write(.double(value)) }
        let whole = Int64(thousandths)
        let rest = whole.magnitude % 1_000
        guard rest > 0 else { return integer(whole / 1_000) }
        if whole < 0, whole > -1_000 {
            // The integer in front of the point is zero, which has no sign.
            separate()
            bytes.append(UInt8(ascii: "-"))
            place = .afterName
        }
        integer(whole / 1_000)
        bytes.append(UInt8(ascii: "."))
        bytes.append(0x30 &+ UInt8(truncatingIfNeeded: rest / 100))
        guard rest % 100 > 0 else { return }
        bytes.append(0x30 &+ UInt8(truncatingIfNeeded: rest / 10 % 10))
        guard rest % 10 > 0 else { return }
        bytes.append(0x30 &+ UInt8(truncatingIfNeeded: rest % 10))
    }

    /// A string, with quotes and escapes.
    public mutating func string(_ value: String) {
        separate()
        strings.append(value, to: &bytes)
    }

    /// A string that lies in bytes of valid UTF-8, with quotes and escapes.
    public mutating func string(utf8 bytes: [UInt8]) {
        separate()
        strings.append(utf8: bytes, to: &self.bytes)
    }

    /// A string of characters that need no escape, written by the caller between the quotes.
    public mutating func plainString(_ write: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A value that is already JSON text; it is not looked at.
    public mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// A value that is already JSON text; it is not looked at.
    public mutating func raw(_ text: [UInt8]) {
        separate()
        bytes.append(contentsOf: text)
    }

    // MARK: Values

    /// A whole value.
    public mutating func write(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { write(element) }
            endArray()
        case .object(let object):
            write(object: object)
        }
    }

    /// A whole object.
    public mutating func write(object: JSONObject) {
        beginObject()
        for member in object.members {
            name(member.name)
            write(member.value)
        }
        endObject()
    }
}

extension JSON {
    /// The value as JSON text in UTF-8.
    public func serialized(options: JSONWriter.Options = JSONWriter.Options()) -> [UInt8] {
        var writer = JSONWriter(options: options)
        writer.write(self)
        return writer.bytes
    }

    /// The value as compact JSON text.
    public var text: String { String(decoding: serialized(), as: UTF8.self) }
}
