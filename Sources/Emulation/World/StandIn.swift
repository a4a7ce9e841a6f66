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
        /// Nil: those that were answered.
        package var responseFields: Fields?

        /// The request as it is.
        package init(_ request: Request) {
            query = request.head.target.rawQuery
            fields = request.head.fields
            body = request.body.bytes
        }
    }

    /// At the endpoint's place: interventions act on what it answers; nil lets the endpoint run.
    package var inPlace: ((Call) -> Response?)?
    /// What `inPlace` would answer, without any trace of having been asked; nil: that itself.
    package var tried: ((Call) -> Response?)?
    /// Answered elsewhere already: it passes as it is.
    package var whole: Response?
    package var shown: Shown?

    package init(inPlace: @escaping (Call) -> Response?, tried: ((Call) -> Response?)? = nil) {
        self.inPlace = inPlace
        self.tried = tried
    }

    /// The same for an attempt that must leave no trace.
    var attempt: StandIn {
        var attempt = self
        attempt.inPlace = tried ?? inPlace
        return attempt
    }

    package init(whole: Response, shown: Shown?) {
        self.whole = whole
        self.shown = shown
    }
}

extension Emulator {
    /// Changes the journal entry of an exchange under way; nothing happens if it is gone.
    package func amend(_ exchange: UInt64, _ change: (inout JournalEntry) -> Void) {
        guard let entry = pending[exchange], !entry.isOutdated else { return }
        entry.slot.world.journal.update(entry.seq, change)
    }

    /// What the emulation answers to a request that another has answered: it runs, with every effect of its answer at
    /// once, and nothing is journalled.
    package func rehearse(
        _ request: Request,
        address: Address,
        api index: Int,
        peer: String,
        at real: RealTime
    ) -> Response? {
        guard let name = try? chooseWorld(address, credential: nil), let slot = self[world: name] else { return nil }
        let now = slot.world.arrive(real)
        var call = Call(
            request: request,
            path: address.path,
            linkPrefix: address.linkPrefix,
            peer: peer,
            now: now,
            epoch: slot.world.parts[index].epoch,
            requestID: "rehearsal"
        )
        let match = apis[index].match(request.head.method, address.path)
        let response = apis[index].answer(&slot.world, index, &call, match)
        for effect in call.effects { effect.change(&slot.world, now) }
        return response
    }

    /// Whether a text is a credential that a world of ours issued: those never leave (control contract, section 18).
    package func isOwnCredential(_ text: String, address: Address, api index: Int) -> Bool {
        guard text.utf8.count >= 12, !text.utf8.contains(0x20) else { return false }
        if let issuer = TokenText.issuer(of: text), WorldCore.world(ofIssuer: issuer) != nil { return true }
        guard let name = try? chooseWorld(address, credential: nil), let slot = self[world: name] else { return false }
        return apis[index].user(slot.world, index, text) != nil
    }

    /// The name and the clock of the world that an address chooses; `main` when it chooses none.
    package func worldReading(_ address: Address, at real: RealTime) -> (name: String, now: Instant) {
        let name = address.namedWorlds.first ?? WorldName.main
        let slot = self[world: name]
        return (name, slot?.world.now(real) ?? real.wall)
    }
}
