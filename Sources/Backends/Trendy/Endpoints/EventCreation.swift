import Backend
import CivilTime
import HTTPMessage
import JSON

/// Creating events, one or many (contract, section 10.6).
extension TrendyAPI {
    static let eventSlots = "events_event_type_id_timestamp_key"
    static let eventCreationEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .post,
            "/api/v1/events",
            "Creates an event; every error but the limiter's and the size is a problem document",
            provenance: .beyondTheDocument,
            parameters: [idempotencyKey],
            body: .json(EventDraft.self, example: newEventExample),
            answers: [
                .json(Event.self, "A new event", status: .created),
                .json(Event.self, "A known id, overwritten; or a known health sample, unchanged"),
                APIError.declaredProblem(.validation, "Some fields are missing or malformed", "Fields, all at once"),
                APIError.declaredProblem(
                    .badRequest,
                    "the body must be an object, found array",
                    "Not JSON, or a wrong type"
                ),
                APIError.declaredProblem(.invalidUUID, "id must be a UUID of version 7", "An id of another form"),
                APIError.declaredProblem(
                    .futureTimestamp,
                    "id lies more than a minute in the future",
                    "An id from more than 60 s ahead"
                ),
                APIError.declaredProblem(
                    .conflict,
                    "There is an event of that type at that time",
                    "Type and instant taken"
                ),
                APIError.declaredProblem(
                    .internal,
                    "invalid event type: 00000000-0000-0000-0000-000000000000",
                    "An unknown type or source_type"
                ),
                tooLarge,
            ] + protected,
            metadata: .backend,
            handle: once(createEvent)
        ),
        Endpoint(
            .post,
            "/api/v1/events/batch",
            "Creates up to 500 events",
            provenance: .beyondTheDocument,
            parameters: [idempotencyKey],
            body: .json(EventBatch.self, example: ["events": .array([newEventExample])]),
            answers: [
                .json(BatchResponse.self, "All stored", status: .created),
                .json(BatchResponse.self, "Some stored", status: Status(207)),
                AnswerDeclaration(
                    .badRequest,
                    "None stored (the result), or no list of 1 to 500 (the plain form)",
                    .json(
                        name: "BatchRefusal",
                        schema: .oneOf([BatchResponse.shape.schema, APIError.plainSchema]),
                        contentType: "application/json"
                    ),
                    example: ["error": "events must hold 1 to 500 items"]
                ),
                tooLarge,
                duplicate(eventSlots, "An item stands where another event does: nothing is stored"),
            ] + protected,
            metadata: .backend,
            handle: once(createBatch)
        ),
    ]

    static let newEventExample: JSON = [
        "id": "01942107-3a00-7000-8000-00000000beef", "event_type_id": "0193e354-b640-7000-8000-000000000001",
        "timestamp": "2025-01-01T11:00:00Z", "notes": "in the park",
    ]

    // MARK: One

    private static func createEvent(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let draft = try problemDraft(call)
        guard draft.faults.isEmpty else {
            throw .problem(.validation, "Some fields are missing or malformed", draft.faults)
        }
        if let kind = draft.idProblem(at: call.now) {
            throw .problem(kind, ProblemDetails.message("id", code: kind.rawValue), [("id", kind.rawValue)])
        }
        let user = user(call)
        guard state.eventType(draft.eventTypeId, of: user) != nil else {
            throw .problem(.internal, "invalid event type: \(draft.eventTypeId)")
        }
        guard let source = draft.source else { throw .problem(.internal, "invalid source type") }
        let now = Timestamp.at(call.now)
        let index = EventIndex(
            state,
            of: user,
            near: [draft.timestamp],
            hasSamples: draft.sampleId != nil,
            in: call.epoch
        )
        let former = draft.id.flatMap { state.event($0, of: user) }
        if former == nil, let known = index.knownSample(draft).flatMap({ state.event($0, of: user) }) {
            state.log(.update, .event(known), at: now)
            return json(known, state, call)
        }
        let event = draft.event(
            uuid: former?.uuid ?? draft.id
                ?? TrendyState.orderedID(.event, at: call.now, &core) { state.event($0, of: user) != nil },
            user: user,
            source: source,
            createdAt: former?.createdAt ?? now,
            now: now
        )
        guard !index.isTaken(event) else {
            throw .problem(.conflict, "There is an event of that type at that time")
        }
        state.events.insert(event)
        state.log(former == nil ? .create : .update, .event(event), at: now)
        return json(event, state, call, status: former == nil ? .created : .ok)
    }

    /// Reads the body of a single creation; its syntax errors are problem documents too.
    private static func problemDraft(_ call: Call) throws(APIError) -> EventDraft {
        do throws(APIError) {
            return try EventDraft.read(try object(call))
        } catch {
            guard error.status == .badRequest else { throw error }
            throw .problem(.badRequest, error.message)
        }
    }

    // MARK: Many

    private static func createBatch(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let (batch, issues) = EventBatch.read(try object(call))
        switch issues.first?.kind {
        case nil: break
        case .tooFewItems, .tooManyItems:
            throw .badRequest(
                "events must hold \(EventBatch.counts.lowerBound) to \(EventBatch.counts.upperBound) items"
            )
        default: throw .badRequest("events must be a list")
        }
        var result = BatchResponse(created: [], errors: [], total: batch.events.count)
        var drafts: [(draft: EventDraft, source: Event.Source)] = []
        for (place, item) in batch.events.enumerated() {
            switch itemDraft(item, state, call) {
            case .success(let draft): drafts.append(draft)
            case .failure(let fault): result.errors.append(BatchResponse.Fault(index: place, message: fault.message))
            }
        }
        var draft = state
        result.created = try store(drafts, &draft, &core, call)
        state = draft
        if result.errors.isEmpty { return json(result, state, call, status: .created) }
        return json(result, state, call, status: result.created.isEmpty ? .badRequest : Status(207))
    }

    /// An item that can be stored, or the problem with it.
    private static func itemDraft(
        _ item: JSON,
        _ state: TrendyState,
        _ call: Call
    ) -> Result<(draft: EventDraft, source: Event.Source), APIError> {
        guard case .object(let object) = item else { return .failure(.badRequest("the item must be an object")) }
        do throws(APIError) {
            let draft = try EventDraft.read(object)
            guard draft.faults.isEmpty else {
                let texts = draft.faults.map { ProblemDetails.message($0.field, code: $0.reason) }
                return .failure(.badRequest(texts.joined(separator: "; ")))
            }
            if let kind = draft.idProblem(at: call.now) {
                return .failure(.badRequest(ProblemDetails.message("id", code: kind.rawValue)))
            }
            guard state.eventType(draft.eventTypeId, of: user(call)) != nil else {
                return .failure(.badRequest("invalid event type: \(draft.eventTypeId)"))
            }
            guard let source = draft.source else { return .failure(.badRequest("invalid source type")) }
            return .success((draft, source))
        } catch {
            return .failure(error)
        }
    }

    /// Stores all items, or none if one of them collides with another event.
    private static func store(
        _ drafts: [(draft: EventDraft, source: Event.Source)],
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(APIError) -> [Event] {
        let now = Timestamp.at(call.now)
        let user = user(call)
        var index = EventIndex(
            state,
            of: user,
            near: drafts.map(\.draft.timestamp),
            hasSamples: drafts.contains { $0.draft.sampleId != nil },
            in: call.epoch
        )
        var stored: [Event] = []
        for (draft, source) in drafts {
            let former = draft.id.flatMap { state.event($0, of: user) }
            if former == nil, let known = index.knownSample(draft).flatMap({ state.event($0, of: user) }) {
                stored.append(known)
                continue
            }
            let event = draft.event(
                uuid: former?.uuid ?? draft.id
                    ?? TrendyState.orderedID(.event, at: call.now, &core) { state.event($0, of: user) != nil },
                user: user,
                source: source,
                createdAt: former?.createdAt ?? now,
                now: now
            )
            if index.isTaken(event) { throw .duplicate(eventSlots) }
            if let former { index.remove(former) }
            index.add(event)
            state.events.insert(event)
            state.log(former == nil ? .create : .update, .event(event), at: now)
            stored.append(event)
        }
        return stored
    }
}
