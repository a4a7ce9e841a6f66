import CivilTime
import ConductKit
import JSON

/// `carbscan/respects-quota`.
struct CarbScanRespectsQuota: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "carbscan/respects-quota",
        "Scan or question beyond the quota",
        .error,
        situation: "a delivered `NO_SCANS_REMAINING` or `CHAT_LIMIT_REACHED`",
        breach: """
            after `NO_SCANS_REMAINING` analyze before its `scanResetDate`; after `CHAT_LIMIT_REACHED` a question before \
            the next day
            """,
        excused: ["a changed tier", "a device for which the quota has reset, by its clock or by elapsed time"],
        exercisedBy: ["carbscan/no-scans-remaining", "carbscan/chat-limit-reached"],
        what: "A scan or a question was sent although a response had said that the quota is used up.",
        why: "The user waits for an upload that can't succeed.",
        expected: "Show when the quota resets, and send nothing before.",
        swift: "scanButton.isEnabled = Date.now >= quota.scanResetDate",
        script: "scanButton.disabled = Date.now() < Date.parse(quota.scanResetDate)"
    )

    private struct Key: Hashable {
        var client: Int32
        var isChat: Bool
    }

    private struct Closed {
        var row: Int32
        /// The time in microseconds until it opens, by the clock that is there first.
        var left: Int64
        var tier: String?
    }

    private var closed: [Key: Closed] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "carbscan" else { return }
        // What an answer tells of the tier.
        if x.row.isSuccess, x.bearer >= 0, x.role == .ordinary, !closed.isEmpty, let tier = tier(x) {
            for isChat in [false, true] {
                let key = Key(client: x.row.client, isChat: isChat)
                if let state = closed[key], let old = state.tier, old != tier { closed[key] = nil }
            }
        }
        let isChat = x.isOf("carbscan", CarbScanRoutes.chat)
        guard isChat || x.isOf("carbscan", CarbScanRoutes.analyze) else { return }
        let key = Key(client: x.row.client, isChat: isChat)
        if let state = closed[key], context.knows(context[state.row], x.row) {
            if x.row.isSuccess {
                // The tier has changed, or the world was.
                closed[key] = nil
            } else if Fairness.interval(context[state.row], x.row) < state.left {
                closed[key] = nil
                context.breach(
                    [state.row, x.index],
                    "\(context.id(state.row)) said that the quota is used up; \(x.row.id) came before it resets."
                )
            }
        }
        let code = isChat ? Code.chatLimit : Code.noScans
        guard x.row.isDelivered, x.row.status == 403, x.errorCode == code else { return }
        context.situation(x)
        let details = x.responseJSON?["error"]?["details"]
        let tier = details?["subscriptionTier"]?.stringValue
        let day: Int64 = 86_400_000_000
        let reset = details?["scanResetDate"]?.stringValue.flatMap { Instant(iso8601: $0)?.microseconds }
        // A device compares a date with its own clock.
        let left = [x.row.at, x.row.begin].compactMap { now in
            (isChat ? (now / day + 1) * day : reset).map { $0 - now }
        }
        if let left = left.min() { closed[key] = Closed(row: x.index, left: left, tier: tier) }
    }

    private func tier(_ x: JudgedExchange) -> String? {
        guard let data = x.responseJSON?["data"] else { return nil }
        return data["subscriptionTier"]?.stringValue ?? data["scanUsage"]?["subscriptionTier"]?.stringValue
            ?? data["tier"]?.stringValue ?? data["user"]?["subscriptionTier"]?.stringValue
    }
}

/// `carbscan/keeps-server-timestamp`.
struct CarbScanKeepsServerTimestamp: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "carbscan/keeps-server-timestamp",
        "Unknown sync timestamp",
        .error,
        situation: "a sync with a `lastSyncTimestamp` after a response with a `serverTimestamp`",
        breach: "a non-null `lastSyncTimestamp` that no delivered sync response gave this session as `serverTimestamp`",
        excused: ["before the first response"],
        exercisedBy: ["two syncs"],
        what: "A sync sent a `lastSyncTimestamp` that no response had returned as `serverTimestamp`.",
        why: "The device's clock differs from the server's: meals in between are never synced.",
        expected: "Send the `serverTimestamp` of the last response unchanged.",
        swift: "defaults.set(answer.serverTimestamp, forKey: \"lastSync\")",
        script: "state.lastSync = body.data.serverTimestamp"
    )

    private var given: [Int32: Set<String>] = [:]
    private var last: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("carbscan", CarbScanRoutes.sync), x.session >= 0 else { return }
        if let sent = x.requestJSON?["lastSyncTimestamp"]?.stringValue, let known = given[x.session],
            let row = last[x.session], context.knows(context[row], x.row)
        {
            context.situation(x)
            if !known.contains(Self.folded(sent)) {
                context.breach(
                    [row, x.index],
                    "\(x.row.id) sent a `lastSyncTimestamp` that no response had returned, such as \(context.id(row))."
                )
            }
        }
        guard x.row.isSuccess, x.exchange.responseBody.isWhole else {
            // An answer that nobody knows may have given any.
            if x.row.isSuccess { given[x.session] = nil }
            return
        }
        guard let time = x.responseJSON?["data"]?["serverTimestamp"]?.stringValue else { return }
        given[x.session, default: []].insert(Self.folded(time))
        last[x.session] = x.index
    }

    /// The same text for the same instant.
    private static func folded(_ time: String) -> String {
        Instant(iso8601: time).map { "\($0.milliseconds)" } ?? time
    }
}

