/// Reads server-sent events piece by piece (WHATWG HTML, section 9.2.6).
package struct EventStreamParser: Sendable {
    /// An event that was dispatched.
    package struct Event: Sendable, Equatable {
        /// `message` when the stream names none.
        package var type: String
        package var data: String
        /// The last event id as of this event.
        package var id: String
        /// The number of bytes of the stream up to and including the empty line that ended the event.
        package var end: Int
    }

    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var type = ""
    private var lastID = ""
    private var pendingID = ""
    /// The last reconnection time of the stream, in milliseconds.
    package private(set) var retry: Int?
    private var sawReturn = false
    private var isFirstLine = true
    private var position = 0
    /// The length at which a line or event is cut, so that a stream without line ends takes limited memory.
    private let limit: Int

    package init(limit: Int = 32 * 1024 * 1024) { self.limit = limit }

    /// Takes a piece and returns the events that ended in it.
    package mutating func feed(_ bytes: ArraySlice<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            position += 1
            if sawReturn {
                sawReturn = false
                if byte == 0x0A {
                    // The event ends after the whole line end.
                    if let last = events.indices.last, events[last].end == position - 1 { events[last].end = position }
                    continue
                }
            }
            switch byte {
            case 0x0A: endLine(&events)
            case 0x0D:
                sawReturn = true
                endLine(&events)
            default: if line.count < limit { line.append(byte) }
            }
        }
        return events
    }

    private mutating func endLine(_ events: inout [Event]) {
        var bytes = line[...]
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: true) }
        guard !bytes.isEmpty else {
            dispatch(&events)
            return
        }
        let colon = bytes.firstIndex(of: 0x3A) ?? bytes.endIndex
        guard colon > bytes.startIndex else { return }
        var value = colon < bytes.endIndex ? bytes[(colon + 1)...] : []
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: bytes[..<colon], as: UTF8.self) {
        case "data":
            hasData = true
            if data.count + value.count < limit {
                data += value
                data.append(0x0A)
            }
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): pendingID = String(decoding: value, as: UTF8.self)
        case "retry":
            if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(String(decoding: value, as: UTF8.self))
            {
                retry = number
            }
        default: break
        }
    }

    private mutating func dispatch(_ events: inout [Event]) {
        lastID = pendingID
        defer {
            data = []
            hasData = false
            type = ""
        }
        guard hasData else { return }
        if data.last == 0x0A { data.removeLast() }
        events.append(
            Event(
                type: type.isEmpty ? "message" : type,
                data: String(decoding: data, as: UTF8.self),
                id: lastID,
                end: position
            )
        )
    }
}
