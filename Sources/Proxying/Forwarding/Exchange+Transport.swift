package import Emulation
package import Transport

extension Exchange {
    /// The exchange as the loop knows it.
    package var serverID: ExchangeID {
        ExchangeID(serial: id, connection: context.connection, channel: context.channel)
    }
}
