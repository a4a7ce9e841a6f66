import Engine
import Proxying
package import Transport

/// Clients that end their side of a connection (control contract, section 19).
extension EmulatorService {
    /// Notes that a gate holds an exchange; one whose client has already ended its side leaves the gate at once.
    func hold(_ exchange: Exchange) {
        server?.endWithPeer(exchange.serverID)
        if exchange.peerHasEnded { leave(exchange) }
    }

    private func leave(_ exchange: Exchange) {
        emulator.peerEnded(exchange)
        emulator.leaveGate(exchange)
        server?.leave(exchange.serverID)
    }

    package func peerEnded(_ id: ExchangeID) {
        lines?.left(id.serial)
        guard let exchange = emulator[exchange: id.serial] else { return }
        emulator.peerEnded(exchange)
        if exchange.isHeld { leave(exchange) }
    }
}
