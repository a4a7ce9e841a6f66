import JSON
import TestSupport
import Testing

/// Own-API contract, sections 16 and 17: polymorphism by inheritance, where the parent has the discriminator.
@Suite struct CustomAPIDiscriminatorTests {
    private static let document = """
        paths:
        \(operations(["Opened", "Closed", "Bike", "Truck", "Pickup", "Square", "Coin", "Note", "Vehicle", "Shape", "Change"]))
          /either: {post: {requestBody: {content: {application/json: {schema: {oneOf: [{$ref: '#/components/schemas/Bike'}, {$ref: '#/components/schemas/Truck'}]}}}}, responses: {'201': {description: x}}}}
          /mixed: {get: {responses: {'200': {description: x, content: {application/json: {schema: {oneOf: [{$ref: '#/components/schemas/Truck'}, {$ref: '#/components/schemas/Bike'}]}}}}}}}
        components:
          schemas:
            Change:
              type: object
              required: [what]
              properties: {what: {type: string, enum: [opened, closed, moved]}}
              discriminator: {propertyName: what, mapping: {opened: '#/components/schemas/Opened', closed: Closed}}
            Opened: {allOf: [{$ref: '#/components/schemas/Change'}, {type: object, required: [at], properties: {at: {type: string}}}]}
            Closed: {allOf: [{$ref: '#/components/schemas/Change'}, {type: object, required: [by], properties: {by: {type: string}}}]}
            Vehicle: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind}}
            Bike: {allOf: [{$ref: '#/components/schemas/Vehicle'}, {type: object, required: [gears], properties: {gears: {type: integer}}}]}
            Truck: {type: object, allOf: [{$ref: '#/components/schemas/Vehicle'}], required: [load], properties: {load: {type: number}}}
            Pickup: {allOf: [{$ref: '#/components/schemas/Truck'}, {type: object, required: [seats], properties: {seats: {type: integer}}}]}
            Shape: {type: object, required: [form], properties: {form: {enum: [square, round_disc]}}, discriminator: {propertyName: form}}
            Square: {allOf: [{$ref: '#/components/schemas/Shape'}, {type: object, properties: {side: {type: integer}}, required: [side]}]}
            RoundDisc: {allOf: [{$ref: '#/components/schemas/Shape'}, {type: object, properties: {radius: {type: integer}}, required: [radius]}]}
            Money:
              oneOf: [{$ref: '#/components/schemas/Coin'}, {$ref: '#/components/schemas/Note'}]
              discriminator: {propertyName: m, mapping: {c: '#/components/schemas/Coin', n: '#/components/schemas/Note'}}
            Coin: {allOf: [{type: object, required: [m], properties: {m: {type: string}}}, {$ref: '#/components/schemas/Money'}]}
            Note: {allOf: [{type: object, required: [m], properties: {m: {type: string}}}, {$ref: '#/components/schemas/Money'}]}
        """

    private static func operations(_ names: [String]) -> String {
        names.map { name in
            let content = "{application/json: {schema: {$ref: '#/components/schemas/\(name)'}}}"
            return "  /\(name):\n    get: {responses: {'200': {description: x, content: \(content)}}}\n"
                + "    post: {requestBody: {content: \(content)}, responses: {'201': {description: x}}}"
        }
        .joined(separator: "\n")
    }

    @Test(arguments: ["3.0.3", "3.1.0"])
    func `17 a sample has the name of its own schema, by mapping, by name and by kin`(version: String) throws {
        let server = try DocumentServer(Self.document, version: version)
        let expected: [(path: String, member: String, value: String)] = [
            ("Opened", "what", "opened"), ("Closed", "what", "closed"), ("Bike", "kind", "Bike"),
            ("Truck", "kind", "Truck"), ("Pickup", "kind", "Pickup"), ("Square", "form", "square"), ("Coin", "m", "c"),
            ("Note", "m", "n"), ("Vehicle", "kind", "Bike"), ("mixed", "kind", "Truck"),
        ]
        for (path, member, value) in expected {
            let answer = try server.ask("GET", "/\(path)")
            expectEqual(answer.json[member]?.stringValue, value, "\(path): \(answer.text)")
            try expectEqual(server.violations(), [], "\(path): \(answer.text)")
        }
        // The heir that the name means is there whole.
        #expect(try server.ask("GET", "/Vehicle").json["gears"]?.intValue != nil)
        #expect(try server.ask("GET", "/Shape").json["side"]?.intValue != nil)
    }

