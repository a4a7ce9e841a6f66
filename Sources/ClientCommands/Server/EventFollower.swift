import HTTPMessage
import HTTPWire
import JSON
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The events of a world as they happen, resumed where the connection was lost (console contract, section 3).
struct EventFollower {
    let server: RunningServer
    /// The waits before the tries to connect again, in seconds.
    private static let waits: [UInt32] = [1, 2, 4, 8]
    /// Bytes of the longest event or refusal.
    private static let longest = 1 << 20

    init(_ server: RunningServer) { self.server = server }

    /// Follows the events until the process ends.
    ///
    /// `caughtUp` is called whenever the stream has been opened, or has a gap: what happened before is in the lists.
    func run(
        caughtUp: () throws(CommandFailure) -> Void,
        event: (_ kind: String, _ data: JSON) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> Never {
        var last: String?
        var tries = 0
        var hasBeenOpen = false
        while true {
            var failure: CommandFailure?
            var isOpen = false
            var lines = EventLines()
            var refusal: (status: Int, isProblem: Bool, content: [UInt8])?
            func attempt(_ body: () throws(CommandFailure) -> Void) -> Bool {
                do throws(CommandFailure) {
                    try body()
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            try server.follow(after: last) { step in
                switch step {
                case .head(let head):
                    let type = head.fields[.contentType] ?? ""
                    guard head.status == .ok, type.hasPrefix("text/event-stream") else {
                        refusal = (head.status.code, type.hasPrefix("application/problem+json"), [])
                        return true
                    }
                    (isOpen, hasBeenOpen, tries) = (true, true, 0)
                    return attempt(caughtUp)
                case .content(let bytes):
                    if let length = refusal?.content.count {
                        refusal?.content += bytes
                        return length < Self.longest
                    }
                    return attempt { () throws(CommandFailure) in
                        for found in lines.take(bytes) {
                            if let id = found.id { last = id }
                            if found.kind == "gap" { try caughtUp() }
                            try event(found.kind, found.data)
                        }
                        guard lines.length <= Self.longest else {
                            throw server.stranger("an event of more than \(Self.longest) bytes")
                        }
                    }
                case .end: return false
                case .failed(let reason):
                    if !hasBeenOpen { failure = server.noServer(reason) }
                    return false
                }
            }
            if let refusal {
                let answer = ServerAnswer(
                    status: refusal.status,
                    content: refusal.content,
                    isJSON: true,
                    totalCount: nil
                )
                guard refusal.isProblem, answer.isObject else {
                    throw server.stranger("\(refusal.status) without events")
                }
                // A world that is gone does not come back.
                throw .problem(answer)
            }
            if let failure {
                // While the server is away, the lists can't be read either.
                switch failure {
                case .noServer where hasBeenOpen, .noAnswer where hasBeenOpen: break
                default: throw failure
                }
            }
            if isOpen { Terminal.error("understudy: the connection to \(server.place.text) is lost; trying again") }
            _ = sleep(Self.waits[min(tries, Self.waits.count - 1)])
            tries += 1
        }
    }
}

/// The frames of a `text/event-stream`, cut from pieces (WHATWG HTML, section 9.2).
struct EventLines {
    struct Event {
        var id: String?
        var kind: String
        var data: JSON
    }

    private var rest: [UInt8] = []
    private var id: String?
    private var kind = "message"
    private var data: [UInt8] = []
    private var hasData = false

    /// The bytes of the event that is not whole yet.
    var length: Int { rest.count + data.count }

    /// Takes a piece and returns the events that are whole.
    mutating func take(_ bytes: [UInt8]) -> [Event] {
        var found: [Event] = []
        rest += bytes
        var start = 0
        while let end = rest[start...].firstIndex(of: 0x0A) {
            if let event = takeLine(rest[start..<end]) { found.append(event) }
            start = end + 1
        }
        rest.removeFirst(start)
        return found
    }

    private mutating func takeLine(_ line: ArraySlice<UInt8>) -> Event? {
        let line = line.last == 0x0D ? line.dropLast() : line
        guard !line.isEmpty else {
            defer { (kind, data, hasData) = ("message", [], false) }
            guard hasData else { return nil }
            let event = Event(id: id, kind: kind, data: (try? JSONReader.read(data)) ?? .null)
            id = nil
            return event
        }
        let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
        let name = String(decoding: line[..<colon], as: UTF8.self)
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        switch name {
        case "id": id = String(decoding: value, as: UTF8.self)
        case "event": kind = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        default: break
        }
        return nil
    }
}
