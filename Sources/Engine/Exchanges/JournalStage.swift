package import Backend
import CivilTime
import Conditions
import HTTPMessage
import JSON
package import Journal
import Worlds

extension Emulator {
    /// Enters an exchange in the journal of its world.
    func record(_ exchange: Exchange) -> Progress {
        exchange.handled = exchange.began.flatMap { began in stopwatch.map { $0() - began } } ?? .zero
        write(exchange)
        exchange.awaySince = nil
        return .next
    }

    /// Opens the entry of a request that is not answered yet, to be completed later.
    ///
    /// With `showsResponse` it has the response that waits, so that whoever releases it can see and edit it.
    func open(_ exchange: Exchange, showsResponse: Bool) {
        let response = exchange.takeResponse()
        if showsResponse { exchange.response = response }
        _ = stampRequestID(exchange)
        _ = openToPages(exchange)
        exchange.handled = .zero
        write(exchange)
        exchange.response = response
        guard exchange.openEntry == nil else { return }
        let entry = exchange.journalEntry.flatMap { exchange.hosted.world.journal[$0] }
        exchange.openEntry = Exchange.OpenEntry(
            id: entry?.id ?? exchange.call.requestID,
            at: entry?.at ?? exchange.call.now,
            wallAt: entry?.wallAt ?? exchange.hostTime.wall
        )
    }

    private func write(_ exchange: Exchange) {
        let (hosted, index) = (exchange.hosted, exchange.apiIndex)
        if exchange.disclosure == nil {
            exchange.disclosure =
                exchange.responder.disclosure(of: exchange) ?? exchange.discloseAtHead?(exchange.call.request)
        }
        let disclosure = exchange.disclosure
        let reported = exchange.ruledID ?? exchange.call.requestID
        let given = disclosure?.text?(reported) ?? reported
        // The journal leaves out content that is never sent, whatever the endpoint made.
        let isSilent = exchange.call.request.head.method == .head || exchange.response.status.forbidsBody
        var content = isSilent ? [] : exchange.response.body.content
        var coded: JournalEntry.Body.Coded?
        if let plain = exchange.plain(of: content) {
            coded = JournalEntry.Body.Coded(coding: plain.coding.rawValue, bytes: content.count)
            content = plain.content
        }
        let seq: UInt64
        if let open = exchange.openEntry, let number = exchange.journalEntry {
            seq = number
            hosted.world.journal.replace(seq, with: entry(exchange, (content, coded), given, key: open.id, seq))
        } else {
            hosted.world.requestCount += 1
            if hosted.world.requestCount.isMultiple(of: Self.requestsToWeigh) { weigh(hosted, index) }
            let key = hosted.world.journal.key(
                for: given,
                isOwn: exchange.hasOwnID,
                of: apiNames[index]
            )
            // Read in place; a function of the journal's module would get a copy.
            seq = hosted.world.journal.lastSeq + 1
            hosted.world.journal.append(entry(exchange, (content, coded), given, key: key, seq))
            exchange.journalKey = key
        }
        exchange.journalEntry = seq
        exchange.generation = hosted.world.generation(of: index)
        let body = exchange.call.request.body
        if disclosure?.length ?? body.length > JournalEntry.Body.wholeLimit, !body.exceedsLimit,
            !body.isCounted, exchange.isReceived
        {
            postpone(body.bytes, isRequest: true, of: seq, in: hosted, api: index)
        }
        if content.count > JournalEntry.Body.wholeLimit {
            postpone(content, isRequest: false, of: seq, in: hosted, api: index)
        }
    }

    private func entry(
        _ exchange: Exchange,
        _ shown: (content: [UInt8], coded: JournalEntry.Body.Coded?),
        _ given: String,
        key: String,
        _ seq: UInt64
    ) -> JournalEntry {
        let (api, apiName) = (apis[exchange.apiIndex], apiNames[exchange.apiIndex])
        let hosted = exchange.hosted
        let content = shown.content
        let disclosure = exchange.disclosure
        let isLater = disclosure?.clean != nil && exchange.isShownLater
        let clean = disclosure?.clean?(exchange.response, isLater ? [] : content)
        let head = exchange.call.request.head
        var sentFields =
            clean?.fields ?? disclosure?.sentFields(exchange.response.fields) ?? exchange.response.fields
        if let hidden = disclosure?.text, let reported = exchange.response.fields[.requestID],
            hidden(reported) != reported
        {
            _ = sentFields.set(.requestID, hidden(reported))
        }
        // Found out while a gate held it.
        var (differences, translated, violations): ([JSON]?, [JSON]?, [JSON]?) = (nil, nil, exchange.call.violations)
        if exchange.openEntry != nil, let opened = exchange.journalEntry.flatMap({ hosted.world.journal[$0] }) {
            (differences, translated) = (opened.differences, opened.translated)
            violations = violations ?? opened.violations
        }
        var announcedLength: Int?
        var isStreamed = false
        switch exchange.response.body {
        case .empty: break
        case .bytes(let unsent): if head.isMethod(.head) { announcedLength = unsent.count }
        case .steps:
            if case .length(let length) = exchange.response.framing {
                announcedLength = length
            } else {
                isStreamed = true
            }
        }
        var responseBody =
            isLater ? JournalEntry.Body([], length: content.count) : clean?.body ?? JournalEntry.Body(content)
        if let coded = shown.coded {
            responseBody.coded = coded
            announcedLength = announcedLength ?? coded.bytes
        }
        // Made in one piece: a value of this size is copied as a whole when a member of it is set later.
        return JournalEntry(
            givenID: key == given ? nil : given,
            isOwnID: exchange.hasOwnID,
            id: key,
            seq: seq,
            at: exchange.openEntry?.at ?? exchange.call.now,
            wallAt: exchange.openEntry?.wallAt ?? exchange.hostTime.wall,
            startedAt: exchange.start(),
            peer: exchange.context.arrival.peer,
            connection: exchange.context.arrival.connection,
            isOnReused: exchange.context.arrival.isOnReused,
            world: hosted.world.core.name,
            api: apiName,
            route: exchange.call.route,
            user: exchange.shownUser,
            method: head.method,
            path: exchange.shownPath,
            query: exchange.shownQuery,
            headers: api.journalled(disclosure?.fields ?? head.fields),
            body: shownBody(of: exchange, disclosure),
            status: exchange.response.status,
            responseHeaders: sentFields,
            responseBody: responseBody,
            timings: JournalEntry.Timings(),
            scenario: Self.last(of: hosted.world.activeScenarios, apiName),
            decisions: exchange.decisions,
            announcedLength: announcedLength,
            differences: differences,
            translated: translated,
            isStreamed: isStreamed,
            isTakenElsewhere: exchange.call.isTakenElsewhere,
            source: source(of: exchange),
            stub: exchange.call.stub,
            answeredBy: isAnswered(exchange) ? exchange.shown(exchange.call.answeredBy) : nil,
            nearestStub: isAnswered(exchange) ? exchange.shown(exchange.call.nearestStub) : nil,
            violations: violations,
            gate: exchange.gateName,
            replayOf: exchange.replayOf,
            transport: exchange.context.transport,
            way: way(of: exchange)
        )
    }

