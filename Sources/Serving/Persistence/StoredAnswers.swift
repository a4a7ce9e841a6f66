import Backend
package import CivilTime
import HTTPMessage
package import Persistence
package import Transport

/// Connects the persistence of worlds to the server, and holds the responses that wait for the store.
package final class StoredAnswers: PersistenceHost {
    package let coordinator: PersistenceCoordinator
    private weak var server: Server?

    package init(_ coordinator: PersistenceCoordinator, _ server: Server) {
        self.coordinator = coordinator
        self.server = server
        coordinator.host = self
    }

    /// Takes a response of an API that has to wait for the store; returns false, without making it, if it may leave at once.
    func takes(
        _ answer: @autoclosure () -> PlayableResponse,
        to exchange: ExchangeID,
        world: Int,
        api: Int
    ) -> Bool {
        guard let server else { return false }
        return coordinator.takes(
            AwaitingAnswer(server: server, exchange: exchange, answer: answer()),
            to: exchange.serial,
            world: world,
            api: api
        )
    }

    /// Takes the response to a control call that has to wait for the store; returns false if it may leave at once.
    func takesControl(_ answer: PlayableResponse, to exchange: ExchangeID, isReading: Bool) -> Bool {
        guard let server else { return false }
        return coordinator.takesControl(
            AwaitingAnswer(server: server, exchange: exchange, answer: answer),
            isReading: isReading
        )
    }

    /// Takes a response that has reached an effect and has to wait there; returns false if it may continue.
    func holds(_ exchange: ExchangeID, world: Int, api: Int) -> Bool {
        guard let server else { return false }
        return coordinator.holds(
            AwaitingPlayback(server: server, exchange: exchange),
            to: exchange.serial,
            world: world,
            api: api
        )
    }

    // MARK: PersistenceHost

    package func submit(_ job: @escaping @Sendable () -> Void, then completion: @escaping () -> Void) -> Bool {
        server?.disk.submit(job, then: completion) ?? false
    }

    package func stopWriting() { server?.disk.stop() }

    package func schedule(after delay: Interval, _ action: @escaping () -> Void) {
        server?.schedule(after: delay, action)
    }
}

/// A response that leaves once it is stored.
private struct AwaitingAnswer: AwaitingStore {
    let server: Server
    let exchange: ExchangeID
    let answer: PlayableResponse

    func stored() { server.complete(exchange, with: answer) }

    func failed(_ reason: String) {
        var refusal = answer
        refusal.response = Problem(.storeFailed, reason).response
        if let id = answer.response.fields[.requestID] { refusal.response.fields.append(.requestID, id) }
        refusal.staysOpen = false
        server.complete(exchange, with: refusal)
    }
}

/// A response in progress that continues after an effect once the effect is stored.
private struct AwaitingPlayback: AwaitingStore {
    let server: Server
    let exchange: ExchangeID

    func stored() { server.release(exchange) }

    func failed(_ reason: String) { server.cancel(exchange) }
}
