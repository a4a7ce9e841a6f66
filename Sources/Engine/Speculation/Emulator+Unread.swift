import Backend
import CivilTime
import Conditions
import HTTPMessage
import Journal
import Worlds

/// Requests whose content was not read to its end (control contract, section 11).
extension Emulator {
    /// Notes what came of the content of an exchange that ends.
    ///
    /// One whose client left in the middle of it gets its entry now.
    func note(_ unread: UnreadContent, of exchange: Exchange, wasAnswered: Bool, at hostTime: HostTime?) {
        guard exchange.context.apiIndex != nil, !exchange.isReceived else { return }
        exchange.call.request.body = RequestBody(unread)
        if let entry = exchange.journalEntry {
            guard !exchange.isOutdated else { return }
            let body = shownBody(of: exchange, exchange.discloseAtHead?(exchange.call.request))
            exchange.hosted.world.journal.update(entry) { $0.body = body }
        } else if !wasAnswered, exchange.state == .receiving, let hostTime {
            recordAbandoned(exchange, at: hostTime)
        }
        if !wasAnswered { count(unread, of: exchange) }
    }

    /// Has an endpoint that only counts its content take what came of it (wire contract, section 8).
    private func count(_ unread: UnreadContent, of exchange: Exchange) {
        let (hosted, index) = (exchange.hosted, exchange.apiIndex)
        guard unread.received > 0, exchange.journalEntry != nil, !exchange.isOutdated, countsContent(of: exchange),
            exchange.discloseAtHead == nil,
            self.hosted(key: hosted.key) === hosted
        else { return }
        exchange.call.request.body.exceedsLimit = false
        exchange.call.request.body.isCounted = true
        guard wouldSucceed(exchange) else { return }
        var call = exchange.call.renewed(at: exchange.call.now, exchange.call.epoch)
        _ = apis[index].answer(&hosted.world, index, &call, exchange.context.match)
    }

    /// Enters an exchange in the journal whose client left before its content had come, in the world that its head says.
    private func recordAbandoned(_ exchange: Exchange, at hostTime: HostTime) {
        if exchange.worldChoice == .none, worldAtHead(of: exchange) == nil { return }
        let (hosted, index) = (exchange.hosted, exchange.apiIndex)
        guard self.hosted(key: hosted.key) === hosted else { return }
        if !hosted.isAwake { wake(hosted) }
        exchange.hostTime = hostTime
        exchange.call.now = hosted.world.tick(to: hostTime)
        exchange.call.epoch = hosted.world.parts[index].epoch
        identify(exchange)
        exchange.call.noteRouteAndUser(exchange, hosted.world, self)
        noteStubPath(exchange, MatchSubject(exchange.call, api: apiNames[index], user: exchange.call.user))
        enterUnanswered(exchange)
    }

    /// Returns the content of a request as the journal has it.
    func shownBody(of exchange: Exchange, _ disclosure: JournalDisclosure?) -> JournalEntry.Body {
        let sent = exchange.call.request.body
        let isUnread = !exchange.isReceived && exchange.call.request.head.announcedLength != nil
        guard isUnread || sent.received != nil else {
            var body = JournalEntry.Body(disclosure?.body ?? sent.bytes, length: disclosure?.length ?? sent.length)
            if let coded = exchange.call.request.coded, [.decoded, .tooLong].contains(coded.outcome) {
                body.coded = JournalEntry.Body.Coded(coding: coded.name, bytes: coded.bytes.count)
            }
            return body
        }
        return JournalEntry.Body(unread: disclosure?.body ?? sent.bytes, received: sent.received ?? 0)
    }
}
