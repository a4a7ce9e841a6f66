import Backend
import Conditions
import CustomAPIs
import Engine
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Random requests, forks, snapshots and documents against a plain model.
@Suite struct RandomWalkTests {
    /// What a table is, without anything that makes it fast.
    struct Model {
        var rows: [(id: Int64, row: JSONObject)] = []
        var last: Int64 = 0

        func place(_ id: Int64) -> Int? { rows.firstIndex { $0.id == id } }

        func isTaken(_ sku: JSON?, besides id: Int64?) -> Bool {
            guard let sku, !sku.isNull else { return false }
            return rows.contains { $0.id != id && $0.row["sku"] == sku }
        }

        /// Returns the keys of the rows that a list of these parameters has.
        func list(price: Int64?, name: String?, sort: String?) -> [Int64] {
            var found = rows
            if let price { found = found.filter { ($0.row["price"]?.intValue ?? .min) >= price } }
            if let name { found = found.filter { $0.row["name"]?.stringValue?.contains(name) == true } }
            guard let sort else { return found.map(\.id) }
            let isDescending = sort.hasPrefix("-")
            let member = isDescending ? String(sort.dropFirst()) : sort
            let placed = found.enumerated().sorted { left, right in
                let (first, second) = (left.element.row[member], right.element.row[member])
                switch (first, second) {
                case (nil, nil): return left.offset < right.offset
                case (nil, _): return false
                case (_, nil): return true
                case (let first?, let second?):
                    let isLess: Bool
                    let isSame = first == second
                    if let one = first.intValue, let other = second.intValue {
                        isLess = one < other
                    } else {
                        isLess = (first.stringValue ?? "") < (second.stringValue ?? "")
                    }
                    return isSame ? left.offset < right.offset : isLess != isDescending
                }
            }
            return placed.map(\.element.id)
        }
    }

    static let files = [
        "api.json": """
        {"tables":{"items":{"unique":["sku"]}},
         "resources":[{"path":"/i","table":"items","list":{"paging":{"style":"cursor","limit":3,"max":1000},
                       "envelope":{"data":"{{items}}","cursor":"{{cursor}}"}}}]}
        """,
        "tables/items.json": #"[{"id":1,"name":"a","price":1,"sku":"s1"},{"id":2,"name":"b","price":2,"sku":"s2"}]"#,
    ]

    @Test(arguments: 1...6)
    func `12 random requests do what a plain model does, in every copy of the world`(number: Int) throws {
        var generator = SeededGenerator.announced("\(#function) \(number)")
        let harnesses = [try CustomAPIHarness(Self.files), try CustomAPIHarness(Self.files)]
        var models: [String: Model] = [:]
        var snapshots: [String: (name: String, model: Model)] = [:]
        var start = Model()
        start.rows = [
            (1, ["id": 1, "name": "a", "price": 1, "sku": "s1"]), (2, ["id": 2, "name": "b", "price": 2, "sku": "s2"]),
        ]
        start.last = 2
        models["main"] = start
        var worlds = ["main"]

        /// Sends one request to both emulators, which must answer the same bytes.
        func send(_ request: (CustomAPIHarness) throws -> CustomAPIHarness.Answer) throws -> CustomAPIHarness.Answer {
            let answers = try harnesses.map(request)
            expectEqual(answers[0].text, answers[1].text)
            expectEqual(answers[0]["ETag"], answers[1]["ETag"])
            return answers[0]
        }

        for step in 0..<400 {
            let world = worlds[generator.below(worlds.count)]
            for harness in harnesses { harness.world = world }
            var model = try #require(models[world])
            let prefix = "/@\(world)"
            let known = model.rows.isEmpty ? 99 : model.rows[generator.below(model.rows.count)].id
            let id = generator.below(8) == 0 ? Int64(generator.below(60)) : known
            let sku: JSON = generator.below(6) == 0 ? .null : .string("s\(generator.below(30))")
            let body: JSONObject = ["name": .string(["x", "yx", "z"][generator.below(3)]), "sku": sku]
            let priced = generator.below(3) == 0 ? body : body.with("price", .integer(Int64(generator.below(9))))
            switch generator.below(20) {
            case 0...5:
                let answer = try send { try $0.post("\(prefix)/i", .object(priced)) }
                if model.isTaken(sku, besides: nil) {
                    expectEqual(answer.status, 409)
                } else {
                    model.last += 1
                    var row: JSONObject = ["id": .integer(model.last)]
                    for member in priced.members { row.append(member.name, member.value) }
                    model.rows.append((model.last, row))
                    expectEqual(answer.text, JSON.object(row).text, "step \(step)")
                }
            case 6...8:
                let answer = try send { try $0.patch("\(prefix)/i/\(id)", .object(priced)) }
                guard let place = model.place(id) else {
                    expectEqual(answer.status, 404)
                    break
                }
                guard !model.isTaken(sku, besides: id) else {
                    expectEqual(answer.status, 409)
                    break
                }
                for member in priced.members {
                    model.rows[place].row[member.name] = member.value.isNull ? nil : member.value
                }
                expectEqual(answer.text, JSON.object(model.rows[place].row).text, "step \(step)")
            case 9...10:
                let answer = try send { try $0.delete("\(prefix)/i/\(id)") }
                expectEqual(answer.status, model.place(id) == nil ? 404 : 204)
                model.rows.removeAll { $0.id == id }
            case 11:
                let answer = try send { try $0.get("\(prefix)/i/\(id)") }
                expectEqual(answer.status, model.place(id) == nil ? 404 : 200)
            case 12...15:
                let price = generator.below(2) == 0 ? Int64(generator.below(9)) : nil
                let name = generator.below(2) == 0 ? ["x", "y", "a"][generator.below(3)] : nil
                let sort = [nil, "price", "-price", "name", "-name"][generator.below(5)]
                var query = [
                    price.map { "price_gte=\($0)" }, name.map { "name_like=\($0)" }, sort.map { "sort=\($0)" },
                ].compactMap { $0 }
                let wanted = model.list(price: price, name: name, sort: sort)
                query.append("limit=\(generator.below(2) == 0 ? 1_000 : 2)")
                var found: [Int64] = []
                var next: String? = "\(prefix)/i?\(query.joined(separator: "&"))"
                while let target = next {
                    let answer = try send { try $0.get(target) }
                    expectEqual(answer["X-Total-Count"], "\(wanted.count)")
                    found += answer.json["data"]?.arrayValue?.compactMap { $0["id"]?.intValue } ?? []
                    next = Section13ListTests.link(answer, "next")
                }
                expectEqual(found, wanted, "step \(step): \(query)")
            case 16:
                let name = "w\(step)"
                guard worlds.count < 5 else { break }
                for harness in harnesses { try harness.makeWorld(name, from: world) }
                worlds.append(name)
                models[name] = model
            case 17:
                for harness in harnesses { try harness.takeSnapshot("s\(step)") }
                snapshots[world] = ("s\(step)", model)
            case 18:
                guard let kept = snapshots[world] else { break }
                for harness in harnesses { try harness.restore(kept.name) }
                model = kept.model
            default:
                // Through a document, into another world.
                let target = worlds[generator.below(worlds.count)]
                let texts = try harnesses.map { try $0.document() }
                expectEqual(texts[0], texts[1])
                for (harness, text) in zip(harnesses, texts) {
                    harness.world = target
                    try harness.load(text)
                }
                models[target] = model
                if target != world { continue }
            }
            models[world] = model
        }
    }
}

extension JSONObject {
    fileprivate func with(_ name: String, _ value: JSON) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
