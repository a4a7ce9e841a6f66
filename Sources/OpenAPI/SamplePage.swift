import Formats
import JSON

/// A value that a member has, where its schema takes it, since the request has it under the same name.
struct SampleWish {
    /// The name of the parameter, or what stands in its last brackets.
    let name: String
    /// The values, of which the elements of a list have one each in turn.
    let texts: [String]
    /// Tells that the parameter itself has these values, which need not be those of members: `all`.
    var isOfParameter = false

    var key: String { MemberName(name).key }
}

/// The part of a list that a request asks for.
struct SamplePage {
    /// The names of the members that lead to the list.
    let path: [String]
    /// The number of its first element.
    let offset: Int
    let count: Int
    let seed: UInt64
    /// The facts that its elements depend on beside their numbers.
    let texts: [String]
    /// Values that members of each element have.
    let wishes: [SampleWish]
    /// The names of the member by which elements are told apart, as keys, the likeliest first.
    let idKeys: [String]

    /// The work that it takes, in times of that for one sample.
    var effort: Int { min(5, 1 + count / 8) }

    func stream(_ number: Int, _ attempt: Int = 0) -> SampleStream {
        SampleStream(seed: seed, texts + ["element \(number)"] + (attempt == 0 ? [] : ["\(attempt)"]))
    }

    /// The name of the member by which an element is told apart.
    func idName(_ object: JSONObject) -> String? {
        for key in idKeys {
            if let member = object.members.first(where: { MemberName($0.name).key == key }) { return member.name }
        }
        return nil
    }

    /// The values by which the element of that number may be told from the first one and all others.
    func ids(_ number: Int, after first: JSON) -> [JSON] {
        guard number > 0 else { return [first] }
        switch first {
        case .integer(let id):
            // A bound above leaves room below.
            return [.integer(id &+ Int64(number)), .integer(id &- Int64(number))]
        case .number, .null, .bool, .array, .object:
            return first.doubleValue.map { [.double($0 + Double(number))] } ?? []
        case .string(let text):
            var stream = SampleStream(seed: seed, texts + ["id \(number)"])
            if KnownFormat.uuid.takes(text) { return [.string(SampleText.uuid(&stream))] }
            let digits = text.utf8.reversed().prefix { $0 &- 0x30 < 10 }.count
            let front = String(text.utf8.dropLast(digits)) ?? text
            var found: [JSON] = []
            if digits > 0, digits < 10, let last = Int(text.utf8.suffix(digits).map { String($0 - 0x30) }.joined()) {
                // As many digits as there are, as long as no number comes again.
                var wrap = 1
                for _ in 0..<digits { wrap *= 10 }
                let next = String(digits > 1 ? (last + number) % wrap : last + number)
                let zeros = String(repeating: "0", count: max(0, digits - next.utf8.count))
                found.append(.string(front + zeros + next))
            }
            let next = String(number)
            return found + [
                .string("\(text)-\(next)"), .string(text + next), .string(text.dropLast(next.utf8.count) + next),
            ]
        }
    }
}

/// Pages of lists.
extension SampleMaker {
    /// The elements of the page; nil if one can't be made.
    mutating func page(_ count: Int, _ conjunction: Conjunction, _ depth: Int) -> [JSON]? {
        guard let page else { return nil }
        guard count > 0 else { return [] }
        let isUnique = conjunction.rules.contains(where: \.uniqueItems)
        let outer = (size: size, bytes: bytes, stream: stream)
        defer { stream = outer.stream }
        var all = (size: outer.size, bytes: outer.bytes)
        var seen: Set<ExactName> = []
        var first: JSON?
        var elements: [JSON] = []
        func element(_ number: Int, _ attempt: Int, _ schemas: [Int]) -> JSON? {
            // Each element has the room of a sample, so that it does not depend on those before it.
            (size, bytes, place, stream) = (0, 0, number, page.stream(number, attempt))
            return value(schemas, depth: depth + 1)
        }
        if page.offset > 0, let schemas = conjunction.schemas(ofElement: 0) { first = element(0, 0, schemas) }
        for index in 0..<count {
            let number = page.offset + index
            guard let schemas = conjunction.schemas(ofElement: index) else { return nil }
            var made: JSON?
            for attempt in 0..<(isUnique ? 8 : 1) {
                guard let plain = element(number, attempt, schemas), !isStopped else { return nil }
                if number == 0, first == nil { first = plain }
                let told = told(identified(plain, number, after: first, schemas), page.wishes, schemas, number: number)
                    .value
                guard !isUnique || seen.insert(ExactName(text: told.canonicalText)).inserted else { continue }
                made = told
                break
            }
            guard let made else { return nil }
            elements.append(made)
            all = (all.size + size, all.bytes + bytes)
            guard all.size <= Self.mostSize, all.bytes <= Self.mostBytes else { return nil }
        }
        (size, bytes) = all
        return elements
    }

    /// An element with an id that no other one has.
    private mutating func identified(_ value: JSON, _ number: Int, after first: JSON?, _ schemas: [Int]) -> JSON {
        guard number > 0, case .object(var object) = value, let page, let name = page.idName(object),
            let id = first?.objectValue?[name]
        else { return value }
        for candidate in page.ids(number, after: id) {
            object[name] = candidate
            if fits(.object(object), schemas) { return .object(object) }
        }
        return value
    }

    /// The values that a part of a request may stand for, of which one is taken.
    private static let mostValues = 4

    /// Gives the members of an object the values that a request has for them, and tells whether all of them fit.
    ///
    /// `isDeclared` gives them to members that the schema has and the object lacks, too.
    mutating func told(
        _ value: JSON,
        _ wishes: [SampleWish],
        _ schemas: [Int],
        number: Int = 0,
        isDeclared: Bool = true
    ) -> (value: JSON, fits: Bool) {
        guard case .object(var object) = value, !wishes.isEmpty else { return (value, true) }
        let view = SchemaView(store)
        let coercion = TextCoercion(store)
        var isWhole = true
        let declared = isDeclared ? schemas.flatMap { view.memberNames(in: $0) } : []
        work += declared.count
        for wish in wishes {
            let names = object.members.map(\.name) + declared
            let key = wish.key
            guard
                let name = names.first(where: { $0.hasSameCodePoints(as: wish.name) })
                    ?? names.first(where: { MemberName($0).key == key })
            else { continue }
            let inner = schemas.flatMap { view.schemas(ofMember: name, in: $0) }
            // What an object or a list of objects is called is no value of it.
            let isOfContainers = object[name]?.objectValue != nil || object[name]?[0]?.isContainer == true
            guard !isOfContainers || !isDeclared else { continue }
            let text = wish.texts[number % wish.texts.count]
            var values: [JSON] = inner.isEmpty ? [.string(text)] : []
            for schema in inner where values.count < Self.mostValues {
                let value = coercion.value([text], schema)
                if !values.contains(value) { values.append(value) }
            }
            var isTold = false
            for value in values where !isTold {
                var changed = object
                changed[name] = value
                guard fits(.object(changed), schemas) else { continue }
                object = changed
                isTold = true
            }
            if !isTold, !wish.isOfParameter { isWhole = false }
        }
        return (.object(object), isWhole)
    }
}
