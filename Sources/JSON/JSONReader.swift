/// Reads a JSON text (RFC 8259) strictly: valid UTF-8 only, one value, nothing after it.
public struct JSONReader {
    /// The extensions of the grammar that the reader accepts, and its limits.
    public struct Options: Hashable, Sendable {
        /// Containers inside one another that are accepted; the outermost counts as one.
        public var maxDepth: Int
        /// Values that are accepted, each container counting as one beside what is in it.
        public var maxValues: Int
        /// Accepts an object that repeats a name; the last member wins on look-up.
        public var allowDuplicateNames: Bool
        /// Skips a byte order mark before the value.
        public var allowBOM: Bool

        /// The options of a plain text: 64 levels, any number of values, duplicates kept, no byte order mark.
        public init(
            maxDepth: Int = 64,
            maxValues: Int = .max,
            allowDuplicateNames: Bool = true,
            allowBOM: Bool = false
        ) {
            self.maxDepth = maxDepth
            self.maxValues = maxValues
            self.allowDuplicateNames = allowDuplicateNames
            self.allowBOM = allowBOM
        }
    }

    /// A container that is still open.
    private struct Frame {
        var isObject: Bool
        var elements: [JSON] = []
        var members: [JSONObject.Member] = []
        var name = ""
        /// The start of each name; kept only when duplicates are an error.
        var nameOffsets: [Int] = []
    }

    private var scanner: JSONScanner
    private let options: Options
    /// The open containers, on the heap, so that depth costs no machine stack.
    private var open: [Frame] = []
    private var values = 0

    private init(_ bytes: [UInt8], options: Options) {
        scanner = JSONScanner(bytes)
        self.options = options
    }

    /// Reads one value that fills the bytes, white space around it aside.
    public static func read(_ bytes: [UInt8], options: Options = Options()) throws(JSONSyntaxError) -> JSON {
        var reader = JSONReader(bytes, options: options)
        return try reader.document()
    }

    /// Reads one value that fills the slice; offsets in errors count from the start of the slice.
    public static func read(_ bytes: ArraySlice<UInt8>, options: Options = Options()) throws(JSONSyntaxError) -> JSON {
        try read(Array(bytes), options: options)
    }

    /// Reads one value that fills the text.
    public static func read(text: String, options: Options = Options()) throws(JSONSyntaxError) -> JSON {
        try read(Array(text.utf8), options: options)
    }

    /// Reads one value and keeps what is needed to find its parts in the text again.
    public static func readWithPositions(
        _ bytes: [UInt8],
        options: Options = Options()
    ) throws(JSONSyntaxError) -> (JSON, JSONPositions) {
        (try read(bytes, options: options), JSONPositions(validated: bytes))
    }

    private mutating func document() throws(JSONSyntaxError) -> JSON {
        if scanner.skipByteOrderMark(), !options.allowBOM {
            throw scanner.failure(.byteOrderMark, "the text starts with a byte order mark", at: 0)
        }
        scanner.skipWhitespace()
        guard !scanner.isAtEnd else { throw scanner.failure(.empty, "there is no value") }
        let value = try value()
        scanner.skipWhitespace()
        guard scanner.isAtEnd else {
            let failure = scanner.unexpected(expected: "the end of the text after the value")
            guard failure.reason == .unexpectedByte else { throw failure }
            throw scanner.failure(.trailingBytes, failure.message)
        }
        return value
    }

    private mutating func value() throws(JSONSyntaxError) -> JSON {
        while true {
            guard var value = try scalarOrOpen() else { continue }
            while true {
                guard !open.isEmpty else { return value }
                guard let closed = try attach(value) else { break }
                value = closed
            }
        }
    }

