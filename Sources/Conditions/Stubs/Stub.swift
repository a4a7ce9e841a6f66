package import Backend
package import JSON

/// A stub of a world, with its counters.
package struct Stub: Sendable {
    /// The origin of a stub, which also removes it.
    package enum Origin: Sendable, Hashable {
        case call
        /// A file of the API's folder, such as `stubs/a.json`.
        case file(String)
        /// The scenario of that name.
        case scenario(String)

        /// The text that lists show.
        package var text: String {
            switch self {
            case .call: "call"
            case .file(let path): "file:\(path)"
            case .scenario(let name): "scenario:\(name)"
            }
        }

        /// Reads that text.
        package init?(_ text: String) {
            if text == "call" {
                self = .call
            } else if text.hasPrefix("file:") {
                self = .file(String(text.dropFirst(5)))
            } else if text.hasPrefix("scenario:") {
                self = .scenario(String(text.dropFirst(9)))
            } else {
                return nil
            }
        }
    }

    package let id: String
    package internal(set) var spec: StubSpec {
        didSet { words = Self.words(id, spec, origin) }
    }
    package let origin: Origin
    package internal(set) var isEnabled = true
    /// The matching requests that came while its window was open and it was not used up.
    package var matches = 0
    /// The requests that it has answered.
    package var hits = 0
    /// The random draws that it made.
    package var draws: UInt64 = 0
    /// The key of its place among the others; smaller ones come first.
    var rank: Int64 = 0
    /// The stub in words, for the journal; kept, since each request that it answers has them.
    package private(set) var words: String

    package init(id: String, spec: StubSpec, origin: Origin, isEnabled: Bool = true) {
        self.id = id
        self.spec = spec
        self.origin = origin
        self.isEnabled = isEnabled
        words = Self.words(id, spec, origin)
    }

    private static func words(_ id: String, _ spec: StubSpec, _ origin: Origin) -> String {
        let name = spec.name.map { " \(JSON.string($0.cut).text)" } ?? ""
        return "stub \(id)\(name)" + (origin == .call ? "" : " (\(origin.text))")
    }

    /// The form that a listing shows.
    package var json: JSON {
        var object: JSONObject = ["id": .string(id)]
        for name in StubSpec.members {
            if let value = spec.source[name] { object.append(name, value) }
        }
        object.append("enabled", .bool(isEnabled))
        object.append("hits", .integer(Int64(hits)))
        object.append("source", .string(origin.text))
        return .object(object)
    }

    /// The members as they were written with those of a change in their place; null takes one out.
    ///
    /// An answer takes the place of several, and several that of one.
    package func merged(with change: JSONObject) -> JSONObject {
        var merged = spec.source
        for (given, other) in [("response", "responses"), ("responses", "response")]
        where change[given]?.isNull == false && change[other] == nil {
            merged[other] = nil
        }
        for member in change.members { merged[member.name] = member.value.isNull ? nil : member.value }
        return merged
    }

    /// Begins its counts anew.
    mutating func restart() {
        (matches, hits, draws) = (0, 0, 0)
    }

    /// Returns its random stream for one purpose, the same in every run; `ordinal` counts the uses.
    package func stream(_ purpose: String, seed: UInt64, ordinal: UInt64) -> SeededStream {
        SeededStream(seed: seed, purpose: "stub \(id) \(purpose)", ordinal: ordinal)
    }
}
