import HTTPMessage
import JSON
import OpenAPI

/// A path with its rows as the document declares them, which may become a resource.
struct ProposedCollection {
    enum Method: String, CaseIterable {
        case list, create, get, replace, patch, delete

        /// The status of a success unless `statuses` changes it (own-API contract, section 12).
        var usualStatus: Int {
            switch self {
            case .list, .get, .replace, .patch: 200
            case .create: 201
            case .delete: 204
            }
        }

        var http: HTTPMethod {
            switch self {
            case .list, .get: .get
            case .create: .post
            case .replace: .put
            case .patch: .patch
            case .delete: .delete
            }
        }
    }

    let path: String
    let template: PathTemplate
    /// The operations of its methods, in the order of the methods.
    var operations: [(method: Method, operation: OpenAPIOperation)]
    let row: Schema
    let key: String
    let item: ProposedItem?
    let list: ProposedList?
    var paging: ProposedPaging?
    var envelope: JSON?
    /// The required members of the list's response that no placeholder fills, with their values.
    var guesses: [String] = []
    /// The reason why it is not sure that requests mean what a resource does with them.
    var doubt: String?
    /// The table's name.
    var table = ""
    /// The members that the parameters of the path are conditions on.
    var bindings: [(parameter: String, member: String, parent: String?)] = []
    var owner: String?
    /// The methods that samples answer, with the reasons.
    var left: [(operation: OpenAPIOperation, reason: String)] = []

    /// Beginnings of names of lists that are made for a request.
    private static let verbs = [
        "search", "suggest", "autocomplete", "recommend", "feed", "find", "get", "check", "lookup", "query", "random",
    ]

    func operation(_ method: Method) -> OpenAPIOperation? { operations.first { $0.method == method }?.operation }

    /// The last part of the path.
    var lastName: String { template.literals.last.flatMap { $0 } ?? "" }

    /// Reads a path; nil if it is no collection.
    init?(_ template: PathTemplate, path: String, _ own: [OpenAPIOperation], _ inner: [OpenAPIOperation]) {
        guard let name = template.literals.last.flatMap({ $0 }) else { return nil }
        self.template = template
        self.path = path
        let parameter = inner.first?.template.lastParameter
        func find(_ method: Method, _ operations: [OpenAPIOperation]) -> (method: Method, operation: OpenAPIOperation)?
        {
            operations.first { $0.method == method.http }.map { (method, $0) }
        }
        let listed = find(.list, own)
        list = listed?.operation.answer?.schema.flatMap { ProposedList($0, name: name) }
        let got = find(.get, inner)
        let shown = got?.operation.answer?.schema.flatMap { ProposedItem($0, parameter: parameter) }
        let made = find(.create, own)?.operation.answer?.schema.flatMap { ProposedItem($0, parameter: parameter) }
        // What a path does is no collection's if it neither lists rows nor makes those that another path shows.
        guard list != nil || listed == nil && shown != nil && made != nil else { return nil }
        item = shown ?? made
        guard let row = item?.row ?? list?.row, let key = item?.key ?? row.key(parameter) else { return nil }
        (self.row, self.key) = (row, key)
        operations = [
            list == nil ? nil : listed, find(.create, own), got, find(.replace, inner), find(.patch, inner),
            find(.delete, inner),
        ]
        .compactMap { $0 }
        let literals = template.literals.compactMap { $0.map(PlainName.of) }
        if operations.count == 1, literals.contains(where: { name in Self.verbs.contains { name.hasPrefix($0) } }) {
            return nil
        }
        readList()
        for (method, operation) in operations where method != .list {
            guard let needed = operation.queryParameters.first(where: \.isRequired), doubt == nil else { continue }
            doubt = "\(operation.method.rawValue) requires ?\(needed.name), which a resource knows nothing of"
        }
    }

    private mutating func readList() {
        guard let list, let operation = operation(.list) else { return }
        let members = row.scalarNames
        let paging = ProposedPaging(operation, members: members, hasCursor: list.hasCursor)
        self.paging = paging
        doubt = paging.doubt
        var odd: [String] = []
        envelope = list.envelope(paging, guesses: &guesses, doubts: &odd)
        if !list.path.isEmpty, envelope == nil { doubt = doubt ?? "the response has no place for the rows" }
        if paging.countsFromZero, ProposedList.names(in: list.response, depth: 0).contains("lastpage") {
            odd.append("last page from 0")
        }
        if let odd = odd.first, doubt == nil { doubt = "no placeholder has the value of the response's \(odd)" }
    }

    /// Tells the members that the parameters of the path are conditions on, as far as rows have them.
    mutating func bind(_ parents: [ProposedCollection]) {
        let literals = template.literals
        for (place, pieces) in template.segments.enumerated() {
            guard case .parameter(let name)? = pieces.first(where: { if case .parameter = $0 { true } else { false } })
            else {
                continue
            }
            let before = place > 0 ? literals[place - 1] ?? "" : ""
            let one = PlainName.singular(PlainName.of(before))
            let plain = PlainName.of(name)
            let names = row.memberNames.filter {
                $0 != key && [.text, .integer, .number].contains(row.member($0)?.form)
            }
            let member = PlainName.first(of: [plain, one + "id", one], among: names)
            let shape = Self.shape(Array(template.segments[..<max(place, 0)]))
            let parent = parents.first { Self.shape($0.template.segments) == shape && $0.doubt == nil }
            if member == nil, doubt == nil {
                doubt = "no member of the rows says to which {\(name)} they belong"
            }
            bindings.append((name, member ?? (name == key ? one + "Id" : name), parent?.table))
        }
    }

    private static func shape(_ segments: [[PathTemplate.Piece]]) -> String {
        segments.map { pieces in
            pieces.map { if case .literal(let text) = $0 { text } else { "{}" } }.joined()
        }
        .joined(separator: "/")
    }

    /// The member of the rows that names a user.
    var userMember: String? {
        let names = ["userid", "ownerid", "accountid", "customerid", "memberid", "user", "owner"]
        return PlainName.first(of: names, among: row.memberNames.filter(row.isScalar))
    }

    /// Tells whether the path is that of the user who asks: `/me/orders`.
    var isBelowMe: Bool { template.literals.contains { ["me", "my", "mine"].contains($0.map(PlainName.of)) } }

    /// Tells whether the document says that the rows are those of the user who asks.
    var isOfOneUser: Bool {
        if isBelowMe { return true }
        guard let list = operation(.list) else { return false }
        let words = " \(list.summary) \(list.details) ".lowercased().split { !$0.isLetter && $0 != "'" && $0 != "-" }
        let owners: [[Substring]] = [
            ["my"], ["your"], ["own"], ["current", "user's"], ["authenticated", "user's"], ["signed-in", "user's"],
            ["logged-in", "user's"],
        ]
        return owners.contains { owner in
            words.indices.contains { place in
                place + owner.count <= words.count && Array(words[place..<place + owner.count]) == owner
            }
        }
    }
}
