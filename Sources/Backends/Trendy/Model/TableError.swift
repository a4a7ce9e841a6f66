import Backend
import HTTPMessage
import JSON

/// The error form of the tables' server, PostgREST (contract, section 10.12).
enum TableError {
    static let badToken = APIError(.unauthorized, code: "PGRST301", "JWT expired")
    static let issuedAhead = APIError(.unauthorized, code: "PGRST303", "JWT issued at future")
    static let notYetValid = APIError(.unauthorized, code: "PGRST303", "JWT not yet valid")
    static let badJSON = APIError(.badRequest, code: "PGRST102", "Empty or invalid json")
    static let tooLarge = APIError(.contentTooLarge, code: "PGRST102", "request body too large")
    static let notYours = APIError(
        .forbidden,
        code: "42501",
        "new row violates row-level security policy for table \"profiles\""
    )
    static let notSingular = APIError(
        Status(406),
        code: "PGRST116",
        "JSON object requested, multiple (or no) rows returned"
    )

    static func unknownTable(_ path: Path) -> APIError {
        let name = path.segments.dropFirst(2).joined(separator: "/")
        return APIError(
            .notFound,
            code: "PGRST205",
            "Could not find the table 'public.\(name)' in the schema cache"
        )
    }

    static func otherMethod(_ method: HTTPMessage.HTTPMethod, _ fields: Fields) -> APIError {
        APIError(
            .methodNotAllowed,
            code: "PGRST117",
            "Unsupported HTTP method: \(method.rawValue)",
            fields: fields
        )
    }

    /// The refusal of a second row with an id; PostgREST quotes the database's detail.
    static func duplicate(_ id: String) -> APIError {
        APIError(
            .conflict,
            code: "23505",
            "duplicate key value violates unique constraint \"profiles_pkey\"",
            details: [("id", "Key (id)=(\(id)) already exists.")]
        )
    }

    /// The refusal of a part of a query that PostgREST knows and the emulator does not.
    static func beyondTheEmulator(_ part: String) -> APIError {
        APIError(
            .badRequest,
            code: "PGRST100",
            "\(part) is beyond a limit of the emulator, which applies eq, neq, gt, gte, lt, lte, like, ilike, is, in and not "
                + "to the columns, and select, order, limit and offset"
        )
    }

    static func unreadableFilter(_ filter: String) -> APIError {
        APIError(.badRequest, code: "PGRST100", "\"failed to parse filter (\(filter))\" (line 1, column 1)")
    }

    /// The refusal of an offset behind the last row, where the rows were to be counted.
    static func outOfRange(offset: Int, total: Int) -> APIError {
        var fields = Fields()
        fields.append(TableError.contentRange, "*/\(total)")
        return APIError(
            Status(416),
            code: "PGRST103",
            "Requested range not satisfiable",
            details: [("offset", "An offset of \(offset) was requested, but there are only \(total) rows.")],
            fields: fields
        )
    }

    static let contentRange: FieldName = "Content-Range"

    static func unknownColumn(_ name: String) -> APIError {
        APIError(.badRequest, code: "PGRST204", "Could not find the '\(name)' column of 'profiles' in the schema cache")
    }

    static func badValue(_ type: String, _ value: String) -> APIError {
        APIError(.badRequest, code: "22P02", "invalid input syntax for type \(type): \"\(value)\"")
    }

    static func response(_ failure: APIError) -> Response {
        var fields = failure.fields
        fields.append(.contentType, TrendyAPI.jsonType)
        return Response(status: failure.status, fields: fields, body: .bytes(body(failure).serialized()))
    }

    private static func body(_ failure: APIError) -> JSON {
        [
            "code": .string(failure.code), "details": failure.details.first.map { .string($0.reason) } ?? .null,
            "hint": .null, "message": .string(failure.message),
        ]
    }

    static let schema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("code", .string()),
            JSONSchema.Property("details", .nullable(.string())),
            JSONSchema.Property("hint", .nullable(.string())),
            JSONSchema.Property("message", .string()),
        ])
    )

    static func declared(_ failure: APIError, _ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            failure.status,
            when,
            .json(name: "TableError", schema: schema, contentType: TrendyAPI.jsonType),
            example: body(failure)
        )
    }
}
