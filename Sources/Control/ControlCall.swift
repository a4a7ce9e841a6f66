package import CivilTime
package import Emulation
package import HTTPMessage
import JSON

/// One control call that has passed the safety rules and found its operation.
package struct ControlCall {
    package let emulator: Emulator
    package let conductor: any Conductor
    package let origins: Origins
    package let version: String
    package var real: RealTime
    /// When the process was ready, on the monotonic clock.
    package let startedAt: Instant
    package let request: Request
    package let address: Address
    package let door: Door
    /// The values of the template's parameters.
    package let parameters: [String]
    /// The API that the port, the mount or `?api=` names.
    package let api: Int?
    package let query: QueryItems

    /// How many arrays and objects of a body may lie inside one another.
    let jsonDepth: Int
    /// What a call that waits has found out already.
    let memo = CallMemo()
    /// Whether control calls ask for the admin token.
    let asksAdminToken: Bool
    /// A token of an app leads to its world here as well; where an admin token is asked for, that is what comes.
    let credential: String?

    /// The world that the call acts on.
    func world() throws(ControlFault) -> Emulator.Slot {
        // A token of a world that is gone must not act on another one.
        if address.namedWorlds.isEmpty, let credential, let name = Emulator.issuingWorld(of: credential),
            emulator[world: name] == nil
        {
            throw Emulator.unknownWorld(name)
        }
        let name = try emulator.chooseWorld(address, credential: credential)
        guard let slot = emulator[world: name] else { throw Emulator.unknownWorld(name) }
        slot.lastUsed = real.monotonic
        slot.world.arrive(real)
        emulator.chosen.insert(slot.key)
        return slot
    }

    /// The body as a JSON object; an empty body is an empty object.
    func object() throws(ControlFault) -> JSONObject {
        guard case .object(let object) = try json() else {
            throw ControlFault(
                .invalidBody,
                "The body must be a JSON object.",
                items: [ControlFault.Item(path: "$", reason: "must be an object")]
            )
        }
        return object
    }

    private func json() throws(ControlFault) -> JSON {
        guard !request.body.isEmpty else { return .object(JSONObject()) }
        do throws(JSONSyntaxError) {
            return try JSONReader.read(
                request.body.bytes,
                options: JSONReader.Options(maxDepth: jsonDepth, allowDuplicateNames: false)
            )
        } catch {
            throw ControlFault(
                .invalidJSON,
                "\(error)"
            )
        }
    }

    /// A number of the query.
    func number(_ name: String, default value: Int) throws(ControlFault) -> Int {
        guard let text = query.last(name) else { return value }
        guard let number = Int(text), number >= 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ControlFault(
                .invalidParameter,
                "The query parameter \(name) must be a whole number from 0.",
                items: [ControlFault.Item(path: "?\(name)", reason: "must be a whole number from 0")]
            )
        }
        return number
    }

    /// `{"items":[…]}` of the page asked for, with the total in a field.
    func list(_ items: [JSON]) throws(ControlFault) -> Response { try list(items) { $0 } }

    /// The same, written out for the items of the page alone.
    func list<Item>(_ items: [Item], _ json: (Item) -> JSON) throws(ControlFault) -> Response {
        let offset = try number("offset", default: 0)
        let limit = try number("limit", default: items.count)
        let page = items.dropFirst(offset).prefix(limit).map(json)
        var response = ControlAnswer.json(["items": .array(page)])
        response.fields.append(.totalCount, "\(items.count)")
        return response
    }
}

/// The forms of control answers.
enum ControlAnswer {
    static func json(_ value: JSON, status: Status = .ok) -> Response {
        Response(
            status: status,
            fields: [.contentType: "application/json; charset=utf-8"],
            body: .bytes(value.serialized())
        )
    }

    static let nothing = Response(status: .noContent)
}
