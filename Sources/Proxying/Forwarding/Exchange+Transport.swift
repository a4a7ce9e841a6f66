package import Engine
package import Transport

extension Exchange {
    /// The exchange's id in the event loop.
    package var serverID: ExchangeID {
        ExchangeID(serial: id, connection: context.connection, channel: context.channel)
    }
}
