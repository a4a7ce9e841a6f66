import Backend
import CivilTime
import HTTPMessage
import JSON

/// Contract, section 9.
extension SawaedAPI {
    private static let base = "/api/mobile/v1/events"
    private static let eventID = Parameter(
        "id",
        in: .path,
        .described(.string(minLength: 8, pattern: "^[A-Za-z0-9_-]{8,}$"), example: "event_open_hackathon"),
        "An event's"
    )
    private static let invalidIDAnswer = APIError.invalidID.declared("Not of the form of an id")
    private static let blocked = APIError.forbidden.declared("The caller is blocked or deleted")
    private static let redacted = APIError.redactedConflict.declared("By scenario only")

    static let eventEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .get,
            base,
            "The published events, latest start first",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: [
                Parameter("q", in: .query, .string(), "Part of a title or description in either language"),
                Parameter("regionId", in: .query, .string(), "Ignored unless it is a known one"),
                Parameter("cityId", in: .query, .string(), "Ignored unless it is a known one"),
                Parameter("from", in: .query, .number, "Earliest start, in milliseconds"),
                Parameter("to", in: .query, .number, "Latest start, in milliseconds"),
                Parameter(
                    "registrationPolicy",
                    in: .query,
                    .string(enumeration: Event.Policy.allCases.map(\.rawValue)),
                    "One policy"
                ),
                Parameter("isRegistrationRequired", in: .query, .string(), "Any text is true, also false and 0 (D20)"),
                Parameter("allowWaitlist", in: .query, .string(), "Any text is true, also false and 0 (D20)"),
                Parameter("capacityMin", in: .query, .number, "Events without a capacity count as 0"),
                Parameter("page", in: .query, .number, "From 1; only without cursor"),
                Parameter("pageSize", in: .query, .number, "1 to 50; 20 if absent"),
                Parameter("cursor", in: .query, .string(), "The nextCursor of the page before, with the same filters"),
                Parameter("publishedOnly", in: .query, .string(), "Ignored (D19)"),
            ] + Parameter.localised,
            bodyLimit: bodyLimit,
            answers: [.json(EventItems.self, "A page"), CommonErrors.invalidQuery]
                + CommonErrors.protected("events_list_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "events_list_failed", isAlways401: true),
            handle: listEvents
        ),
        Endpoint(
            .get,
            base + "/{id}",
            "One event",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: [eventID] + Parameter.localised,
            bodyLimit: bodyLimit,
            answers: [
                .json(EventDetail.self, "The event"), invalidIDAnswer,
                APIError.notFound.declared("Unknown, or not published"),
            ] + CommonErrors.protected("event_get_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "event_get_failed")
        ) { state, _, call throws(APIError) in
            let id = call.parameters[0]
            guard isID(id) else { throw .invalidID }
            guard let row = state.events[id], row.isPublished else { throw .notFound }
            return json(EventDetail(item: item(row, language(call), state, call)), state, call) {
                BackendShape.object($0, without: BackendShape.Keys.event)
            }
        },
        Endpoint(
            .post,
            base + "/{id}/register",
            "Registers the caller",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: [eventID],
            body: .json(RegisterRequest.self, isRequired: false, example: ["quantity": 1]),
            bodyLimit: bodyLimit,
            answers: [
                .json(RegisteredResponse.self, "Accepted, pending or waitlisted"), invalidIDAnswer, redacted, blocked,
            ]
                + EventRefusal.allCases.dropLast().map { $0.failure.declared($0.when) }
                + [CommonErrors.rateLimited] + CommonErrors.withBody("apply_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "apply_failed", bucket: .register, conflict: "event_full"),
            handle: register
        ),
        Endpoint(
            .post,
            base + "/{id}/cancel",
            "Cancels the caller's registration",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: [eventID],
            bodyLimit: bodyLimit,
            answers: [
                .json(Okay.self, "Cancelled, also when it was before"), invalidIDAnswer, redacted, blocked,
                EventRefusal.notRegistered.failure.declared(EventRefusal.notRegistered.when), CommonErrors.rateLimited,
            ] + CommonErrors.protected("cancel_failed"),
            metadata: EndpointMetadata(
                area: .v1,
                failure: "cancel_failed",
                bucket: .cancel,
                conflict: "not_registered"
            ),
            handle: cancel
        ),
    ]

    // MARK: Lists

    private static func item(_ row: Event, _ language: Language, _ state: SawaedState, _ call: Call) -> EventItem {
        EventItem(
            row: row,
            language: language,
            region: state.regionName(row.regionId, nil, language),
            city: state.cityName(row.cityId, nil, language),
            posterUrl: row.posterStorageId.map { pictureAddress($0, state, call) } ?? row.posterUrl
        )
    }

    private static func listEvents(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let query = try eventQuery(state, call)
        let language = language(call)
        let page = query.page(of: state.events.rows, epoch: call.epoch)
        let items = page.events.map { item($0, language, state, call) }
        guard state.settings.shape == .backend else {
            return json(EventItems(items: items, nextCursor: page.next?.text), call)
        }
        let answer: JSON = [
            "page": .array(
                items.map { BackendShape.object(BackendShape.value($0, call), without: BackendShape.Keys.event) }
            ),
            "isDone": .bool(page.next == nil),
            "continueCursor": .string(page.next?.text ?? ""),
        ]
        return json(answer.serialized())
    }

    private static func eventQuery(_ state: SawaedState, _ call: Call) throws(APIError) -> EventQuery {
        let items = call.query
        var query = EventQuery()
        query.isSparse = state.settings.paging == .sparse
        query.text = (items.last("q") ?? "").trimmed.lowercased()
        // An unknown id is treated as absent (D35).
        query.regionID = items.last("regionId").flatMap { isID($0) && state.regions.contains($0) ? $0 : nil }
        query.cityID = items.last("cityId").flatMap { isID($0) && state.cities.contains($0) ? $0 : nil }
        query.from = try number("from", call)
        query.to = try number("to", call)
        if let text = items.last("registrationPolicy") {
            guard let policy = Event.Policy(rawValue: text) else {
                throw invalidQuery("registrationPolicy must be open, approval or inviteOnly.")
            }
            query.policy = policy
        }
        query.isRegistrationRequired = flag("isRegistrationRequired", call)
        query.allowWaitlist = flag("allowWaitlist", call)
        query.capacityMinimum = try number("capacityMin", call)
        query.page = max(1, try number("page", call) ?? 1)
        if let size = try number("pageSize", call) { query.pageSize = Int(min(50, max(1, size)).rounded(.down)) }
        if let text = items.last("cursor"), !text.isEmpty {
            guard let cursor = EventCursor(text) else { throw invalidQuery("cursor is not one of this list's.") }
            query.cursor = cursor
        }
        return query
    }

    // MARK: Registrations

    private static func conflict(_ refusal: EventRefusal, _ state: SawaedState) -> APIError {
        state.settings.conflicts == .plan ? refusal.failure : .redactedConflict
    }

    private static func participant(_ state: SawaedState, _ call: Call) throws(APIError) -> User {
        let user = try caller(state, call)
        guard !state.isBlockedOrDeleted(user) else { throw .forbidden }
        return user
    }

    private static func register(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        guard isID(call.parameters[0]) else { throw .invalidID }
        let body = try read(RegisterRequest.self, call)
        let user = try participant(state, call)
        do throws(EventRefusal) {
            let row = try state.register(
                user.id,
                for: call.parameters[0],
                quantity: body.quantity,
                notes: body.notes,
                now: call.now,
                epoch: call.epoch
            )
            return json(RegisteredResponse(row: row), call)
        } catch {
            throw conflict(error, state)
        }
    }

    private static func cancel(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        guard isID(call.parameters[0]) else { throw .invalidID }
        let user = try participant(state, call)
        guard let row = state.latestRegistration(of: user.id, for: call.parameters[0], epoch: call.epoch) else {
            throw conflict(.notRegistered, state)
        }
        if row.status != .cancelled {
            state.registrations.update(row.id) {
                $0.status = .cancelled
                $0.decidedAt = .at(call.now)
            }
        }
        return json(Okay(), call)
    }
}
