package import Backend
package import CivilTime
import Conditions
package import Engine
package import HTTPMessage
package import JSON
import Worlds

/// One control call that has passed the safety rules and found its operation.
package struct ControlCall {
    package let emulator: Emulator
    /// The operations of this control API.
    let table: ControlTable
    package let host: any ControlHost
    package let origins: Origins
    package let version: String
    package var hostTime: HostTime
    /// The time at which the process was ready, on the monotonic clock.
    package let startedAt: Instant
    package var request: HTTPRequest
    package let address: Address
    package let entryPoint: EntryPoint
    /// The values of the template's parameters.
    package let parameters: [String]
    /// The API that the port, the mount or `?api=` names.
    package let api: Int?
    package let query: QueryItems

    /// The progress of a call that waits.
    let memo = VerificationProgress()
    /// Tells whether control calls need the admin token.
    let asksAdminToken: Bool
    /// The credential of an app, which selects its world here as well; nil where the admin token is sent in its place.
    let credential: String?

    /// Returns the world that the call acts on; a name in the query counts as one in the header does.
    package func world(named more: String? = nil) throws(Problem) -> Emulator.HostedWorld {
        var address = address
        if let more { address.namedWorlds.append(more) }
        // A token of a deleted world must not act on another one.
        if address.namedWorlds.isEmpty, let credential, let name = Emulator.issuingWorld(of: credential),
            emulator[world: name] == nil
        {
            throw Emulator.unknownWorld(name)
        }
        let name = try emulator.chooseWorld(address, credential: credential)
        guard let hosted = emulator[world: name] else { throw Emulator.unknownWorld(name) }
        hosted.lastUsed = hostTime.monotonic
        hosted.world.tick(to: hostTime)
        emulator.chosen.insert(hosted.key)
        return hosted
    }

    /// Returns the body as a JSON object; an empty body is an empty object.
    ///
    /// `depth` is for bodies that may be nested deeper than the others.
    func object(depth: Int = 0) throws(Problem) -> JSONObject { try Self.object(try json(atLeast: depth)) }

    /// Returns the body of a fault, a gate or a latency, within their limit (control contract, section 17).
    func shortObject() throws(Problem) -> JSONObject {
        if request.body.length <= BodyCheck.mostBytes { return try object() }
        // The content of an answer that is written out has a limit of its own.
        let object = try object()
        let counted = BodyCheck.countedBytes(of: object) ?? request.body.length
        guard counted <= BodyCheck.mostBytes else {
            let reason = "must be at most \(BodyCheck.mostBytes) bytes of JSON, found \(counted)"
            throw Problem(
                .invalidBody,
                "The body \(reason). Nothing was changed.",
                items: [Problem.Item(path: "$", reason: reason)]
            )
        }
        return object
    }

    static func object(_ json: JSON) throws(Problem) -> JSONObject {
        guard case .object(let object) = json else {
            throw Problem(
                .invalidBody,
                "The body must be a JSON object.",
                items: [Problem.Item(path: "$", reason: "must be an object")]
            )
        }
        return object
    }

    private func json(atLeast depth: Int) throws(Problem) -> JSON {
        let bounds = emulator.configuration.bounds
        // Only a world is read deeper than other bodies, and its number of values is not limited.
        let values = depth > 0 ? .max : bounds.values
        return try Self.json(request, BodyBounds(jsonDepth: max(bounds.depth(), depth), jsonValues: values))
    }

    /// Returns the body of a request within its limits; an empty one is an empty object.
    static func json(_ request: HTTPRequest, _ bounds: BodyBounds) throws(Problem) -> JSON {
        guard !request.body.isEmpty else { return .object(JSONObject()) }
        var request = request
        request.bounds = bounds
        do throws(JSONSyntaxError) {
            return try request.json(allowsDuplicateNames: false)
        } catch  where error.reason == .duplicateName {
            // It is JSON, and a typo: as a member that is unknown (control contract, section 3).
            throw Problem(
                .invalidBody,
                "Invalid request body at line \(error.line), column \(error.column): \(error.message). Nothing was changed.",
                items: [Problem.Item(path: "$", reason: error.message)]
            )
        } catch {
            throw Problem(.invalidJSON, "\(error)")
        }
    }

    /// Returns a number of the query.
    package func number(_ name: String, default value: Int) throws(Problem) -> Int {
        guard let text = query.last(name) else { return value }
        guard let number = Int(text), number >= 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Problem(
                .invalidParameter,
                "The query parameter \(name) must be a whole number from 0.",
                items: [Problem.Item(path: "?\(name)", reason: "must be a whole number from 0")]
            )
        }
        return number
    }

    /// Returns a number of the query within a range.
    func number(_ name: String, default value: Int, in range: ClosedRange<Int>) throws(Problem) -> Int {
        let number = try number(name, default: value)
        guard range.contains(number) else {
            let reason = "must be from \(range.lowerBound) to \(range.upperBound)"
            throw Problem(
                .invalidParameter,
                "The query parameter \(name) \(reason) here, found \(number).",
                items: [Problem.Item(path: "?\(name)", reason: reason)]
            )
        }
        return number
    }

    /// Returns one of a few words of the query; nil if it is absent.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Choice.Type
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        guard let text = query.last(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue)
            let hint = Suggestion.question(to: text, among: words)
            let reason = "must be one of \(words.joined(separator: ", "))"
            throw Problem(
                .invalidParameter,
                "The query parameter \(name) \(reason), found \"\(text.cut)\".\(hint)",
                items: [Problem.Item(path: "?\(name)", reason: reason)]
            )
        }
        return choice
    }

    /// Returns the requested page as `{"items":[…]}`, with the total in a field.
    package func list(_ items: [JSON]) throws(Problem) -> Response { try list(items) { $0 } }

    /// Returns the same, with JSON made for the items of the page alone.
    func list<Item>(_ items: [Item], _ json: (Item) -> JSON) throws(Problem) -> Response {
        try page().response(items, json)
    }

    /// Returns the part of a list that the query requests.
    func page() throws(Problem) -> ListPage {
        ListPage(offset: try number("offset", default: 0), limit: try number("limit", default: Int.max))
    }
}

/// The requested part of a list.
struct ListPage: Sendable {
    var offset: Int
    var limit: Int

    /// Returns the page as `{"items":[…]}`, with the total in a field.
    ///
    /// `first` are members before the items, `rest` those behind them.
    func response<Item>(
        _ items: some Collection<Item>,
        first: JSONObject = JSONObject(),
        rest: JSONObject = JSONObject(),
        _ json: (Item) -> JSON
    ) -> Response {
        withoutActuallyEscaping(json) { json in
            var writer = PieceWriter()
            writer.append(text: "{")
            for member in first.members {
                writer.append(.string(member.name))
                writer.append(text: ":")
                writer.append(member.value)
                writer.append(text: ",")
            }
            writer.append(text: "\"items\":")
            writer.append(rows: items.dropFirst(offset).prefix(limit).lazy.map(json))
            for member in rest.members {
                writer.append(text: ",")
                writer.append(.string(member.name))
                writer.append(text: ":")
                writer.append(member.value)
            }
            writer.append(text: "}")
            return writer.response(total: items.count)
        }
    }
}

/// The forms of control responses.
package enum ControlAnswer {
    package static func json(_ value: JSON, status: Status = .ok) -> Response {
        Response(
            status: status,
            fields: [.contentType: "application/json; charset=utf-8"],
            body: .bytes(value.serialized())
        )
    }

    package static let nothing = Response(status: .noContent)
}
