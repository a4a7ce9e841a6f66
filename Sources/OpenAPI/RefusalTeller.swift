import Formats
import JSON

/// Turns a sample of an error's schema into one that tells of a refusal (own-API contract, section 5).
///
/// Members are known by their names, in any spelling, at the top, in objects there and in the lists of details. Each takes
/// the first value that fits the schema. What a name says nothing about is left out where the schema allows that, since a
/// sample's words would be taken for the server's.
struct RefusalTeller {
    private let facts: RefusalFacts
    private let path: String
    private let fits: (JSON) -> Bool
    private(set) var told: JSON

    /// The objects in one another that are looked at.
    private static let depth = 3
    /// The details that are told.
    private static let mostDetails = 20

    init(_ sample: JSON, _ facts: RefusalFacts, path: String, fits: @escaping (JSON) -> Bool) {
        (told, self.facts, self.path, self.fits) = (sample, facts, path, fits)
    }

    mutating func tell() {
        guard case .object(let object) = told else { return }
        tell(object, at: [])
        guard case .object(let object) = told else { return }
        for member in object.members { forget(member.value, at: [.key(member.name)]) }
    }

    // MARK: The error

    private mutating func tell(_ object: JSONObject, at place: [JSONPathElement]) {
        let names = object.members.map { ($0, RefusalName($0.name)) }
        let hasMessage = names.contains { $0.1 == .message && $0.0.value.stringValue != nil }
        let hasCode = names.contains { $0.1 == .code && $0.0.value.objectValue == nil }
        let hasStatus = names.contains { $0.1 == .status }
        let codes = facts.codes.map { JSON.string($0) } + [.integer(Int64(facts.status))]
        let message = JSON.string(facts.message)
        for (member, name) in names {
            let here = place + [.key(member.name)]
            switch (name, member.value) {
            case (.details?, .object): put(detailsByPlace, at: here)
            case (_, .object(let inner)): if here.count < Self.depth { tell(inner, at: here) }
            case (.details?, .array(let list)), (.error?, .array(let list)), (.message?, .array(let list)):
                tell(list, at: here, isAll: !hasMessage && !hasCode)
            case (.code?, _):
                // The type of RFC 9457 is an address.
                let isAddress = member.value.stringValue.map { $0.contains("/") || $0.hasPrefix("about:") } == true
                put(isAddress ? ["about:blank"] : codes, at: here)
            case (.message?, _): put([message], at: here)
            case (.title?, _): put([.string(facts.title)], at: here)
            case (.status?, _): put(Self.statuses(facts.status), at: here)
            case (.success?, _): put([false], at: here)
            case (.failure?, _): put([true], at: here)
            case (.error?, .bool): put([true], at: here)
            case (.error?, _):
                if hasMessage, hasStatus, !hasCode {
                    put([.string(facts.title)] + codes, at: here)
                } else {
                    put(hasMessage ? codes : [message] + codes, at: here)
                }
            case (.path?, _): put([.string(path)], at: here)
            default: break
            }
        }
    }

    private static func statuses(_ status: Int) -> [JSON] {
        [.integer(Int64(status)), .string("\(status)")] + ["error", "fail", "failed", "failure", "ERROR", "FAIL"]
    }

    // MARK: Details

    /// Tells the details in a list; one that is all there is of the error has one element without details, too.
    private mutating func tell(_ list: [JSON], at place: [JSONPathElement], isAll: Bool) {
        let whole = RefusalFacts.Detail(path: "", reason: facts.message)
        let details = facts.details.isEmpty && isAll ? [whole] : Array(facts.details.prefix(Self.mostDetails))
        guard !details.isEmpty else {
            put([nil, []], at: place)
            return
        }
        guard let element = list.first else { return }
        if case .string = element {
            let texts = details.map { ($0.path.isEmpty ? "" : $0.path + ": ") + $0.reason }
            put([.array(texts.map { .string($0) })], at: place)
            return
        }
        put([.array(details.map { _ in element }), .array([element])], at: place)
        let count = told.at(place[...])?.arrayValue?.count ?? 0
        for (index, detail) in details.prefix(count).enumerated() {
            let here = place + [.index(index)]
            guard case .object(let object)? = told.at(here[...]) else { continue }
            tell(object, of: detail, at: here)
        }
    }

