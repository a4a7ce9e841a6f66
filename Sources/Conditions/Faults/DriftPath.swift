import JSON

/// The path of a member in a JSON response: `data.user.email`, `items[0].name`, `items.*.name`.
///
/// A segment is a member's name, the index of an element, or `*` for all members or elements.
struct DriftPath: Sendable, Equatable {
    enum Segment: Sendable, Equatable {
        case name(String)
        case place(Int)
        case all
    }

    let segments: [Segment]
    let text: String

    /// Creates a path; nil if the text is not one.
    init?(_ text: String) {
        // JSONPath's root would count as a member, which no response has: the fault would silently never act.
        guard text.utf8.count <= PathPattern.mostBytes, text != "$", !text.hasPrefix("$."), !text.hasPrefix("$[") else {
            return nil
        }
        var found: [Segment] = []
        for piece in text.split(separator: ".", omittingEmptySubsequences: false) {
            let parts = piece.split(separator: "[", omittingEmptySubsequences: false)
            guard let name = parts.first, !name.isEmpty || parts.count > 1 else { return nil }
            if name == "*" {
                found.append(.all)
            } else if !name.isEmpty {
                guard !name.contains("]") else { return nil }
                found.append(.name(String(name)))
            }
            for index in parts.dropFirst() {
                guard index.hasSuffix("]") else { return nil }
                let inside = index.dropLast()
                if inside == "*" || inside.isEmpty {
                    found.append(.all)
                } else {
                    guard inside.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let place = Int(inside) else {
                        return nil
                    }
                    found.append(.place(place))
                }
            }
        }
        guard (1...64).contains(found.count) else { return nil }
        segments = found
        self.text = text
    }

    init(_ segments: [Segment]) {
        self.segments = segments
        text = segments.map { segment in
            switch segment {
            case .name(let name): name
            case .place(let place): "\(place)"
            case .all: "*"
            }
        }.joined(separator: ".")
    }

    /// Changes the value at the path.
    ///
    /// The old value is nil if there is none, and a nil result removes it.
    ///
    /// Nothing happens where a parent is missing.
    func change(_ json: JSON, _ work: (JSON?) -> JSON?) -> JSON { Self.change(json, segments[...], work) }

    private static func change(_ json: JSON, _ rest: ArraySlice<Segment>, _ work: (JSON?) -> JSON?) -> JSON {
        guard let segment = rest.first else { return work(json) ?? .null }
        let next = rest.dropFirst()
        switch (segment, json) {
        case (.name(let name), .object(var object)):
            guard !next.isEmpty else {
                object[name] = work(object[name])
                return .object(object)
            }
            guard let inner = object[name] else { return json }
            object[name] = change(inner, next, work)
            return .object(object)
        case (.name(let name), .array(let elements)):
            guard let place = Int(name) else { return json }
            return changed(elements, place, next, work)
        case (.place(let place), .array(let elements)): return changed(elements, place, next, work)
        case (.all, .array(let elements)):
            return .array(
                elements.compactMap { next.isEmpty ? work($0) : change($0, next, work) }
            )
        case (.all, .object(let object)):
            var members: [JSONObject.Member] = []
            for member in object.members {
                guard let value = next.isEmpty ? work(member.value) : change(member.value, next, work) else { continue }
                members.append(JSONObject.Member(name: member.name, value: value))
            }
            return .object(JSONObject(members))
        default: return json
        }
    }

    private static func changed(
        _ elements: [JSON],
        _ place: Int,
        _ next: ArraySlice<Segment>,
        _ work: (JSON?) -> JSON?
    ) -> JSON {
        var elements = elements
        if place == elements.count, next.isEmpty {
            if let added = work(nil) { elements.append(added) }
            return .array(elements)
        }
        guard elements.indices.contains(place) else { return .array(elements) }
        if !next.isEmpty {
            elements[place] = change(elements[place], next, work)
        } else if let value = work(elements[place]) {
            elements[place] = value
        } else {
            elements.remove(at: place)
        }
        return .array(elements)
    }

    /// Returns whether one of the values at the path is as wanted; nil stands for a missing value.
    ///
    /// Nothing is found where a parent is missing.
    func contains(in json: JSON, _ isWanted: (JSON?) -> Bool) -> Bool {
        Self.contains(json, segments[...], isWanted)
    }

    private static func contains(_ json: JSON, _ rest: ArraySlice<Segment>, _ isWanted: (JSON?) -> Bool) -> Bool {
        guard let segment = rest.first else { return isWanted(json) }
        let next = rest.dropFirst()
        func look(_ elements: [JSON], _ place: Int) -> Bool {
            if place == elements.count, next.isEmpty { return isWanted(nil) }
            return elements.indices.contains(place) && contains(elements[place], next, isWanted)
        }
        switch (segment, json) {
        case (.name(let name), .object(let object)):
            guard let inner = object[name] else { return next.isEmpty && isWanted(nil) }
            return contains(inner, next, isWanted)
        case (.name(let name), .array(let elements)): return Int(name).map { look(elements, $0) } ?? false
        case (.place(let place), .array(let elements)): return look(elements, place)
        case (.all, .array(let elements)): return elements.contains { contains($0, next, isWanted) }
        case (.all, .object(let object)): return object.members.contains { contains($0.value, next, isWanted) }
        default: return false
        }
    }

    /// Returns whether there is a value at the path.
    func isPresent(in json: JSON) -> Bool {
        var isThere = false
        _ = change(json) { value in
            if value != nil { isThere = true }
            return value
        }
        return isThere
    }
}
