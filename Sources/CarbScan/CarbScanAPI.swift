package import CivilTime
package import Emulation
package import HTTPMessage
import JSON

/// CarbScan: carbohydrates estimated from food photos, with meals, sync, chat, insights and subscriptions.
package enum CarbScanAPI: EmulatedAPI {
    package typealias State = CarbScanState

    /// What the engine can't know of an endpoint.
    package struct EndpointMetadata: Sendable {
        /// Which code an error of the whole group has, and what the client's helper server serves.
        enum Group: Sendable { case other, auth, config, devices }

        var group = Group.other
        /// Whether a body of any size and form has the same answer.
        var ignoresBody = false
    }

    package static let identity = APIIdentity(
        name: "carbscan",
        title: "CarbScan",
        version: "1.1",
        description: "Carbohydrates from food photos: analysis, meals, sync, chat, insights, subscriptions.",
        portOffset: 2
    )

    package static let acceptsTrailingSlash = true

    package static let settings = CarbScanSettings.declarations

    package static let endpoints: [Endpoint<CarbScanAPI>] =
        withInjected(
            generalEndpoints + authEndpoints + deviceEndpoints + analysisEndpoints + mealEndpoints + chatEndpoints
                + insightEndpoints + subscriptionEndpoints + browserEndpoints
        )

    static let base = "/api/mobile/v1"
    /// Bodies are read up to here (section 2).
    static let bodyLimit = 20 * 1024 * 1024
    /// Decoded images (section 7.11).
    static let imageLimit = 10_485_760

    package static func bind(_ state: inout CarbScanState, core: WorldCore) {
        state.tokens = TokenIssuer(
            secret: core.secret("carbscan tokens \(state.tokenGeneration)"),
            issuer: core.issuer,
            identitySeed: core.seed ^ "carbscan apple".fnv1a64,
            keys: state.tokens.signer.keys,
            issued: core.issued
        )
    }

    package static func secrets(in state: CarbScanState) -> [String] {
        state.magicLinks.rows.map(\.id) + state.browserCodes.rows.map(\.id)
    }

    package static func dropCaches(_ state: inout CarbScanState) { state.tokens.forget() }

    // MARK: Before every endpoint

    /// Steps 3 and 4 of section 2: the credential, then the size of the body.
    package static func precheck(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: Endpoint<CarbScanAPI>
    ) throws(APIError) {
        state.settle(call.epoch)
        if state.settings.answers == .htmlGateway { throw APIError(Status(502), "") }
        let isCompanion = state.settings.deviceMode == .companion && endpoint.trait.group == .devices
        if endpoint.authentication != .none {
            let found = call.bearerToken.flatMap { token in
                state.settings.accessTokens == .refused
                    ? nil : state.authenticate(token, as: .access, now: call.now, epoch: call.epoch)
            }
            if let user = found?.user {
                call.user = CallUser(id: user.id, email: user.email)
            } else if endpoint.authentication == .bearer || isCompanion {
                throw .unauthorized
            }
        }
        if call.request.body.exceedsLimit, !endpoint.trait.ignoresBody { throw .tooLarge }
        if endpoint.trait.group == .devices, state.settings.failsDevices {
            throw APIError(.internalServerError, code: Code.registration, "The device could not be registered")
        }
    }

    /// The signed-in account.
    static func user(_ state: CarbScanState, _ call: Call) throws(APIError) -> User {
        guard let id = call.user?.id, let user = state.users[id] else { throw .unauthorized }
        return user
    }

    // MARK: Answers

    static let jsonFields: Fields = [.contentType: "application/json; charset=utf-8"]

    /// A success.
    static func json(_ data: some ResponseModel, _ state: CarbScanState, _ call: Call) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
        writer.json.beginObject()
        writer.json.name("success")
        writer.json.bool(true)
        writer.json.name("data")
        writer.write(data)
        if !state.settings.omitsMeta {
            writer.json.name("meta")
            writer.json.beginObject()
            writer.json.name("timestamp")
            writer.write(call.now)
            writer.json.name("version")
            writer.json.string(Envelope.version)
            writer.json.endObject()
        }
        writer.json.endObject()
        return finished(.ok, jsonFields, writer.json.bytes, state)
    }

    /// An answer as the world's present switches let it out.
    static func finished(_ status: Status, _ fields: Fields, _ bytes: [UInt8], _ state: CarbScanState) -> Response {
        var bytes = bytes
        if state.settings.addsUnknownFields, let json = try? JSONReader.read(bytes) {
            bytes = json.withUnknownFields.serialized()
        }
        switch state.settings.answers {
        case .normal: return Response(status: status, fields: fields, body: .bytes(bytes))
        case .htmlGateway:
            let page =
                "<html><head><title>502 Bad Gateway</title></head>"
                + "<body><center><h1>502 Bad Gateway</h1></center></body></html>"
            return Response(
                status: Status(502),
                fields: [.contentType: "text/html; charset=utf-8"],
                body: .bytes(Array(page.utf8))
            )
        case .truncatedJson:
            return Response(status: status, fields: fields, body: .bytes(Array(bytes.prefix(bytes.count / 2))))
        case .empty: return Response(status: status, fields: fields, body: .bytes([]))
        case .reset:
            var response = Response(status: status, fields: fields, body: .bytes(bytes))
            response.prelude = [.abort]
            return response
        }
    }

    package static func render(_ failure: APIError, state: CarbScanState, call: Call) -> Response {
        var fields = failure.fields
        fields.append(contentsOf: jsonFields)
        let isBare = failure.code == Code.notFound && state.settings.notFoundShape == .bare
        let isCompanion =
            state.settings.deviceMode == .companion && call.route?.hasPrefix(base + "/devices/") == true
        if isBare || isCompanion {
            return finished(
                failure.status,
                fields,
                JSON.object(["error": .string(failure.message)]).serialized(),
                state
            )
        }
        let answer = Envelope.failure(failure, at: state.settings.omitsMeta ? nil : call.now)
        return finished(failure.status, fields, answer.serialized(), state)
    }

    package static func unknownPath(state: CarbScanState, call: Call) -> APIError { .notFound }

    package static func otherMethod(
        state: CarbScanState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        var fields = allowField(allowed)
        guard call.method == .options else {
            throw APIError(
                .methodNotAllowed,
                code: Code.methodNotAllowed,
                "This path takes other methods",
                fields: fields
            )
        }
        var methods = allowed + [.options]
        if allowed.contains(.get), !allowed.contains(.head) { methods.append(.head) }
        fields.append("Access-Control-Allow-Origin", "*")
        fields.append("Access-Control-Allow-Methods", methods.map(\.rawValue).joined(separator: ", "))
        // Whatever a page asks to send; a star would leave Authorization out.
        let usual = "Authorization, Content-Type, X-Request-Id, X-Understudy-World"
        fields.append("Access-Control-Allow-Headers", call.fields["Access-Control-Request-Headers"] ?? usual)
        fields.append("Access-Control-Max-Age", "86400")
        return Response(status: .noContent, fields: fields)
    }

    package static func refusal(_ status: Status, detail: String) -> Response {
        refusal(status, detail: detail, now: nil)
    }

    package static func refusal(_ status: Status, detail: String, now: Instant?) -> Response {
        let failure =
            switch status {
            case .contentTooLarge: APIError.tooLarge
            case .notFound: APIError.notFound
            default: APIError(status, code: Code.of(status), status.reasonPhrase)
            }
        return Response(
            status: status,
            fields: jsonFields,
            body: .bytes(Envelope.failure(failure, at: now).serialized())
        )
    }

    // MARK: Reading requests

    /// The body as an object (section 2): no body, or one of another type, counts as an empty one.
    static func object(_ request: HTTPRequest) throws(APIError) -> JSONObject {
        guard !request.body.exceedsLimit else { throw .tooLarge }
        guard !request.body.isEmpty,
            request.head.fields.bytes(.contentType).flatMap(MediaType.init(bytes:))?.essence == "application/json"
        else { return JSONObject() }
        guard let json = try? request.json() else {
            throw .validation([("body", "malformed_json")])
        }
        guard case .object(let object) = json else {
            throw .validation([("body", "wrong_type")])
        }
        return object
    }

    /// The body as a model without issues.
    static func read<Model: RequestModel>(_ type: Model.Type, _ call: Call) throws(APIError) -> Model {
        let (body, issues) = type.read(try object(call.request))
        try issues.check()
        return body
    }

    /// `limit` and `offset` (section 7.12): above the maximum is cut to it, nonsense is refused.
    static func page(
        _ call: Call,
        usual: Int,
        atMost maximum: Int,
        hasOffset: Bool
    ) throws(APIError) -> (limit: Int, offset: Int) {
        var issues: [FieldIssue] = []
        let query = call.query
        func number(_ name: String, usual: Int, from least: Int) -> Int {
            guard let text = query.first(name) else { return usual }
            let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
            guard !text.isEmpty else {
                issues.note(name, .empty)
                return usual
            }
            guard !digits.isEmpty, text.utf8.count - digits.count <= 1, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
                issues.note(name, .wrongFormat("integer"))
                return usual
            }
            guard digits.count <= 9, let value = Int(text), value >= least else {
                issues.note(name, .outOfRange(.integer(nil)))
                return usual
            }
            return value
        }
        let limit = number("limit", usual: usual, from: 1)
        let offset = hasOffset ? number("offset", usual: 0, from: 0) : 0
        try issues.check()
        return (min(limit, maximum), offset)
    }
}

extension JSON {
    /// The value with one more member in each object.
    var withUnknownFields: JSON {
        switch self {
        case .object(let object):
            var members = object.members.map {
                JSONObject.Member(name: $0.name, value: $0.value.withUnknownFields)
            }
            members.append(JSONObject.Member(name: "addedLater", value: "a field that no client knows"))
            return .object(JSONObject(members))
        case .array(let elements): return .array(elements.map(\.withUnknownFields))
        default: return self
        }
    }
}
