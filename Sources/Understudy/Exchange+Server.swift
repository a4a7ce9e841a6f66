import Emulation
import HTTPMessage
import Transport

extension Exchange {
    /// The exchange's id in the event loop.
    var serverID: ExchangeID { ExchangeID(serial: id, connection: context.connection, channel: context.channel) }
}

extension EmulatorService: AccessLogging {
    func log(_ exchange: Exchange) {
        log.note(
            exchange.call.request.head,
            exchange.response.status,
            exchange.context.peer,
            hostTime,
            path: exchange.disclosure?.path
        )
    }
}

extension EmulatorService: WorldPersistence {
    func holds(_ exchange: Exchange, in group: ExchangeGroup) -> Bool {
        guard let keeper else { return false }
        // If the response may leave at once, it goes back to the exchange.
        let answer = played(exchange)
        guard keeper.takes(answer, to: exchange.serverID, world: group.world, api: group.api) else {
            exchange.giveBack(answer.response)
            return false
        }
        return true
    }
}
