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
        exchange.hosted.world.crossOrigin.open(&exchange.response, to: exchange.call.request)
        return .next
    }
}