/// `carbscan/one-local-id`.
struct CarbScanOneLocalID: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "carbscan/one-local-id",
        "One meal with two local ids",
        .warning,
        situation: "a sync with local meals",
        breach: "one name, `carbEstimate` and `createdAt` with two `localId`",
        exercisedBy: ["carbscan/sync-lost-answer"],
        what: "The same meal was uploaded with two values of `localId`.",
        why: "The user sees the meal twice.",
        expected: "Create the `localId` with the meal, and keep it across retries.",
        swift: "struct Meal { let localId = UUID().uuidString }",
        script: "const meal = { localId: crypto.randomUUID(), name }"
    )

    private var ids: [String: (id: String, row: Int32, isReported: Bool)] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("carbscan", CarbScanRoutes.sync), let meals = x.requestJSON?["localMeals"]?.arrayValue,
            !meals.isEmpty
        else { return }
        context.situation(x)
        for meal in meals {
            guard let id = meal["localId"]?.stringValue, let name = meal["name"]?.stringValue,
                let carbs = meal["carbEstimate"]?.doubleValue, let at = meal["createdAt"]?.stringValue
            else { continue }
            let owner = x.row.user >= 0 ? "u\(x.row.user)" : "c\(x.row.client)"
            let key = "\(owner)\n\(name)\n\(carbs)\n\(at)"
            guard let first = ids[key] else {
                ids[key] = (id, x.index, false)
                continue
            }
            guard first.id != id, !first.isReported else { continue }
            ids[key] = (first.id, first.row, true)
            let proof = first.row == x.index ? [x.index] : [first.row, x.index]
            context.breach(proof, "\(x.row.id) uploaded a meal of \(context.id(first.row)) with another `localId`.")
        }
    }
}

/// `carbscan/takes-server-version`.
struct CarbScanTakesServerVersion: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "carbscan/takes-server-version",
        "Conflicting meal uploaded again",
        .warning,
        situation: "a delivered sync that reported a conflict",
        breach: "a meal whose conflict a delivered sync reported, uploaded again unchanged",
        exercisedBy: ["carbscan/sync-conflict"],
        what: "A meal was uploaded again unchanged although a response had contained the server's version.",
        why: "The same conflict comes back with each sync, and the user sees a different meal than the server has.",
        expected: "Overwrite the local meal with the server's version.",
        swift: "store.replace(localId: conflict.localId, with: conflict.server)",
        script: "store.replace(conflict.localId, conflict.server)"
    )

    private var conflicts: [String: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("carbscan", CarbScanRoutes.sync), let meals = x.requestJSON?["localMeals"]?.arrayValue else {
            return
        }
        var found: Int32?
        for meal in meals {
            let key = "\(x.row.client)\n\(meal.text)"
            if let row = conflicts[key], context.knows(context[row], x.row) {
                found = found ?? row
                conflicts[key] = nil
            }
        }
        if let found {
            context.breach(
                [found, x.index],
                "\(context.id(found)) reported a conflict; \(x.row.id) uploaded the same meal unchanged."
            )
        }
        guard x.row.isSuccess, let data = x.responseJSON?["data"] else { return }
        var own: [String: Int64] = [:]
        for pair in data["syncedLocalMeals"]?.arrayValue ?? [] {
            if let id = pair["localId"]?.stringValue, let server = pair["serverId"]?.intValue { own[id] = server }
        }
        let modified = data["modifiedMeals"]?.arrayValue ?? []
        var hasConflict = false
        // An uploaded meal is among the modified ones only where the server's version of it stays.
        for meal in meals {
            guard let id = meal["localId"]?.stringValue, let server = own[id],
                modified.contains(where: { $0["id"]?.intValue == server })
            else { continue }
            hasConflict = true
            conflicts["\(x.row.client)\n\(meal.text)"] = x.index
        }
        if hasConflict { context.situation(x) }
    }
}

/// `carbscan/refreshes-ahead`.
struct CarbScanRefreshesAhead: RefreshesAhead {
    static let declaration = declared("carbscan")
    var sent: [Int32: [Int32]] = [:]
    var reported: Set<Int32> = []
}
