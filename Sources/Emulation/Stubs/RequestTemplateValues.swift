package import CivilTime
import HTTPMessage
package import JSON
package import Templates

/// The values that placeholders have in the answer to a request (own-API contract, section 9).
///
/// Counters and chance are those of the API in its world; `commit` writes them back.
package struct RequestTemplateValues: TemplateValues {
    private let call: Call
    private let api: AnyAPI
    private let index: Int
    private let world: World
    private let path: [(name: String, value: String)]
    private let locals: [(name: String, value: JSON)]
    private let subject: MatchSubject
    private var counters: Counters
    private var randomness: Randomness
    private var hasDrawn = false
    private var form: JSON??

    /// Creates the values of a call.
    ///
    /// `path` are the parameters of the template that matched; `locals` what the owner of the template adds.
    package init(
        _ call: Call,
        _ api: AnyAPI,
        _ index: Int,
        in world: World,
        subject: MatchSubject? = nil,
        path: [(name: String, value: String)] = [],
        locals: [(name: String, value: JSON)] = []
    ) {
        self.call = call
        self.api = api
        self.index = index
        self.world = world
        self.path = path
        self.locals = locals
        self.subject = subject ?? MatchSubject(call, api: api.identity.name, user: call.user)
        counters = world.core.counters
        randomness = world.core.randomness
    }

    package var now: Instant { call.now }
    package var anchors: (start: Instant, day: Instant) { (call.epoch.t0, call.epoch.d0) }

    package mutating func value(of placeholder: Placeholder) -> JSON? {
        switch placeholder {
        case .path(let name): return path.last { $0.name == name }.map { .string($0.value) }
        case .query(let name): return subject.query.first(name).map { .string($0) }
        case .header(let name): return FieldName(name).flatMap { call.fields[$0] }.map { .string($0) }
        case .body(let path): return body?.part(at: path)
        case .user(let path): return api.templateUser(world, index, call)?.part(at: path)
        case .uuid: return .string(draw { $0.uuid() })
        case .chance(let range): return .integer(draw { $0.number(in: range) })
        case .pick(let words): return .string(draw { words[$0.below(words.count)] })
        case .counter(let name):
            hasDrawn = true
            randomness.noteCount()
            return .integer(Int64(clamping: counters.next(Self.counter(name, of: api.identity.name))))
        case .state(let name): return api.state(named: name, world, index).map { .string($0) }
        case .requestID: return .string(call.requestID)
        case .requestMethod: return .string(call.method.rawValue)
        case .requestPath: return .string(call.path.text)
        case .base: return .string(call.origin)
        case .local(let name, let path): return locals.last { $0.name == name }?.value.part(at: path)
        case .time: return nil
        }
    }

    /// Writes counters and streams back into the world.
    package func commit(to world: inout World) {
        guard hasDrawn else { return }
        world.withCore { core in
            core.counters = counters
            core.randomness = randomness
        }
    }

    /// The name of a counter's line in the world; a reset of the API takes it away.
    private static func counter(_ name: String, of api: String) -> String { "\(api).counter.\(name)" }

    private mutating func draw<Value>(_ make: (inout SeededStream) -> Value) -> Value {
        hasDrawn = true
        var stream = randomness.stream("template", of: api.identity.name)
        return make(&stream)
    }

    /// The body as JSON, or the fields of a form with their first values.
    private var body: JSON? {
        mutating get {
            if let form { return form }
            let found = readForm() ?? subject.json?.value
            form = .some(found)
            return found
        }
    }

    private func readForm() -> JSON? {
        guard let type = call.fields[.contentType], subject.isWhole else { return nil }
        var fields: [(name: String, value: String)]
        switch MediaType(type)?.essence {
        case "application/x-www-form-urlencoded":
            fields = QueryItems(bytes: subject.content[...]).items.map { ($0.name, $0.value) }
        case "multipart/form-data":
            guard let parts = try? MultipartParser.parse(body: subject.content, contentType: type) else { return nil }
            fields = parts.filter { $0.filename == nil }.map { ($0.name, $0.text) }
        default: return nil
        }
        var object = JSONObject()
        for field in fields where object[field.name] == nil { object.append(field.name, .string(field.value)) }
        return .object(object)
    }
}

/// The values of an answer that has no placeholders.
struct NoTemplateValues: TemplateValues {
    let now: Instant
    let epoch: Epoch

    var anchors: (start: Instant, day: Instant) { (epoch.t0, epoch.d0) }

    func value(of placeholder: Placeholder) -> JSON? { nil }
}

extension SeededStream {
    /// Returns a number within bounds.
    package mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        // Zero stands for all numbers of 64 bits.
        let span = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
        let offset = span == 0 ? next() : next().multipliedFullWidth(by: span).high
        return range.lowerBound &+ Int64(bitPattern: offset)
    }

    /// Returns a version 4 UUID (RFC 9562 section 5.4).
    package mutating func uuid() -> String {
        let high = next() & ~0xF000 | 0x4000
        let low = next() & ~(3 << 62) | 1 << 63
        var digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func hexadecimal(_ number: UInt64) -> [UInt8] {
        let alphabet = Array("0123456789abcdef".utf8)
        return (0..<16).map { alphabet[Int(number >> UInt64(60 - 4 * $0) & 15)] }
    }
}
