import Emulation
import Transport

/// Clients that end their side of a connection (control contract, section 19).
extension EmulatorService {
    /// Notes that a gate holds an exchange; one whose client has ended its side has been left (control contract, section 19).
    func hold(_ exchange: ExchangeID) {
        held[exchange.serial] = exchange
        server?.endWithPeer(exchange)
        if ended.contains(exchange.serial) { leave(exchange) }
    }

    private func leave(_ exchange: ExchangeID) {
        emulator.peerEnded(exchange.serial)
        emulator.left(exchange.serial)
        server?.leave(exchange)
    }

    func peerEnded(_ exchange: ExchangeID) {
        ended.insert(exchange.serial)
        emulator.peerEnded(exchange.serial)
        lines?.left(exchange.serial)
        if held[exchange.serial] != nil { leave(exchange) }
    }
}