    private static let bodies: [(path: String, body: String, expected: String)] = [
        ("Vehicle", #"{"kind":"Bike"}"#, "422 $.gears"), ("Vehicle", #"{"kind":"Bike","gears":3}"#, "201"),
        ("Vehicle", #"{"kind":"Truck","load":"x"}"#, "422 $.load"), ("Vehicle", #"{"kind":"Boat"}"#, "422 $.kind"),
        ("Vehicle", #"{"kind":"Pickup","load":1}"#, "422 $.seats"), ("Vehicle", "{}", "422 $.kind"),
        ("Vehicle", #"{"kind":"Vehicle"}"#, "201"), ("Opened", #"{"what":"opened","at":"x"}"#, "201"),
        ("Opened", #"{"what":"closed","at":"x"}"#, "422 $.what"), ("Truck", #"{"kind":"Truck","load":1}"#, "201"),
        ("Truck", #"{"kind":"Bike","load":1}"#, "422 $.kind"),
        ("Truck", #"{"kind":"Pickup","load":1,"seats":2}"#, "201"),
        ("Truck", #"{"kind":"Pickup","load":1}"#, "422 $.seats"),
        ("Pickup", #"{"kind":"Truck"}"#, "422 $.kind $.load $.seats"),
        ("Shape", #"{"form":"round_disc"}"#, "422 $.radius"), ("Shape", #"{"form":"round_disc","radius":1}"#, "201"),
        // A value that the parent itself allows, and no schema has, is the parent's.
        ("Change", #"{"what":"moved"}"#, "201"), ("Change", #"{"what":"opened"}"#, "422 $.at"),
        ("Opened", #"{"what":"moved","at":"x"}"#, "422 $.what"), ("Coin", #"{"m":"n"}"#, "422 $.m"),
        ("Coin", #"{"m":"c"}"#, "201"),
        ("either", #"{"kind":"Truck","load":1}"#, "201"), ("either", #"{"kind":"Bike","load":1}"#, "422 $.gears"),
    ]

    @Test func `16 a body is held against the schema that its discriminator means`() throws {
        let server = try DocumentServer(Self.document)
        for (path, body, expected) in Self.bodies {
            try expectEqual(server.verdict("POST", "/\(path)", body), expected, "\(path) \(body)")
        }
        let unknown = try server.ask("POST", "/Vehicle", #"{"kind":"Boat"}"#).json["error"]?["details"]?[0]?["reason"]
        expectEqual(unknown, #"expected one of "Bike", "Truck", "Pickup", "Vehicle", found "Boat""#)
    }

    @Test(arguments: ["3.0.3", "3.1.0"])
    func `16 the member of a discriminator may be a number or null`(version: String) throws {
        let kind = version == "3.0.3" ? "type: string, nullable: true" : "type: [string, 'null']"
        let document = """
            paths:
            \(Self.operations(["Versioned", "Second", "Named"]))
            components:
              schemas:
                Versioned: {type: object, required: [v], properties: {v: {type: integer}}, discriminator: {propertyName: v, mapping: {'1': '#/components/schemas/First', '2': '#/components/schemas/Second'}}}
                First: {allOf: [{$ref: '#/components/schemas/Versioned'}, {type: object, required: [a], properties: {a: {type: integer}}}]}
                Second: {allOf: [{$ref: '#/components/schemas/Versioned'}, {type: object, required: [b], properties: {b: {type: integer}}}]}
                Named: {type: object, required: [k], properties: {k: {\(kind)}}, discriminator: {propertyName: k}}
                Heir: {allOf: [{$ref: '#/components/schemas/Named'}, {type: object, properties: {a: {type: integer}}}]}
            """
        let server = try DocumentServer(document, version: version)
        for (path, value) in [("Versioned", 1), ("Second", 2)] as [(String, Int64)] {
            let answer = try server.ask("GET", "/\(path)")
            expectEqual(answer.json["v"]?.intValue, value, answer.text)
        }
        let bodies: [(path: String, body: String, expected: String)] = [
            ("Versioned", #"{"v":1,"a":1}"#, "201"), ("Versioned", #"{"v":1}"#, "422 $.a"),
            ("Versioned", #"{"v":2,"a":1}"#, "422 $.b"), ("Versioned", #"{"v":"1","a":1}"#, "422 $.v"),
            ("Named", #"{"k":null}"#, "201"), ("Named", #"{"k":"Heir"}"#, "201"), ("Named", #"{"k":"x"}"#, "422 $.k"),
        ]
        for (path, body, expected) in bodies {
            try expectEqual(server.verdict("POST", "/\(path)", body), expected, "\(path) \(body)")
        }
    }

    @Test func `16 a mapping may lead to files, and one that leads nowhere is a note`() throws {
        let document = """
            paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: parts/base.yaml}}}}, responses: {'201': {description: x}}}}}
            """
        let files = [
            "parts/base.yaml":
                "type: object\nrequired: [t]\nproperties: {t: {type: string}}\n"
                + "discriminator: {propertyName: t, mapping: {leaf: ./leaf.yaml, lost: ./lost.yaml}}\n",
            "parts/leaf.yaml":
                "allOf: [{$ref: base.yaml}, {required: [green], properties: {green: {type: boolean}}}]\n",
        ]
        let server = try DocumentServer(document, files)
        try expectEqual(server.verdict("POST", "/a", #"{"t":"leaf"}"#), "422 $.green")
        try expectEqual(server.verdict("POST", "/a", #"{"t":"leaf","green":true}"#), "201")
        // The value says nothing, so that the schema itself is left.
        try expectEqual(server.verdict("POST", "/a", #"{"t":"lost"}"#), "201")
        try expectEqual(server.verdict("POST", "/a", #"{"t":"other"}"#), "422 $.t")
        let checked = try Program.run(["validate", "apis/shop"], in: server.folder)
        expectEqual(checked.status, 0)
        #expect(
            (checked.output + checked.errors).contains(
                "base.yaml:4: $.discriminator.mapping.lost: leads to no schema: ignored"
            ),
            "\(checked.output)\(checked.errors)"
        )
    }

    @Test(arguments: ["3.0.3", "3.1.0"])
    func `16 a value of a mapping that leads nowhere is checked as without it`(version: String) throws {
        let document = """
            paths:
            \(Self.operations(["Base", "Heir", "Either"]))
            components:
              schemas:
                Base: {type: object, required: [t, n], properties: {t: {type: string}, n: {type: integer}}, discriminator: {propertyName: t, mapping: {gone: '#/components/schemas/Gone', heir: Heir}}}
                Heir: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, required: [h], properties: {h: {type: integer}}}]}
                Either: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: t, mapping: {gone: Gone, a: A}}}
                A: {type: object, required: [t, a], properties: {t: {type: string}, a: {type: integer}}}
                B: {type: object, required: [t, b], properties: {t: {type: string}, b: {type: integer}}}
            """
        let server = try DocumentServer(document, version: version)
        let bodies: [(path: String, body: String, expected: String)] = [
            ("Base", #"{"t":"gone","n":1}"#, "201"), ("Base", #"{"t":"gone"}"#, "422 $.n"),
            ("Base", #"{"t":"heir","n":1}"#, "422 $.h"), ("Base", #"{"t":"none","n":1}"#, "422 $.t"),
            ("Heir", #"{"t":"gone","n":1,"h":1}"#, "422 $.t"), ("Either", #"{"t":"gone","a":1}"#, "201"),
            ("Either", #"{"t":"gone","b":1}"#, "201"), ("Either", #"{"t":"gone","b":"x"}"#, "422 $"),
            ("Either", #"{"t":"a","b":1}"#, "422 $.a"), ("Either", #"{"t":"B","b":1}"#, "201"),
        ]
        for (path, body, expected) in bodies {
            let verdict = try server.verdict("POST", "/\(path)", body)
            #expect(verdict.hasPrefix(expected), "\(path) \(body): \(verdict)")
        }
        for (path, member, value) in [("Base", "t", "heir"), ("Heir", "t", "heir"), ("Either", "t", "a")] {
            let answer = try server.ask("GET", "/\(path)")
            expectEqual(answer.json[member]?.stringValue, value, answer.text)
            try expectEqual(server.violations(), [], "\(path): \(answer.text)")
        }
    }

    @Test(arguments: ["3.0.3", "3.1.0"])
    func `16 a discriminator counts in a part of allOf and in a schema without a name`(version: String) throws {
        let inline =
            "{type: object, required: [t], properties: {t: {type: string}}, discriminator: {propertyName: t, mapping: {one: '#/components/schemas/One', two: Two}}}"
        let document = """
            paths:
            \(Self.operations(["Pet", "Dog", "Cat", "Tool", "Hammer", "Loose"]))
              /inline: {get: {responses: {'200': {description: x, content: {application/json: {schema: \(inline)}}}}}, post: {requestBody: {content: {application/json: {schema: \(inline)}}}, responses: {'201': {description: x}}}}
            components:
              schemas:
                Pet: {allOf: [{type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind}}, {properties: {name: {type: string}}}]}
                Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [bark], properties: {bark: {type: integer}}}]}
                Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [purr], properties: {purr: {type: integer}}}]}
                Tool: {allOf: [{allOf: [{type: object, required: [k], properties: {k: {type: string}}, discriminator: {propertyName: k, mapping: {h: '#/components/schemas/Hammer'}}}]}]}
                Hammer: {allOf: [{$ref: '#/components/schemas/Tool'}, {type: object, required: [weight], properties: {weight: {type: integer}}}]}
                Loose: {oneOf: [{$ref: '#/components/schemas/Dog'}, {type: object, required: [kind, oil], properties: {kind: {type: string, enum: [Car]}, oil: {type: integer}}}], discriminator: {propertyName: kind}}
                One: {type: object, required: [a], properties: {t: {type: string}, a: {type: integer}}}
                Two: {type: object, required: [b], properties: {t: {type: string}, b: {type: integer}}}
            """
        let server = try DocumentServer(document, version: version)
        let bodies: [(path: String, body: String, expected: String)] = [
            ("Pet", #"{"kind":"Dog"}"#, "422 $.bark"), ("Pet", #"{"kind":"Dog","bark":1}"#, "201"),
            ("Pet", #"{"kind":"Cat","bark":1}"#, "422 $.purr"), ("Pet", #"{"kind":"Cow"}"#, "422 $.kind"),
            ("Pet", #"{"kind":"Pet"}"#, "201"), ("Dog", #"{"kind":"Cat","bark":1}"#, "422 $.kind"),
            ("Dog", #"{"kind":"Dog","bark":1}"#, "201"), ("Tool", #"{"k":"h"}"#, "422 $.weight"),
            ("Tool", #"{"k":"h","weight":1}"#, "201"), ("Tool", #"{"k":"x"}"#, "422 $.k"),
            ("inline", #"{"t":"one"}"#, "422 $.a"), ("inline", #"{"t":"two","b":1}"#, "201"),
            ("inline", #"{"t":"three"}"#, "422 $.t"), ("Loose", #"{"kind":"Car","oil":1}"#, "201"),
            ("Loose", #"{"kind":"Car"}"#, "422 $.oil"), ("Loose", #"{"kind":"Dog"}"#, "422 $.bark"),
            ("Loose", #"{"kind":"Bus"}"#, "422 $.kind"),
        ]
        for (path, body, expected) in bodies {
            try expectEqual(server.verdict("POST", "/\(path)", body), expected, "\(path) \(body)")
        }
        let samples = [
            ("Pet", "kind", "Dog"), ("Dog", "kind", "Dog"), ("Cat", "kind", "Cat"), ("Tool", "k", "h"),
            ("Hammer", "k", "h"), ("inline", "t", "one"), ("Loose", "kind", "Dog"),
        ]
        for (path, member, value) in samples {
            let answer = try server.ask("GET", "/\(path)")
            expectEqual(answer.json[member]?.stringValue, value, "\(path): \(answer.text)")
            try expectEqual(server.violations(), [], "\(path): \(answer.text)")
        }
    }
}
