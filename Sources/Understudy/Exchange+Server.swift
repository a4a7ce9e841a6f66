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
        return keeper.takes(played(exchange), to: exchange.serverID, world: group.world, api: group.api)
    }
}
