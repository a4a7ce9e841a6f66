package import CivilTime
package import HTTPMessage

/// An answer with what a player needs to time it.
package struct Answer: Sendable {
    package var response: Response
    /// Which world and API the exchange belongs to; nil for Understudy's own answers.
    package var group: ExchangeGroup?
    /// The world's clock at the request.
    package var now: Instant
    /// World seconds per real second.
    package var speed: Double
    /// A gate holds the request: there is no answer yet, and the release of the gate brings it.
    package var isHeld = false
    /// Who answers in the API's place is to be asked first: there is no answer yet, and `Emulator.answered` brings it.
    package var isAsked = false
    /// What acts on the content that is still to follow an answer that has begun.
    package var flow = ContentFlow()

    package init(response: Response, group: ExchangeGroup? = nil, now: Instant, speed: Double = 1) {
        self.response = response
        self.group = group
        self.now = now
        self.speed = speed
    }
}

/// The world and the API that an exchange belongs to.
package struct ExchangeGroup: Sendable, Hashable {
    /// Never used again, also when a world of the same name is made later.
    package var world: Int
    package var api: Int

    package init(world: Int, api: Int) {
        self.world = world
        self.api = api
    }
}
