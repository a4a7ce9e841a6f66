package import Backend
import CivilTime
import HTTPMessage
import Worlds

extension Emulator {
    /// Selects the world, which is in use from here on; without one the request gets a problem.
    func selectWorld(_ exchange: Exchange) -> Progress {
        do throws(Problem) {
            try bindWorld(to: exchange)
        } catch {
            // The world that its head named may be gone since.
            (exchange.hosted, exchange.worldChoice) = (mainWorld, .none)
            exchange.response = error.response
            exchange.skipsStore = true
            return .skip(to: .accessLog)
        }
        let hosted = exchange.hosted
        hosted.lastUsed = max(hosted.lastUsed, exchange.hostTime.monotonic)
        if !hosted.isAwake { wake(hosted) }
        exchange.call.request.bounds = configuration.bounds
        exchange.call.now = hosted.world.tick(to: exchange.hostTime)
        exchange.call.epoch = hosted.world.epoch(of: exchange.apiIndex)
        if hasCustomAPIs { claim(exchange) }
        return .next
    }

    /// Finds the world of an exchange whose content is there, unless it has one.
    package func bindWorld(to exchange: Exchange) throws(Problem) {
        if exchange.worldChoice == .made, hosted(key: exchange.hosted.key) === exchange.hosted { return }
        // An open journal entry binds the exchange to the world of that journal.
        if exchange.openEntry != nil { return }
        let name = try chooseWorld(exchange)
        let found = name == WorldName.main ? mainWorld : self[world: name] ?? mainWorld
        if exchange.worldChoice != .none, found !== exchange.hosted {
            // The faults of the world that the head selected do not act in another.
            exchange.decisions = []
            exchange.identification = .pending
        }
        exchange.hosted = found
        exchange.worldChoice = .made
    }

    /// Finds the world of an exchange by its head; nil if there is none or the head can't decide.
    func worldAtHead(of exchange: Exchange) -> HostedWorld? {
        guard let name = try? chooseWorld(exchange), let hosted = self[world: name] else { return nil }
        exchange.hosted = hosted
        let mayDiffer = exchange.context.address.namedWorlds.isEmpty && hasCredentialInContent(exchange)
        exchange.worldChoice = mayDiffer ? .provisional : .made
        return hosted
    }

    /// Finds the world of an exchange whose content is there; nil if there is none.
    func world(of exchange: Exchange) -> HostedWorld? {
        guard (try? bindWorld(to: exchange)) != nil else { return nil }
        return exchange.hosted
    }

    /// Returns whether the credential may be in the content.
    func hasCredentialInContent(_ exchange: Exchange) -> Bool {
        guard hasSeveralWorlds, let place = exchange.context.endpointIndex else { return false }
        return switch apis[exchange.apiIndex].traits[place].credential {
        case .body, .bodyMembers: true
        case .bearer, .bearerOrCookie, .query: false
        }
    }

    private func chooseWorld(_ exchange: Exchange) throws(Problem) -> String {
        worldChoices += 1
        // Nearly always there is nothing to choose from.
        guard hasSeveralWorlds || !exchange.context.address.namedWorlds.isEmpty else { return WorldName.main }
        let (context, index) = (exchange.context, exchange.apiIndex)
        return try chooseWorld(
            context.address,
            api: index,
            credential: worldHint(of: exchange.call.request, api: index, match: context.match)
        )
    }

    /// Checks the worlds that an address names, before a real backend is asked.
    package func checkNamedWorlds(_ address: Address) throws(Problem) { _ = try chooseWorld(address, credential: nil) }
}
