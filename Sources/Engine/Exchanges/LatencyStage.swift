import Backend
import Conditions
import HTTPMessage
import Worlds

extension Emulator {
    /// Applies the latency of the world's network to the response.
    func applyLatency(_ exchange: Exchange) -> Progress {
        if let subject = exchange.subject { applyLatency(to: exchange, subject) }
        return .next
    }

    func applyLatency(to exchange: Exchange, _ subject: MatchSubject) {
        let hosted = exchange.hosted
        guard let latency = hosted.world.latency.latency(for: subject), !latency.losesEverything else { return }
        var late = exchange.response
        if let rate = latency.bytesPerSecond, subject.method != .head {
            late = late.throttled(to: rate, latency.waiting)
        }
        var stream = hosted.world.latency.stream(subject.api, seed: hosted.world.core.seed)
        exchange.response = late.delayed(by: latency.draw(&stream), latency.waiting)
    }
}
