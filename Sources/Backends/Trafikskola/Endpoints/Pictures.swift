import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    /// Endpoints 10 to 13 (contract, sections 5.4 and 6.5).
    static let pictureEndpoints: [TrafikskolaEndpoint] =
        ["logo.png", "icon.png", "splash.png"].map(schoolPicture) + [
            Endpoint(
                .get,
                "/avatars/{file}",
                "A profile picture",
                provenance: .documented,
                authentication: .none,
                parameters: [
                    Parameter(
                        "file",
                        in: .path,
                        .described(Schemas.filled, example: "usr_123.jpg"),
                        "One segment of A-Z a-z 0-9 _ . -"
                    )
                ],
                answers: [
                    AnswerDeclaration(.ok, "The picture, with its own type", .bytes(AvatarUpload.storedTypes)),
                    APIError.notFound.declared("No such picture"),
                ],
                metadata: EndpointMetadata(needsSecret: false)
            ) { state, _, call throws(APIError) in
                guard let name = call.parameters.first, name.utf8.allSatisfy(\.isFileNameByte) else { throw .notFound }
                guard let avatar = state.avatars[name] else {
                    guard let code = paymentPicture(name, state) else { throw .notFound }
                    return picture(code, type: "image/png", cache: "public, max-age=3600")
                }
                if state.settings.avatarURL == .html, state.users.rows.contains(where: { $0.avatarFile == name }) {
                    throw .page(.ok, "Din Trafikskola HLM")
                }
                return picture(avatar.data.bytes, type: avatar.contentType, cache: "public, max-age=3600")
            }
        ]

    private static func schoolPicture(_ name: String) -> TrafikskolaEndpoint {
        Endpoint(
            .get,
            "/\(name)",
            "A picture of the school",
            provenance: .documented,
            authentication: .none,
            answers: [
                AnswerDeclaration(.ok, "A real PNG", .bytes(["image/png"])),
                APIError.notFound.declared("The seed has no such picture"),
            ],
            metadata: EndpointMetadata(needsSecret: false)
        ) { state, _, _ throws(APIError) in
            if state.settings.images == .html { throw .page(.ok, "Din Trafikskola HLM") }
            guard let row = state.pictures[name] else { throw .notFound }
            return picture(row.data.bytes, type: "image/png", cache: "no-cache")
        }
    }

    static func picture(_ bytes: [UInt8], type: String, cache: String) -> Response {
        var fields = crossOrigin
        fields.append(.contentType, type)
        fields.append(.cacheControl, cache)
        fields.append(.eTag, ContentTag.over(bytes, named: type))
        var response = Response(status: .ok, fields: fields, body: .bytes(bytes))
        response.selection = .ranges
        return response
    }
}

extension UInt8 {
    /// Tells whether a picture's file name may contain the byte: `A-Z a-z 0-9 _ . -`.
    fileprivate var isFileNameByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x2D: true
        default: false
        }
    }
}
