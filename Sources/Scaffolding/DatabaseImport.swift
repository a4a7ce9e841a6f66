import Backend
import Basics
import JSON

/// The `db.json` of json-server: lists as tables, single objects as rows of their own (own-API contract, section 19).
struct DatabaseImport {
    private(set) var files: [Scaffold.File] = []
    private(set) var omissions: [SeedError.Item] = []
    /// `tables` and `resources` of `api.json`.
    private(set) var tables = JSONObject()
    private(set) var resources: [JSON] = []

    private let positions: JSONPositions
    private let place: String

    /// Tables that may have at most so many rows (own-API contract, section 22).
    private static let mostRows = 100_000

    init(_ source: ScaffoldOrder.Source) throws(SeedError) {
        place = source.place
        let root: JSON
        do throws(JSONSyntaxError) {
            (root, positions) = try JSONReader.readWithPositions(
                source.bytes,
                options: JSONReader.Options(maxDepth: 64)
            )
        } catch {
            throw SeedError([
                SeedError.Item(place: source.place, line: error.line, path: "$", reason: "\(error)")
            ])
        }
        guard let object = root.objectValue else {
            throw SeedError([
                SeedError.Item(
                    place: source.place,
                    line: 1,
                    path: "$",
                    reason:
                        "must be an object whose members are lists of rows or single objects, found \(root.typeName)"
                )
            ])
        }
        if let reason = Self.otherKind(object, source.place) {
            throw SeedError([SeedError.Item(place: source.place, line: 1, path: "$", reason: reason)])
        }
        var seen: Set<String> = []
        for member in object.members where member.name != JSONObject.schemaAddress {
            guard seen.insert(member.name).inserted else {
                leave(member.name, "is there twice; the first one is taken")
                continue
            }
            if let reason = TableFiles.refusal(of: member.name) {
                leave(member.name, reason + "; left out")
                continue
            }
            switch member.value {
            case .array(let values) where !values.isEmpty && values.allSatisfy(\.isPlain):
                addValues(member.name, values)
            case .array(let rows): addList(member.name, rows)
            case .object(let row): addSingle(member.name, row)
            default: leave(member.name, "is neither a list nor an object; left out")
            }
        }
        addNested()
        guard !resources.isEmpty else { return }
        omissions.append(
            SeedError.Item(
                place: place,
                line: 1,
                path: "$",
                reason: "?_embed and ?_expand are ignored: ask for the nested path, or for the other table; "
                    + "so are ?_start, ?_end and ?_per_page: ?_page and ?_limit choose a page"
            )
        )
        omissions.append(
            SeedError.Item(
                place: place,
                line: 1,
                path: "$",
                reason:
                    "?_page without ?_limit is a page of all rows, and of 10 in json-server; PUT and PATCH with the id "
                    + "of another row are refused with 422, and json-server keeps the id of the path"
            )
        )
    }

    /// Says what a file is that is none of json-server.
    private static func otherKind(_ object: JSONObject, _ file: String) -> String? {
        let version = object["openapi"] ?? object["swagger"]
        if version?.stringValue != nil, object["info"]?.objectValue != nil {
            return "this is an OpenAPI document: import it with --openapi"
        }
        let schema = object["info"]?["schema"]?.stringValue ?? ""
        guard object["info"]?["_postman_id"] != nil || schema.contains("postman.com") else { return nil }
        return "this is a Postman collection; convert it to OpenAPI with a tool such as postman-to-openapi"
    }

    private mutating func leave(_ name: String, at index: Int? = nil, _ reason: String) {
        let path: [JSONPathElement] = [.key(name)] + (index.map { [.index($0)] } ?? [])
        omissions.append(
            SeedError.Item(
                place: place,
                line: positions.closestLine(to: path).line,
                path: path.formattedJSONPath,
                reason: reason
            )
        )
    }

    // MARK: Lists