    private mutating func tell(_ object: JSONObject, of detail: RefusalFacts.Detail, at place: [JSONPathElement]) {
        for member in object.members {
            let here = place + [.key(member.name)]
            let name = DetailName(member.name)
            if case .object(let inner) = member.value {
                if here.count <= Self.depth { tell(inner, of: detail, at: here) }
                if told.at(here[...])?.objectValue?.isEmpty == true { put([nil], at: here) }
                continue
            }
            switch name {
            case .place? where detail.path.isEmpty, .pointer? where detail.path.isEmpty: put([nil, ""], at: here)
            case .place?: put(Self.places(detail, member), at: here)
            case .pointer?: put([.string("/" + detail.pieces.joined(separator: "/"))], at: here)
            case .reason?: put([.string(detail.reason)], at: here)
            case .title?: put([.string(facts.title)], at: here)
            case .status?: put(Self.statuses(facts.status), at: here)
            case .code?: put(facts.codes.map { .string($0) }, at: here)
            case nil: forget(member.value, at: here)
            }
        }
    }

    /// The place of a detail as a member of that name and form may have it.
    private static func places(_ detail: RefusalFacts.Detail, _ member: JSONObject.Member) -> [JSON] {
        let plain = detail.pieces.joined(separator: ".")
        if case .array = member.value {
            let part = detail.path.hasPrefix("$") ? "body" : detail.path.hasPrefix("?") ? "query" : "path"
            let pieces: [JSON] = detail.pieces.map { piece in Int64(piece).map { .integer($0) } ?? .string(piece) }
            return [.array([.string(part)] + pieces), .array(detail.pieces.map { .string($0) })]
        }
        let texts = member.name == "path" ? [detail.path, plain] : [plain, detail.path]
        return texts.map { .string($0) }
    }

    /// The details as an object: the reasons of each place, as lists or as texts.
    private var detailsByPlace: [JSON?] {
        guard !facts.details.isEmpty else { return [nil, .object(JSONObject())] }
        var lists = JSONObject()
        var texts = JSONObject()
        for detail in facts.details.prefix(Self.mostDetails) {
            let name = detail.pieces.joined(separator: ".")
            lists[name] = .array((lists[name]?.arrayValue ?? []) + [.string(detail.reason)])
            if texts[name] == nil { texts[name] = .string(detail.reason) }
        }
        return [.object(lists), .object(texts), nil, .object(JSONObject())]
    }

    // MARK: Values

    /// Gives a member the first of some values, nil for none, that fits.
    private mutating func put(_ values: [JSON?], at place: [JSONPathElement]) {
        for value in values {
            let changed = told.setting(place[...], to: value)
            guard fits(changed) else { continue }
            told = changed
            return
        }
    }

    /// Leaves out a member that no name tells the meaning of, unless it says something by its schema.
    private mutating func forget(_ value: JSON, at place: [JSONPathElement]) {
        guard case .key(let name)? = place.last else { return }
        switch value {
        case .null, .bool: return
        case .string(let text):
            // One of a closed list, or of a format, is not made up.
            guard RefusalName(name) == nil, fits(told.setting(place[...], to: .string(text + "x"))) else { return }
        case .object(let object):
            let isTold = object.members.contains { RefusalName($0.name) != nil }
            if isTold {
                for member in object.members { forget(member.value, at: place + [.key(member.name)]) }
                return
            }
            guard RefusalName(name) == nil else { return }
        case .integer, .number, .array: guard RefusalName(name) == nil else { return }
        }
        put(value.arrayValue == nil ? [nil] : [nil, []], at: place)
    }
}

extension JSON {
    fileprivate func at(_ place: ArraySlice<JSONPathElement>) -> JSON? {
        guard let first = place.first else { return self }
        switch first {
        case .key(let name): return objectValue?[name]?.at(place.dropFirst())
        case .index(let index):
            guard let list = arrayValue, list.indices.contains(index) else { return nil }
            return list[index].at(place.dropFirst())
        }
    }

    /// The value with another one, or none, at a place.
    fileprivate func setting(_ place: ArraySlice<JSONPathElement>, to value: JSON?) -> JSON {
        switch (place.first, self) {
        case (.key(let name)?, .object(var object)):
            object[name] = place.count == 1 ? value : object[name]?.setting(place.dropFirst(), to: value)
            return .object(object)
        case (.index(let index)?, .array(var list)) where list.indices.contains(index):
            guard let changed = place.count == 1 ? value : list[index].setting(place.dropFirst(), to: value) else {
                list.remove(at: index)
                return .array(list)
            }
            list[index] = changed
            return .array(list)
        default: return self
        }
    }
}