    private func way(of exchange: Exchange) -> RequestTargetForm {
        var authority: String?
        if case .absolute(let named) = exchange.call.request.head.form {
            authority = exchange.disclosure?.text?(named) ?? named
        }
        let prefix = exchange.context.address.linkPrefix
        return RequestTargetForm(
            prefix: prefix,
            authority: authority,
            path: pathSent(exchange, behind: prefix),
            origin: exchange.call.request.head.proxied?.origin
        )
    }

    /// The path as it was sent; nil where that is its normal form, or where it was behind another form of the prefix.
    ///
    /// One of which something is not shown has no other form than the one that is.
    private func pathSent(_ exchange: Exchange, behind prefix: String) -> String? {
        let (address, raw) = (exchange.context.address, exchange.call.request.head.rawPath)
        guard !address.isWholeAndPlain, raw.hasPrefix(prefix) else { return nil }
        let (path, sent) = (address.path.text, String(raw.dropFirst(prefix.count)))
        guard sent != path, sent.hasPrefix("/"), exchange.disclosure?.path.map({ $0 == path }) ?? true else {
            return nil
        }
        return sent
    }

    /// The source that the journal names; nil where nobody or a fault has answered, and for endpoints while nothing but
    /// recordings and backends ever answered in their place.
    private func source(of exchange: Exchange) -> AnswerSource? {
        let isPlain = !hasCustomAPIs && !exchange.hosted.world.stubs.isUsed
        guard !isPlain || exchange.call.source != .emulated else { return nil }
        return isAnswered(exchange) ? exchange.call.source : nil
    }

    /// Tells whether a source has answered, and no fault in its place.
    private func isAnswered(_ exchange: Exchange) -> Bool {
        !exchange.isAnsweredByFault && exchange.response.status != .unanswered
    }

    /// The scenario of an API that was switched on last.
    private static func last(of scenarios: [ActiveScenario], _ api: String) -> String? {
        guard !scenarios.isEmpty else { return nil }
        let prefix = api + "/"
        return scenarios.last { $0.name.hasPrefix(prefix) }?.name
    }

    /// Changes the journal entry of an exchange in progress; nothing happens if it is gone.
    package func amend(_ exchange: Exchange, _ change: (inout JournalEntry) -> Void) {
        guard let entry = exchange.journalEntry, exchange.state != .ended, !exchange.isOutdated else { return }
        exchange.hosted.world.journal.update(entry, change)
    }

    /// Changes the newest journal entries of an API in a world: at most that many, until the closure ends the walk.
    ///
    /// The closure returns the changed entry, or nil to leave it, and whether the walk continues.
    package func amendNewest(
        _ count: Int,
        of api: Int,
        in world: String,
        _ change: (JournalEntry) -> (entry: JournalEntry?, goesOn: Bool)
    ) {
        guard let hosted = self[world: world] else { return }
        var changed: [JournalEntry] = []
        var left = count
        hosted.world.journal.forEachNewestFirst { entry in
            left -= 1
            guard entry.api == apis[api].identity.name else { return left > 0 }
            let outcome = change(entry)
            if let entry = outcome.entry { changed.append(entry) }
            return left > 0 && outcome.goesOn
        }
        for entry in changed { hosted.world.journal.update(entry.seq) { $0 = entry } }
    }
}

extension Exchange {
    /// The query as the journal shows it.
    var shownQuery: String? { disclosure.map(\.query) ?? sentQuery ?? call.request.head.rawQuery }

    /// A text about the exchange as the journal shows it.
    func shown(_ text: String?) -> String? {
        guard let text, let clean = disclosure?.text else { return text }
        return clean(text)
    }

    /// The user that the journal shows.
    package var shownUser: CallUser? {
        guard let user = call.user, let shown = disclosure?.text else { return call.user }
        return CallUser(id: shown(user.id), email: user.email.map(shown))
    }
}

extension Exchange {
    /// Tells whether the content of its response comes into the journal when the real backend that it waits for has
    /// ended, because removing the secrets from it may take long.
    package var isShownLater: Bool {
        openEntry == nil && responder.holdsDelivery(of: self)
            && response.body.content.count > JournalDisclosure.longestAtOnce
    }
}
