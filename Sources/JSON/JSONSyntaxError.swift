/// A syntax error with its place and reason.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Reason: String, Hashable, Sendable {
        /// Nothing but white space.
        case empty
        /// The text stops inside a value.
        case unexpectedEnd
        /// A byte that is not allowed at this place.
        case unexpectedByte
        /// One container more than `JSONReader.Options.maxDepth`.
        case tooDeep
        /// One value more than `JSONReader.Options.maxValues`.
        case tooManyValues
        /// Not UTF-8 (RFC 3629): a stray, overlong, surrogate or out-of-range sequence.
        case invalidUTF8
        /// A control character below U+0020 inside a string (RFC 8259 section 7).
        case controlCharacter
        /// A backslash followed by none of the eight letters, or `\u` without four hexadecimal digits.
        case invalidEscape
        /// Half of a `\u` surrogate pair.
        case loneSurrogate
        /// An incomplete or malformed number.
        case invalidNumber
        /// Bytes after the value.
        case trailingBytes
        /// A name that its object already has.
        case duplicateName
        /// A byte order mark (RFC 8259 section 8.1).
        case byteOrderMark
    }

    /// Bytes before the mistake, from 0.
    public var offset: Int
    /// The line of the mistake, from 1; lines end at U+000A.
    public var line: Int
    /// The place on that line, from 1, in code points.
    public var column: Int
    /// The kind of mistake.
    public var reason: Reason
    /// The expected input or the defect, without the place; starts in lower case and has no full stop.
    public var message: String

    init(_ reason: Reason, _ message: String, at offset: Int, in bytes: [UInt8]) {
        let place = JSONPosition(offset: offset, in: bytes)
        self.offset = offset
        self.line = place.line
        self.column = place.column
        self.reason = reason
        self.message = message
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// One sentence with place and reason.
    public var description: String { "Invalid JSON at line \(line), column \(column): \(message)." }
}