    /// A value that is complete, or nil after opening a container that has something in it.
    private mutating func scalarOrOpen() throws(JSONSyntaxError) -> JSON? {
        guard let byte = scanner.peek() else { throw scanner.unexpected(expected: "a value") }
        guard values < options.maxValues else {
            throw scanner.failure(.tooManyValues, "more than \(options.maxValues) values")
        }
        values += 1
        switch byte {
        case UInt8(ascii: "\""):
            return .string(try scanner.string())
        case UInt8(ascii: "-"), 0x30...0x39:
            return try scanner.number()
        case UInt8(ascii: "{"):
            try checkDepth()
            scanner.advance()
            scanner.skipWhitespace()
            if scanner.peek() == UInt8(ascii: "}") {
                scanner.advance()
                return .object(JSONObject())
            }
            open.append(Frame(isObject: true))
            try name(expected: "a member name in quotes or '}'")
            return nil
        case UInt8(ascii: "["):
            try checkDepth()
            scanner.advance()
            scanner.skipWhitespace()
            if scanner.peek() == UInt8(ascii: "]") {
                scanner.advance()
                return .array([])
            }
            open.append(Frame(isObject: false))
            return nil
        case UInt8(ascii: "t"):
            try scanner.word("true", bytes: [0x74, 0x72, 0x75, 0x65])
            return .bool(true)
        case UInt8(ascii: "f"):
            try scanner.word("false", bytes: [0x66, 0x61, 0x6C, 0x73, 0x65])
            return .bool(false)
        case UInt8(ascii: "n"):
            try scanner.word("null", bytes: [0x6E, 0x75, 0x6C, 0x6C])
            return .null
        default:
            throw scanner.unexpected(expected: "a value")
        }
    }

    private func checkDepth() throws(JSONSyntaxError) {
        guard open.count < options.maxDepth else {
            throw scanner.failure(.tooDeep, "more than \(options.maxDepth) arrays and objects inside one another")
        }
    }

    /// Puts a value into the innermost container; the container itself when that closed it.
    private mutating func attach(_ value: JSON) throws(JSONSyntaxError) -> JSON? {
        let top = open.count - 1
        guard open[top].isObject else {
            open[top].elements.append(value)
            scanner.skipWhitespace()
            switch scanner.peek() {
            case UInt8(ascii: ","):
                scanner.advance()
                scanner.skipWhitespace()
                return nil
            case UInt8(ascii: "]"):
                scanner.advance()
                return .array(open.removeLast().elements)
            default:
                throw scanner.unexpected(expected: "',' or ']'")
            }
        }
        open[top].members.append(JSONObject.Member(name: open[top].name, value: value))
        scanner.skipWhitespace()
        switch scanner.peek() {
        case UInt8(ascii: ","):
            scanner.advance()
            scanner.skipWhitespace()
            try name(expected: "a member name in quotes")
            return nil
        case UInt8(ascii: "}"):
            scanner.advance()
            return .object(try closeObject())
        default:
            throw scanner.unexpected(expected: "',' or '}'")
        }
    }

    private mutating func closeObject() throws(JSONSyntaxError) -> JSONObject {
        let frame = open.removeLast()
        let object = JSONObject(frame.members)
        guard !options.allowDuplicateNames, let index = object.firstDuplicateIndex() else { return object }
        let name = JSON.string(frame.members[index].name).text
        throw scanner.failure(.duplicateName, "the object already has a member \(name)", at: frame.nameOffsets[index])
    }

    /// Consumes a member name, its colon and the space up to the value.
    private mutating func name(expected: String) throws(JSONSyntaxError) {
        guard scanner.peek() == UInt8(ascii: "\"") else { throw scanner.unexpected(expected: expected) }
        let top = open.count - 1
        if !options.allowDuplicateNames { open[top].nameOffsets.append(scanner.index) }
        open[top].name = try scanner.string()
        scanner.skipWhitespace()
        guard scanner.peek() == UInt8(ascii: ":") else { throw scanner.unexpected(expected: "':'") }
        scanner.advance()
        scanner.skipWhitespace()
    }
}