    private mutating func addList(_ name: String, _ rows: [JSON]) {
        var kept: [JSONObject] = []
        var keys: Set<String> = []
        var largest: Int64 = 0
        for row in rows { largest = max(largest, row["id"]?.intValue ?? 0) }
        for (index, row) in rows.enumerated() {
            guard var row = row.objectValue else {
                leave(name, at: index, "is no object, so it is no row; left out")
                continue
            }
            if row["id"] == nil {
                largest += 1
                row = JSONObject([.init(name: "id", value: .integer(largest))] + row.members)
                leave(name, at: index, "has no id; it gets \(largest)")
            }
            guard let key = Self.key(row["id"]) else {
                leave(name, at: index, "its id is neither a text nor a whole number; left out")
                continue
            }
            guard keys.insert(key).inserted else {
                leave(name, at: index, "an earlier row has the id \(key); left out")
                continue
            }
            guard kept.count < Self.mostRows else {
                leave(
                    name,
                    at: index,
                    "a table has at most \(Self.mostRows) rows; this one and those after it are left out"
                )
                break
            }
            kept.append(row)
        }
        files.append(Scaffold.File(path: "tables/\(name).json", json: .array(kept.map { .object($0) })))
        lists.append((name, kept))
        resources.append(Self.resource("/\(name)", name))
    }

    /// Has a stub answer with a list of texts or numbers, which can't be the rows of a table.
    private mutating func addValues(_ name: String, _ values: [JSON]) {
        let file = Scaffold.File(
            path: "stubs/\(name).json",
            json: [
                "match": ["method": "GET", "path": .string("/\(name)")],
                "response": ["body": .array(values), "template": false],
            ]
        )
        files.append(file)
        leave(
            name,
            "is a list of plain values: GET /\(name) answers with it by \(file.path), and nothing can be written"
        )
    }

    private static func key(_ value: JSON?) -> String? {
        switch value {
        case .string(let text)? where !text.isEmpty: text
        case .integer(let number)?: String(number)
        default: nil
        }
    }

    /// The lists so far with their rows.
    private var lists: [(name: String, rows: [JSONObject])] = []

    private static func resource(_ path: String, _ table: String) -> JSON {
        [
            "path": .string(path), "table": .string(table), "statuses": ["delete": 200],
            "list": list,
        ]
    }

    /// Lists come whole unless a request asks for a page.
    private static let list: JSON = [
        "paging": ["style": "page", "limit": 100_000, "max": 100_000],
        "names": ["sort": "_sort", "order": "_order", "limit": "_limit", "page": "_page"],
    ]

    /// Adds the paths by which json-server shows the rows that name a row of another table: `/posts/1/comments`.
    private mutating func addNested() {
        for parent in lists {
            let member = PlainName.singular(parent.name) + "Id"
            for child in lists where child.name != parent.name && child.rows.contains(where: { $0[member] != nil }) {
                var resource = Self.resource("/\(parent.name)/{\(member)}/\(child.name)", child.name).objectValue ?? [:]
                resource["statuses"] = nil
                resource["methods"] = ["list", "create"]
                resource["parents"] = .object(JSONObject([.init(name: member, value: .string(parent.name))]))
                resources.append(.object(resource))
            }
        }
    }

    // MARK: Single objects

    private mutating func addSingle(_ name: String, _ object: JSONObject) {
        var row = object
        if Self.key(row["id"]) == nil {
            if row["id"] != nil {
                leave(name, "its id is neither a text nor a whole number; left out")
                return
            }
            row = JSONObject([.init(name: "id", value: 1)] + row.members)
            tables.append(name, ["writeOnly": ["id"]])
        }
        files.append(Scaffold.File(path: "tables/\(name).json", json: [.object(row)]))
        resources.append(["path": .string("/\(name)"), "table": .string(name), "single": true])
    }
}

extension JSON {
    /// Tells whether it is neither an object nor an array.
    fileprivate var isPlain: Bool {
        switch self {
        case .object, .array: false
        default: true
        }
    }
}
