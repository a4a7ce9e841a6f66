import Backend
import CivilTime
import HTTPMessage
import JSON

extension CarbScanAPI {
    static func limitParameter(usual: Int, atMost maximum: Int) -> Parameter {
        Parameter(
            "limit",
            in: .query,
            .integer(minimum: 1),
            "How many; \(usual) if left out, above \(maximum) it counts as \(maximum)"
        )
    }

    static let mealEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .get,
            base + "/meals",
            "The history, latest first",
            provenance: .documented,
            parameters: [
                limitParameter(usual: 20, atMost: 100),
                Parameter("offset", in: .query, .integer(minimum: 0), "How many to leave out at the start"),
            ],
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(MealPage.self, "A page"), APIError.declaredFields(("limit", "out_of_range")),
                APIError.declaredUnauthorized, APIError.declaredTooLarge,
            ],
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try user(state, call)
            let (limit, offset) = try page(call, usual: 20, atMost: 100, hasOffset: true)
            let rows = seenMeals(of: user, state, call)
                .sorted { ($0.time, $0.meal.number) > ($1.time, $1.meal.number) }
            let shown = rows.dropFirst(offset).prefix(limit).map { MealResponse(meal: $0.meal) }
            let pagination = MealPage.Pagination(
                limit: limit,
                offset: offset,
                total: rows.count,
                hasMore: offset + shown.count < rows.count
            )
            return json(MealPage(meals: shown, pagination: pagination), state, call)
        },
        Endpoint(
            .post,
            base + "/meals/sync",
            "Uploads local meals and tells what changed on the server",
            provenance: .documented,
            body: .json(
                SyncRequest.self,
                isRequired: false,
                example: [
                    "lastSyncTimestamp": .null,
                    "localMeals": [
                        [
                            "localId": "local-1", "name": "Soup", "carbEstimate": 22, "confidenceLevel": 0.9,
                            "createdAt": "2025-01-01T11:00:00.000Z",
                        ]
                    ],
                ]
            ),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(SyncResponse.self, "What was stored, and what changed elsewhere"),
                APIError.declaredFields(("localMeals[0].carbEstimate", "out_of_range")), APIError.declaredUnauthorized,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(),
            handle: sync
        ),
    ]

    /// The meals that the account's history shows, with their times (D16).
    static func seenMeals(
        of user: User,
        _ state: CarbScanState,
        _ call: Call
    ) -> [(meal: Meal, time: Instant)] {
        let rows = state.meals.rows(in: user.id).map { (meal: $0, time: $0.createdAt.resolved(in: call.epoch)) }
        guard let start = windowStart(of: user, state, call) else { return rows }
        return rows.filter { $0.time >= start }
    }

    /// The first instant that the account's tier shows; nil for no limit.
    private static func windowStart(of user: User, _ state: CarbScanState, _ call: Call) -> Instant? {
        guard state.settings.historyWindow == .tier else { return nil }
        let days: Int64
        switch state.tier(of: user, now: call.now, epoch: call.epoch) {
        case .free: days = 7
        case .essentials: days = 30
        case .pro: return nil
        }
        return state.calendar.days(0...(days - 1), before: call.now).start
    }

    private static func sync(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try user(state, call)
        var (body, issues) = SyncRequest.read(try object(call.request))
        if issues.isEmpty { refuseBadItem(body, of: user, &state, &issues) }
        try issues.check()
        let epoch = call.epoch
        var synced: [SyncResponse.Synced] = []
        var uploaded: Set<Int> = []
        var fresh: [String] = []
        var conflicts: Set<Int> = []
        for local in body.meals {
            let meal: Meal
            if let known = state.meal(localId: local.localId, of: user.id) {
                meal = known
                if !local.isSame(as: known, epoch) { conflicts.insert(known.number) }
            } else {
                meal = state.addMeal(
                    of: user.id,
                    name: local.name,
                    carbEstimate: local.carbEstimate,
                    confidence: local.confidence,
                    createdAt: local.createdAt,
                    localId: local.localId,
                    now: call.now,
                    epoch: epoch
                )
                fresh.append(meal.id)
            }
            uploaded.insert(meal.number)
            synced.append(SyncResponse.Synced(localId: local.localId, serverId: meal.number))
        }
        let start = windowStart(of: user, state, call)
        let modified = state.meals.rows(in: user.id)
            .map { (meal: $0, stamp: $0.stamp.resolved(in: epoch)) }
            .filter { meal, stamp in
                if conflicts.contains(meal.number) { return true }
                guard !uploaded.contains(meal.number), body.lastSync.map({ stamp > $0 }) ?? true else { return false }
                return start.map { meal.createdAt.resolved(in: epoch) >= $0 } ?? true
            }
            .sorted { ($0.stamp, $0.meal.number) < ($1.stamp, $1.meal.number) }
        let mark = state.raiseMark(of: user.id, to: call.now, epoch: epoch)
        if state.settings.syncServerEdits == .on {
            // Their marks lie after the one in the response, so that the next sync returns the change.
            for meal in fresh { state.editOnServer(meal, now: call.now, epoch: epoch) }
        }
        let answer = SyncResponse(
            modified: modified.map { SyncResponse.Modified(meal: $0.meal) },
            synced: synced,
            serverTimestamp: mark
        )
        var response = json(answer, state, call)
        if state.settings.lostSyncAnswers > 0 {
            state.settings.lostSyncAnswers -= 1
            response.prelude = [.abort]
        }
        return response
    }

    /// Refuses one meal, for a scenario: the first that the account uploads while the setting is on.
    private static func refuseBadItem(
        _ body: SyncRequest,
        of user: User,
        _ state: inout CarbScanState,
        _ issues: inout [FieldIssue]
    ) {
        guard state.settings.syncBadItem == .on, let first = body.meals.first else { return }
        let bad = state.badUploads[user.id]?.localId ?? first.localId
        state.badUploads.insert(BadUpload(id: user.id, localId: bad))
        for (place, meal) in body.meals.enumerated() where meal.localId.utf8.elementsEqual(bad.utf8) {
            issues.append(FieldIssue("localMeals", .index(place), "name", kind: .unsupported))
        }
    }
}

extension CarbScanState {
    /// Changes a meal as another device or the website would.
    mutating func editOnServer(_ id: String, now: Instant, epoch: Epoch) {
        guard let meal = meals[id] else { return }
        let stamp = nextMark(of: meal.userId, now: now, epoch: epoch)
        meals.update(id) { row in
            row.name = "\(row.name.prefix(180)) (edited)"
            row.carbEstimate = row.carbEstimate > 990 ? row.carbEstimate - 10 : row.carbEstimate + 10
            row.stamp = stamp
        }
    }
}
