import CYAML

/// One event of a YAML text.
struct YAMLEvent {
    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias(String)
        /// A scalar; `isPlain` if it was written without quotes and has no tag.
        case scalar(String, tag: String?, isPlain: Bool, anchor: String?)
        case sequenceStart(tag: String?, anchor: String?)
        case sequenceEnd
        case mappingStart(tag: String?, anchor: String?)
        case mappingEnd
    }

    let kind: Kind
    /// From 1.
    let line: Int
    /// From 1, in code points.
    let column: Int
}

/// The wall over libyaml: hands out the events of a text one by one, as values.
@safe struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The text, which libyaml reads as it goes.
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) throws(YAMLError) {
        unsafe parser = .allocate(capacity: 1)
        unsafe text = .allocate(capacity: max(bytes.count, 1))
        _ = unsafe text.initialize(from: bytes)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            unsafe text.deallocate()
            throw YAMLError(line: 1, column: 1, message: "there is not enough memory to read the text")
        }
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// Returns the next event; after the end of the stream nobody asks.
    mutating func next() throws(YAMLError) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { unsafe yaml_event_delete(&event) }
        let mark = unsafe event.start_mark
        return unsafe YAMLEvent(kind: kind(of: event), line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_ALIAS_EVENT: return unsafe .alias(Self.string(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let content = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return unsafe .scalar(
                String(decoding: content, as: UTF8.self),
                tag: Self.string(scalar.tag),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nil,
                anchor: Self.string(scalar.anchor)
            )
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return unsafe .sequenceStart(tag: Self.string(start.tag), anchor: Self.string(start.anchor))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return unsafe .mappingStart(tag: Self.string(start.tag), anchor: Self.string(start.anchor))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return .streamEnd
        }
    }

    private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe text.map { unsafe String(cString: UnsafePointer($0)) }
    }

    /// The error that libyaml has stopped at, in its words.
    private var failure: YAMLError {
        let state = unsafe parser.pointee
        var message = unsafe state.problem.map { unsafe String(cString: $0) } ?? "the text is not YAML"
        if let context = unsafe state.context { message = unsafe "\(String(cString: context)): \(message)" }
        if unsafe state.error == YAML_READER_ERROR {
            // A reader's error has an offset and no mark.
            let place = unsafe min(Int(state.problem_offset), text.count)
            let before = unsafe text.prefix(place)
            let line = unsafe before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
            let start = unsafe before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            return YAMLError(line: line, column: place - start + 1, message: message)
        }
        let mark = unsafe state.problem_mark
        return YAMLError(line: Int(mark.line) + 1, column: Int(mark.column) + 1, message: message)
    }
}
