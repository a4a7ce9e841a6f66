import Backend
import CivilTime
import HTTPMessage
import JSON

/// The forms of successful responses, and helpers that endpoints share.
extension TrafikskolaAPI {
    /// The response `{"success": true, "data": {…}}`.
    static func ok(_ value: some ResponseModel, _ call: Call, status: Status = .ok) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
        writer.json.beginObject()
        writer.json.name("success")
        writer.json.bool(true)
        writer.json.name("data")
        writer.write(value)
        writer.json.endObject()
        return json(writer.json.bytes, status: status)
    }

    /// The response `{"success": true}` with the members of a value next to it.
    static func beside(_ value: some ResponseModel, _ call: Call) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
        writer.write(value)
        return json(writer.json.bytes, status: .ok)
    }

    /// The response `{"success": true}`.
    static func success() -> Response { json(successBytes, status: .ok) }

    static func json(_ bytes: [UInt8], status: Status) -> Response {
        var fields = crossOrigin
        fields.append(.contentType, jsonType)
        return Response(status: status, fields: fields, body: .bytes(bytes))
    }

    private static let successBytes = JSON.object(["success": true]).serialized()

    // MARK: Links

    /// The origin by which the client reaches the server (section 2.1).
    static func origin(_ state: TrafikskolaState, _ call: Call) -> String {
        if let fixed = state.settings.publicOrigin, !fixed.isEmpty {
            var text = fixed
            while text.hasSuffix("/") { text.removeLast() }
            return text
        }
        let isSecure = call.request.head.isSecure == true
        return ForwardedOrigin(
            scheme: isSecure ? "https" : "http",
            authority: authority(call),
            fields: call.fields,
            believesScheme: !isSecure
        ).text + call.linkPrefix
    }

    /// The same origin for links to pictures, which image views fetch without any credential.
    ///
    /// If the client's token alone has selected the world, the request does not name the world, so the link does.
    static func pictureOrigin(_ state: TrafikskolaState, _ core: WorldCore, _ call: Call) -> String {
        let origin = origin(state, call)
        guard state.settings.publicOrigin?.isEmpty ?? true else { return origin }
        let prefix = call.prefix(leadingTo: core.name, authority: authority(call))
        return String(origin.dropLast(call.linkPrefix.count)) + prefix
    }

    /// The host and port that the client named, or the standard ones if it named none.
    private static func authority(_ call: Call) -> String {
        guard let named = call.request.head.authority, !named.isEmpty else { return "127.0.0.1:4684" }
        return named
    }

    /// The host that the client used, forwarded or not, without port.
    static func ownHost(_ call: Call) -> String {
        SchoolDomain.host(
            of: ForwardedOrigin(scheme: "http", authority: authority(call), fields: call.fields).authority
        )
    }

    // MARK: Declarations

    /// A successful answer with data.
    static func data<Value: ResponseModel>(
        _ type: Value.Type,
        _ description: String,
        status: Status = .ok,
        example: JSON? = nil
    ) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            description,
            .json(
                name: Value.shape.name + "Answer",
                schema: Schemas.object([("success", .boolean), ("data", Value.shape.schema)]),
                contentType: "application/json"
            ),
            example: example
        )
    }

    /// The declaration of `{"success": true}`.
    static func plainSuccess(_ description: String) -> AnswerDeclaration {
        AnswerDeclaration(
            .ok,
            description,
            .json(
                name: "Success",
                schema: Schemas.object([("success", .boolean)]),
                contentType: "application/json"
            ),
            example: ["success": true]
        )
    }

    private static let everywhere: [AnswerDeclaration] = [
        APIError.rateLimited(seconds: 2).declared("Only in the rate scenarios"),
        APIError.internalError.declared("Injected"),
        APIError.maintenance.declared("Only in trafikskola/maintenance-503"),
    ]
    static let publicErrors: [AnswerDeclaration] =
        [
            APIError.invalidAppSecret.declared("Strict mode and no X-App-Secret")
        ] + everywhere
    static let bearerErrors: [AnswerDeclaration] =
        [
            APIError.invalidToken.declared("The access token is absent, malformed, forged, expired or revoked")
        ] + publicErrors
    static let bodyErrors: [AnswerDeclaration] = [
        APIError.invalidJSON.declared("Not UTF-8, not JSON, not an object, too deep, or empty"),
        APIError.tooLarge.declared("The body is over 1 MiB"),
    ]
    static let validationError = APIError.validation("field", "is required").declared("A field does not fit")
    static let missing = APIError.notFound.declared("Unknown, or another user's")
    static let forbiddenError = APIError.forbidden.declared("The role does not allow it")

    static func query(_ name: String, _ schema: JSONSchema, required: Bool = false, _ description: String) -> Parameter
    {
        Parameter(name, in: .query, schema, required: required, description)
    }
}

/// Shorthands for schemas.
enum Schemas {
    static func object(
        _ required: [(String, JSONSchema)],
        optional: [(String, JSONSchema)] = []
    ) -> JSONSchema {
        .object(
            JSONSchema.Object(
                required.map { JSONSchema.Property($0.0, $0.1) }
                    + optional.map { JSONSchema.Property($0.0, $0.1, isRequired: false) }
            )
        )
    }

    static let text = JSONSchema.string()
    static let filled = JSONSchema.string(minLength: 1)
    static let day = JSONSchema.string(format: "date")
    static let time = JSONSchema.string(format: "date-time")
}
