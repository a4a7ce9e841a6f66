import Backend
import Conditions
import JSON

/// The reading of a converted stub as the reader of the folder will read it, so that one mapping beyond a limit of stubs
/// does not refuse the whole import (own-API contract, sections 19, 20 and 22).
extension StubConversion {
    /// The bytes of a file of stubs, and the depth of its values (own-API contract, section 22).
    private static let mostBytes = 8 * 1_024 * 1_024
    private static let mostDepth = 64
    /// The parts of a stub that can lose a member and still be one.
    private static let parts = ["match", "response"]

    /// Returns the stub without the parts that the reader refuses, which are listed.
    mutating func sound(_ stub: JSONObject, of mapping: JSONObject, _ states: StateNames) -> JSONObject {
        let context = StubContext(api: "own", scope: "own", states: states.all, hasFiles: true, file: { _ in [] })
        var stub = readable(stub, mapping)
        // A part that is left out may be needed by another one: a path by the placeholders for its parameters.
        for _ in 0..<4 {
            let problems = SeedStub.read(.object(stub), file: "", context).problems
            if problems.isEmpty { return stub }
            for problem in problems {
                let steps = problem.path.dropFirst().split { ".[".contains($0) }.map(String.init)
                refuse(steps, problem.reason, mapping)
                remove(steps, from: &stub)
            }
        }
        omit([], "can't be written as a stub")
        return ["response": ["status": 200]]
    }

    /// The stub without the members that no file can hold: too long, too deep, or with a name twice in an object.
    private mutating func readable(_ stub: JSONObject, _ mapping: JSONObject) -> JSONObject {
        guard Self.obstacle(to: stub) != nil else { return stub }
        var stub = stub
        for part in Self.parts {
            for member in stub[part]?.objectValue?.members ?? [] {
                let alone = JSONObject([JSONObject.Member(name: member.name, value: member.value)])
                guard let reason = Self.obstacle(to: [part: .object(alone)]) else { continue }
                refuse([part, member.name], reason, mapping)
                remove([part, member.name], from: &stub)
            }
        }
        // Each member fits, and all of them do not.
        while let reason = Self.obstacle(to: stub), let longest = Self.longest(in: stub) {
            refuse(longest, reason, mapping)
            remove(longest, from: &stub)
        }
        return stub
    }

    /// The longest member of a match or a response; nil without any.
    private static func longest(in stub: JSONObject) -> [String]? {
        let members = parts.flatMap { part in
            (stub[part]?.objectValue?.members ?? []).map {
                (steps: [part, $0.name], size: $0.value.serialized().count)
            }
        }
        return members.max { $0.size < $1.size }?.steps
    }

    /// The reason why a file with a stub could not be read.
    private static func obstacle(to stub: JSONObject) -> String? {
        let bytes = Scaffold.File(path: "", json: [.object(stub)]).bytes
        guard bytes.count <= mostBytes else { return "has \(bytes.count) bytes in a file; the limit is \(mostBytes)" }
        do throws(JSONSyntaxError) {
            _ = try JSONReader.read(
                bytes,
                options: JSONReader.Options(maxDepth: mostDepth, allowDuplicateNames: false)
            )
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: Parts

    /// Lists a part of the stub at the part of the mapping from which it was made.
    private mutating func refuse(_ steps: [String], _ reason: String, _ mapping: JSONObject) {
        let shown = steps.isEmpty ? "stub" : steps.prefix(2).joined(separator: ".") + " that a stub can have"
        omit(Self.origin(of: steps, in: mapping), "is not a \(shown): \(reason)")
    }

    /// The place in the mapping from which a part of the stub was made.
    private static func origin(of steps: [String], in mapping: JSONObject) -> [JSONPathElement] {
        guard let part = steps.first else { return [] }
        let outer = part == "match" ? "request" : part
        let names = steps.dropFirst().prefix(1).flatMap { members[$0] ?? [$0] }
        let named = names.first { mapping[outer]?[$0].map { !$0.isNull } ?? false }
        return [.key(outer)] + (named.map { [.key($0)] } ?? [])
    }

    /// The members of a mapping that become those of a stub with another name.
    private static let members = [
        "path": addresses, "query": ["queryParameters", "url"], "body": ["bodyPatterns", "jsonBody"],
        "bodyText": ["bodyPatterns"], "text": ["body", "bodyFileName"], "base64": ["base64Body"],
        "file": ["bodyFileName"], "delay": ["delayDistribution", "fixedDelayMilliseconds"],
    ]

    /// Takes a part out of a stub, or puts the least one in its place.
    private func remove(_ steps: [String], from stub: inout JSONObject) {
        guard let part = steps.first else { return }
        guard case .object(var inner)? = stub[part], Self.parts.contains(part) else { return stub[part] = nil }
        if let member = steps.dropFirst().first, inner[member] != nil {
            inner[member] = nil
            stub[part] = .object(inner)
        } else {
            stub[part] = part == "response" ? ["status": inner["status"] ?? 200] : nil
        }
    }
}
