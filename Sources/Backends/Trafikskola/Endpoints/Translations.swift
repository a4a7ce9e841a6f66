import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    private static let sections = JSONSchema.object(
        JSONSchema.Object(
            [],
            additionalProperties: .schema(
                .object(JSONSchema.Object([], additionalProperties: .schema(Schemas.text)))
            )
        )
    )
    private static let unknownLocale = APIError.translationsNotFound.declared("Neither sv nor en")
    private static let switchedOff = APIError.notFound.declared("Only in trafikskola/i18n-404")

    /// Endpoints 9 and 43 (contract, section 5.5).
    static let translationEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/i18n",
            "The texts of a language",
            provenance: .documented,
            authentication: .none,
            parameters: [
                query("locale", Schemas.text, "sv or en, with or without a region; sv if absent"),
                query("version", Schemas.text, "The app's version, ignored"),
                Parameter("If-None-Match", in: .header, Schemas.text, "304 when it names the present ETag"),
            ],
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The texts, with an ETag",
                    .json(
                        name: "TranslationsAnswer",
                        schema: Schemas.object([
                            ("success", .boolean),
                            (
                                "data",
                                Schemas.object([
                                    ("locale", .string(enumeration: ["sv", "en"])), ("translations", sections),
                                    ("version", Schemas.text),
                                ])
                            ),
                        ]),
                        contentType: "application/json"
                    )
                ),
                AnswerDeclaration(.notModified, "The client's copy is current", .none),
                unknownLocale, switchedOff,
            ] + publicErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let row = try translation(call.query.last("locale") ?? "", state)
            let body = JSON.object([
                "success": true,
                "data": [
                    "locale": .string(row.id), "translations": texts(row), "version": .string(row.version),
                ],
            ]).serialized()
            // A tag of the texts alone, so that it changes exactly when they do.
            let tag = EntityTag(opaque: row.id + "-" + Hex.encode(SHA256.digest(body).prefix(12)))
            let isKnown =
                state.settings.i18nNotModified == .always && call.fields.contains(.ifNoneMatch)
                || ConditionalRequest(call.fields).isNoneMatchFailed(current: tag)
            var response = json(body, status: .ok)
            if isKnown { response = Response(status: .notModified, fields: crossOrigin) }
            if let tag { response.fields.append(.eTag, tag.text) }
            return response
        },
        Endpoint(
            .get,
            "/api/mobile/translations/{locale}",
            "The same texts, where i18n fails",
            provenance: .beyondTheDocument,
            authentication: .none,
            parameters: [
                Parameter(
                    "locale",
                    in: .path,
                    .described(Schemas.filled, example: "sv"),
                    "sv or en, with or without a region"
                )
            ],
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The texts",
                    .json(
                        name: "TranslationFallbackAnswer",
                        schema: Schemas.object([("success", .boolean), ("data", sections)]),
                        contentType: "application/json"
                    )
                ),
                unknownLocale, switchedOff,
            ] + publicErrors,
            metadata: EndpointMetadata(needsSecret: false)
        ) { state, _, call throws(APIError) in
            let row = try translation(call.parameters.first ?? "", state)
            return json(JSON.object(["success": true, "data": texts(row)]).serialized(), status: .ok)
        },
    ]

    private static func translation(_ locale: String, _ state: TrafikskolaState) throws(APIError) -> Translation {
        guard state.settings.i18n == .on else { throw .notFound }
        let parts = locale.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let isRegion = parts.dropFirst().allSatisfy { region in
            (region.utf8.count == 2 && region.utf8.allSatisfy { (0x61...0x7A).contains($0) })
                || (region.utf8.count == 3 && region.utf8.allSatisfy { (0x30...0x39).contains($0) })
        }
        let language = locale.isEmpty ? "sv" : String(parts[0])
        guard parts.count <= 2, isRegion, let row = state.translations[language] else { throw .translationsNotFound }
        return row
    }

    private static func texts(_ row: Translation) -> JSON {
        .object(
            JSONObject(
                row.sections.map { section in
                    JSONObject.Member(
                        name: section.name,
                        value: .object(
                            JSONObject(
                                section.entries.map { JSONObject.Member(name: $0.key, value: .string($0.text)) }
                            )
                        )
                    )
                }
            )
        )
    }
}
