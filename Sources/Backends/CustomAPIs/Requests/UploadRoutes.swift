import Backend
import Conditions
import HTTPMessage
import JSON
import Repeats

/// The routes of resumable uploads (wire contract, section 8).
enum UploadRoutes {
    /// Returns the routes of an address.
    static func routes(
        of uploads: UploadProtocol,
        api: String,
        place: CustomRoute.Place
    ) -> [CustomRoute] {
        UploadProtocol.Action.allCases.map { action in
            let base = uploads.path.isEmpty ? "/" : uploads.path
            let template = action.isBelow ? uploads.path + "/{uploadId}" : base
            return CustomRoute(
                summary(action, template),
                source: .resource,
                place: place,
                endsInSlash: uploads.endsInSlash,
                upload: action
            ) { (state, core, call) throws(CustomAPIFailure) in
                let known = state.uploads
                do throws(UploadRefusal) {
                    return try uploads.respond(to: call, action, &state.uploads) {
                        core.randomness.unused("\(api).upload", { $0.uuid() }, isTaken: { known.contains($0) })
                    }
                } catch {
                    throw CustomAPIFailure(error)
                }
            }
        }
    }

    private static func summary(_ action: UploadProtocol.Action, _ template: String) -> RouteSummary {
        let names = RouteTemplate(template)?.parameterNames ?? []
        return RouteSummary(
            method: action.method,
            template: template,
            summary: action.summary,
            provenance: .documented,
            authentication: .none,
            parameters: names.map { Parameter($0, in: .path, .string(), required: true, "") },
            body: action.countsContent ? .binary : .none,
            answers: [AnswerDeclaration(action.status, action.status.reasonPhrase, .none)]
        )
    }
}

extension CustomAPIFailure {
    /// Creates the refusal of a request for a resumable upload, with the status of tus.
    fileprivate init(_ refusal: UploadRefusal) {
        self.init(Cause(refusal.reason), refusal.message, fields: refusal.fields)
    }
}

extension Cause {
    /// The cause that has the status of tus.
    init(_ reason: UploadRefusal.Reason) {
        switch reason {
        case .malformed: self = .badRequest
        case .unknown: self = .noRow
        case .method: self = .methodNotAllowed
        case .offset: self = .conflict
        case .version: self = .preconditionFailed
        case .tooLong: self = .tooLarge
        case .mediaType: self = .unsupportedMediaType
        }
    }
}
