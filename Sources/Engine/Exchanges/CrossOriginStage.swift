import Backend
import Basics
import Conditions
import HTTPMessage
import Journal
import Worlds

extension Emulator {
    /// Lets the allowed pages of the world read the response.
    ///
    /// Their preflights are answered in the place of the responder (`Emulator.produce`).
    package func openToPages(_ exchange: Exchange) -> Progress {
        // Looked at before, because a function of another module gets a copy of the request.
        guard !exchange.hosted.world.crossOrigin.origins.isEmpty else { return .next }
        exchange.hosted.world.crossOrigin.open(&exchange.response, to: exchange.call.request)
        return .next
    }
}
