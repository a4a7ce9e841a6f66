import Backend
import CivilTime
import HTTPMessage
import JSON

extension CarbScanAPI {
    /// The result of preparing a request.
    private enum Prepared: Sendable {
        case refused(APIError)
        case read(AnalysisRequest, [FieldIssue])
    }

    private static func prepare(_ request: HTTPRequest) -> Prepared {
        do throws(APIError) {
            let (body, issues) = AnalysisRequest.read(try object(request))
            return .read(body, issues)
        } catch {
            return .refused(error)
        }
    }

    private static let noScans = APIError(
        .forbidden,
        code: Code.noScans,
        "You have used all scans of this period",
        details: [
            ("remainingScans", "0"), ("scanResetDate", "2025-01-02T00:00:00.000Z"), ("subscriptionTier", "free"),
        ]
    )

    static let analysisEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .post,
            base + "/analyze",
            "Estimates the carbohydrates of a photo and stores a meal",
            provenance: .documented,
            body: .json(
                AnalysisRequest.self,
                example: [
                    "imageBase64":
                        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
                ]
            ),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(AnalysisResponse.self, "The estimate, the meal and what is left"),
                APIError.declaredFields(("imageBase64", "unsupported_value")),
                APIError.declaredUnauthorized,
                noScans.declared("The quota is used up (quota.status sets another status)"),
                APIError.serverError.declared("By a fault or a switch; no scan is used"),
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(),
            prepare: { prepare($0) },
            handle: analyze
        )
    ]

    private static func analyze(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try user(state, call)
        let body: AnalysisRequest
        var issues: [FieldIssue] = []
        switch call.prepared as? Prepared ?? prepare(call.request) {
        case .refused(let failure): throw failure
        case .read(let read, let found):
            body = read
            if !found.contains(where: { $0.concerns("imageBase64") }) {
                if !body.photo.isDecodable {
                    issues.note("imageBase64", .wrongFormat("byte"))
                } else if body.photo.length > state.settings.maximumImageBytes {
                    issues.note("imageBase64", .tooLarge)
                } else if !body.photo.isImage {
                    issues.note("imageBase64", .unsupported)
                }
            }
            try (issues + found).check()
        }
        if state.settings.analysisFailures > 0 {
            state.settings.analysisFailures -= 1
            throw .serverError
        }
        let before = state.quotas(of: user, now: call.now, epoch: call.epoch)
        if let until = before.scansBlockedUntil {
            var failure = noScans
            failure.status = quotaStatus(state)
            failure.details = [
                ("remainingScans", "0"), ("scanResetDate", until.iso8601(.milliseconds)),
                ("subscriptionTier", before.tier.rawValue),
            ]
            throw failure
        }
        let estimate =
            switch state.settings.analysisResult {
            case .estimate: body.photo.estimate
            case .lowConfidence: body.photo.estimate.withLowConfidence
            case .noFood: Estimate.nothing
            }
        state.editQuota(of: user.id) { $0.scans.append(.at(call.now)) }
        let meal = state.addMeal(
            of: user.id,
            name: estimate.name,
            carbEstimate: estimate.carbs,
            confidence: estimate.level,
            createdAt: call.now,
            now: call.now,
            epoch: call.epoch
        )
        let after = state.quotas(of: user, now: call.now, epoch: call.epoch)
        var response = json(AnalysisResponse(estimate: estimate, meal: meal, quotas: after), state, call)
        if state.settings.analysisDelayMilliseconds > 0 {
            let pause = Interval.milliseconds(Int64(state.settings.analysisDelayMilliseconds))
            response.prelude.insert(.wait(pause, .either), at: 0)
        }
        return response
    }

    /// The status of both quota errors (D6).
    static func quotaStatus(_ state: CarbScanState) -> Status { Status(state.settings.quotaStatus) }
}
