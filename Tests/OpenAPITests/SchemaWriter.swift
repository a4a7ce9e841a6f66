import JSON
import TestSupport

/// Writes random schemas, most of which can be fulfilled.
struct SchemaWriter {
    var generator: SeededGenerator

    private mutating func chance(_ percent: Int) -> Bool { generator.below(100) < percent }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[generator.below(elements.count)] }

    mutating func schema(depth: Int) -> JSON {
        if chance(2) { return true }
        var object = depth > 0 && chance(25) ? combination(depth: depth) : plain(depth: depth)
        if chance(8) { object["default"] = pick([1, "x", .null, [1], ["a": 1]]) }
        if chance(8) { object["examples"] = [pick([2, "example", true, []])] }
        if chance(4) { object["not"] = pick([["type": "boolean"], ["const": 1], ["required": ["zz"]]]) }
        return .object(object)
    }

    private mutating func plain(depth: Int) -> JSONObject {
        switch generator.below(depth > 0 ? 8 : 5) {
        case 0: return ["type": pick(["boolean", "null", ["integer", "null"], ["string", "null"]])]
        case 1: return number()
        case 2, 3: return text()
        case 4:
            return [
                "enum": .array(
                    (0...generator.below(3)).map { pick([.integer(Int64($0)), .string("e\($0)"), .null, 1.5]) }
                )
            ]
        case 5: return array(depth: depth)
        default: return members(depth: depth)
        }
    }

    private mutating func number() -> JSONObject {
        var object: JSONObject = ["type": pick(["integer", "number"])]
        let low = Int64(generator.below(200) - 100)
        if chance(50) { object[pick(["minimum", "exclusiveMinimum"])] = .integer(low) }
        if chance(50) {
            object[pick(["maximum", "exclusiveMaximum"])] = .integer(low + Int64(generator.below(50)) + 2)
        }
        if chance(30) { object["multipleOf"] = pick([1, 2, 0.5, 0.25, 3, 0.1]) }
        if chance(20) { object["format"] = pick(["int32", "int64", "float", "double"]) }
        return object
    }

    private mutating func text() -> JSONObject {
        var object: JSONObject = ["type": "string"]
        switch generator.below(4) {
        case 0:
            let least = generator.below(12)
            object["minLength"] = .integer(Int64(least))
            if chance(60) { object["maxLength"] = .integer(Int64(least + generator.below(10))) }
        case 1:
            object["pattern"] = pick([
                "^[a-f0-9]{8}$", "^(a|bc)+$", "x", "^\\d{2,5}-[A-Z]$", "^\\w+@\\w+$", "[^x]", "^.?$",
            ])
        case 2:
            object["format"] = pick([
                "date-time", "date", "time", "duration", "uuid", "email", "uri", "hostname", "ipv4", "ipv6", "byte",
            ])
        default: break
        }
        return object
    }

    private mutating func array(depth: Int) -> JSONObject {
        var object: JSONObject = ["type": "array"]
        if chance(80) { object["items"] = schema(depth: depth - 1) }
        if chance(20) { object["prefixItems"] = .array((0...generator.below(2)).map { _ in schema(depth: depth - 1) }) }
        let least = generator.below(4)
        if chance(40) { object["minItems"] = .integer(Int64(least)) }
        if chance(40) { object["maxItems"] = .integer(Int64(least + generator.below(4))) }
        if chance(20) { object["uniqueItems"] = true }
        if chance(15) { object["contains"] = schema(depth: depth - 1) }
        if chance(5) { object["unevaluatedItems"] = false }
        return object
    }

    private mutating func members(depth: Int) -> JSONObject {
        var object: JSONObject = ["type": "object"]
        let names = ["a", "b", "c", "id", "näme", "x-y"]
        var properties = JSONObject()
        for _ in 0..<generator.below(5) { properties[pick(names)] = schema(depth: depth - 1) }
        if !properties.isEmpty { object["properties"] = .object(properties) }
        if chance(50) { object["required"] = .array((0...generator.below(2)).map { _ in .string(pick(names)) }) }
        if chance(25) { object["additionalProperties"] = chance(50) ? false : schema(depth: depth - 1) }
        if chance(10) { object["patternProperties"] = ["^x": schema(depth: depth - 1)] }
        if chance(10) { object["minProperties"] = .integer(Int64(generator.below(4))) }
        if chance(10) { object["maxProperties"] = .integer(Int64(generator.below(4) + 1)) }
        if chance(8) { object["dependentRequired"] = ["a": ["b"]] }
        if chance(8) { object["dependentSchemas"] = ["b": ["required": ["c"]]] }
        if chance(8) { object["propertyNames"] = ["maxLength": 6] }
        if chance(6) { object["unevaluatedProperties"] = false }
        return object
    }

    private mutating func combination(depth: Int) -> JSONObject {
        var object: JSONObject = chance(30) ? plain(depth: depth - 1) : [:]
        let branches = JSON.array((0...generator.below(3)).map { _ in schema(depth: depth - 1) })
        switch generator.below(4) {
        case 0: object["allOf"] = branches
        case 1: object["anyOf"] = branches
        case 2: object["oneOf"] = branches
        default:
            object["if"] = schema(depth: depth - 1)
            object["then"] = schema(depth: depth - 1)
            if chance(60) { object["else"] = schema(depth: depth - 1) }
        }
        return object
    }
}
