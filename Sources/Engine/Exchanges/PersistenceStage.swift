/// Holds responses until the state that they report is on disk (control contract, section 4).
package protocol WorldPersistence: AnyObject {
    /// Takes over the response of an exchange if it has to wait, and delivers it once it may leave; false if it may
    /// leave now.
    func holds(_ exchange: Exchange, in group: ExchangeGroup) -> Bool
}

extension Emulator {
    /// Hands a response to the store if it reports state that is not on disk yet.
    func persist(_ exchange: Exchange) -> Progress {
        guard let persistence, !exchange.skipsStore, !exchange.isOpen, let group = exchange.group else { return .next }
        exchange.state = .awaitingStore
        return persistence.holds(exchange, in: group) ? .wait : .next
    }
}
