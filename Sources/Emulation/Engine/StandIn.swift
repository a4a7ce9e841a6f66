package import CivilTime
package import HTTPMessage
import JSON

/// What answers a request in the emulation's place (control contract, section 13).
package struct StandIn {
    /// What the journal shows of an exchange whose own content must not be kept.
    package struct Shown: Sendable {
        /// Nil: the API's own path as it is.
        package var path: String?
        package var query: String?
        package var fields: Fields
        package var body: [UInt8]
        /// How long the body is, where its head alone is shown.
        package var length: Int
        /// Nil: those that were answered.
        package var responseFields: Fields?
        /// Makes other texts fit to be shown, such as the id of the request; nil: they are.
        package var text: (@Sendable (String) -> String)?
        /// What is shown of an answer that was changed on its way; nil: the answer as it is.
        package var clean: (@Sendable (Response, [UInt8]) -> (fields: Fields, body: JournalEntry.Body))?

        /// The fields as they left: what was answered elsewhere has an id of ours, too.
        func sentFields(_ answered: Fields) -> Fields {
            guard var fields = responseFields else { return answered }
            if !fields.contains(.requestID), let id = answered[.requestID] { fields.append(.requestID, id) }
            return fields
        }

        /// The request as it is.
        package init(_ request: HTTPRequest) {
            query = request.head.target.rawQuery
            fields = request.head.fields
            body = request.body.bytes
            length = request.body.length
        }
    }

    /// What is answered at the endpoint's place.
    package struct Reply {
        var response: Response
        /// Whether it says that there is no answer.
        var isMiss: Bool

        package init(_ response: Response, isMiss: Bool = false) {
            self.response = response
            self.isMiss = isMiss
        }
    }

    /// Answers a call, and keeps what it needs for the next ones in the world's own state.
    package typealias Answering = (_ call: Call, _ state: inout (any Sendable)?) -> Reply?

    /// At the endpoint's place: interventions act on what it answers; nil lets the endpoint run.
    package var inPlace: Answering?
    /// What `inPlace` would answer, without any trace of having been asked; nil: that itself.
    package var tried: Answering?
    /// Answered elsewhere already: it passes as it is.
    package var whole: Response?
    /// Whether that says that there is no answer.
    var isMiss = false
    /// Somebody else is asked for the answer, once it is known that one is wanted.
    var isAsked = false
    package var shown: Shown?

    package init(inPlace: @escaping Answering, tried: Answering? = nil) {
        self.inPlace = inPlace
        self.tried = tried
    }

    /// The same for an attempt that must leave no trace.
    var attempt: StandIn {
        var attempt = self
        attempt.inPlace = tried ?? inPlace
        return attempt
    }

    package init(whole: Response, isMiss: Bool = false, shown: Shown?) {
        self.whole = whole
        self.isMiss = isMiss
        self.shown = shown
    }

    /// The emulation itself answers, and the journal shows this.
    package init(showing shown: Shown) { self.shown = shown }

    /// Whether the emulation itself answers.
    package var isEmulated: Bool { inPlace == nil && whole == nil && !isAsked }

    /// Somebody else is to be asked.
    init(asking shown: Shown?) {
        isAsked = true
        self.shown = shown
    }
}

extension Emulator {
    /// Changes the journal entry of an exchange under way; nothing happens if it is gone.
    package func amend(_ exchange: UInt64, _ change: (inout JournalEntry) -> Void) {
        guard let entry = pending[exchange], !entry.isOutdated else { return }
        entry.hosted.world.journal.update(entry.seq, change)
    }

    /// Changes the newest journal entries of an API in a world: at most so many, and until the closure has seen enough.
    ///
    /// The closure answers the entry as it is to be (nil: as it is), or that it goes no further.
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

    /// What the emulation answers to a request that another has answered: it runs, with every effect of its answer at
    /// once, and nothing is journalled.
    package func rehearse(
        _ request: HTTPRequest,
        address: Address,
        api index: Int,
        peer: String,
        at hostTime: HostTime,
        prepared: (any Sendable)? = nil
    ) -> Response? {
        guard let name = try? chooseWorld(address, credential: nil), let hosted = self[world: name] else { return nil }
        let now = hosted.world.tick(to: hostTime)
        var request = request
        request.reading = (prepared as? PreparedRequest)?.reading
        var call = Call(
            request: request,
            path: address.path,
            linkPrefix: address.linkPrefix,
            peer: peer,
            now: now,
            epoch: hosted.world.parts[index].epoch,
            requestID: "rehearsal"
        )
        call.prepared = (prepared as? PreparedRequest)?.own
        let match = apis[index].match(request.head.method, address.path)
        // Nobody is given what it would issue.
        let response = issued.withoutNoting { apis[index].answer(&hosted.world, index, &call, match) }
        for effect in call.effects { effect.change(&hosted.world, now) }
        return response
    }

    /// Whether a request comes as far as its endpoint, tried in a copy of its world that is thrown away.
    func reachesEndpoint(
        _ request: HTTPRequest,
        address: Address,
        api index: Int,
        peer: String,
        at hostTime: HostTime
    ) -> Bool {
        let match = apis[index].match(request.head.method, address.path)
        let clue = worldHint(of: request, api: index, match: match)
        guard let name = try? chooseWorld(address, api: index, credential: clue), let hosted = self[world: name] else {
            return false
        }
        var world = hosted.world
        let now = world.tick(to: hostTime)
        var call = Call(
            request: request,
            path: address.path,
            linkPrefix: address.linkPrefix,
            peer: peer,
            now: now,
            epoch: world.parts[index].epoch,
            requestID: "trial"
        )
        call.isTrial = true
        _ = issued.withoutNoting { apis[index].answer(&world, index, &call, match) }
        return call.isLetIn
    }

    /// What has been kept, by who answers in an API's place, in the world that a request chooses.
    package func standInState(of request: HTTPRequest, _ address: Address, api index: Int) -> (any Sendable)? {
        let match = apis[index].match(request.head.method, address.path)
        let clue = worldHint(of: request, api: index, match: match)
        guard let name = try? chooseWorld(address, api: index, credential: clue), let hosted = self[world: name] else {
            return nil
        }
        return hosted.world.parts[index].standInState
    }

    /// The name and the clock of the world that an address chooses; `main` when it chooses none.
    package func worldReading(_ address: Address, at hostTime: HostTime) -> (name: String, now: Instant) {
        let name = address.namedWorlds.first ?? WorldName.main
        let hosted = self[world: name]
        return (name, hosted?.world.now(hostTime) ?? hostTime.wall)
    }
}
