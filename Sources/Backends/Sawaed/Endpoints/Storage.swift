import Backend
import CivilTime
import HTTPMessage
import JSON

/// Rows 55 and 56 (contract, section 6.7).
extension SawaedAPI {
    static func storageURL(_ id: String, _ call: Call) -> String {
        "\(call.origin)/api/storage/\(id.percentEncodedComponent)"
    }

    /// The address of a picture of this world, which is fetched without any credential.
    ///
    /// If the token alone has selected the world, the caller's own address does not lead back to it, so the link names
    /// it (control contract, section 4).
    static func pictureAddress(_ id: String, _ state: SawaedState, _ call: Call) -> String {
        guard let world = WorldCore.world(ofIssuer: state.tokens.issuer) else { return storageURL(id, call) }
        let prefix = call.prefix(leadingTo: world, authority: call.request.head.authority)
        return "\(Call.origin(of: call.request.head, prefix))/api/storage/\(id.percentEncodedComponent)"
    }

    static let storageEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .post,
            "/api/storage/upload",
            "Takes the raw bytes of a picture",
            provenance: .assumed,
            authentication: .none,
            credential: .query("token"),
            parameters: [Parameter("token", in: .query, .string(), required: true, "Of the upload address")],
            body: .binary,
            bodyLimit: uploadLimit,
            answers: [
                .json(StoredID.self, "Stored"),
                APIError.invalid("The body is empty.").declared("The body is empty"),
                APIError.forbidden.declared("The token is unknown, used or over"),
                APIError.tooLarge.declared("More than 5 MiB"),
                CommonErrors.server("upload_failed"),
            ],
            metadata: EndpointMetadata(area: .storage, failure: "upload_failed"),
            handle: upload
        ),
        Endpoint(
            .get,
            "/api/storage/{storageId}",
            "The bytes of a stored picture",
            provenance: .assumed,
            authentication: .none,
            parameters: [Parameter("storageId", in: .path, .string(), "What the upload answered")],
            bodyLimit: bodyLimit,
            answers: [
                AnswerDeclaration(.ok, "The bytes, with the stored type", .bytes(["image/*", "*/*"])),
                APIError.notFound.declared("There is no such picture"),
                CommonErrors.server("storage_failed"),
            ],
            metadata: EndpointMetadata(area: .storage, failure: "storage_failed")
        ) { state, _, call throws(APIError) in
            guard let file = state.files[call.parameters[0]] else { throw .notFound }
            // Uploaded content of any type must not run on this origin.
            var fields: Fields = ["X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"]
            if !fields.append(.contentType, file.contentType) {
                fields.append(.contentType, "application/octet-stream")
            }
            return Response(status: .ok, fields: fields, body: .bytes(file.bytes))
        },
    ]

    /// The longest type of a stored picture, so that it fits into one header field that clients read.
    static let longestFileType = 65_472

    private static func upload(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        // A fork has the rows of its origin, but a token that another world issued is not valid in it.
        guard let token = call.query.last("token"), WorldTag.fits(token, world: core.name),
            let leave = state.uploadTokens[token], state.settings.uploadTokens == .valid,
            call.now < state.instant(leave.expiresAt)
        else { throw .forbidden }
        let body = call.request.body
        guard !body.exceedsLimit, body.length <= state.settings.uploadLimitBytes else { throw .tooLarge }
        guard !body.isEmpty else { throw .invalid("The body is empty.") }
        call.user = CallUser(id: leave.userId, email: state.users[leave.userId]?.email)
        state.uploadTokens.remove(token)
        let id = state.newID("storage") { $0.files.contains($1) }
        let type = call.fields[.contentType] ?? ""
        state.files.insert(
            StoredFile(
                id: id,
                contentType: type.isEmpty || type.utf8.count > longestFileType ? "application/octet-stream" : type,
                bytes: body.bytes
            )
        )
        return json(StoredID(id: id), call)
    }
}
