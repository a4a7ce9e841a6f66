/// Sees to it that no answer leaves before what it tells of is on disk (control contract, section 4).
package protocol WorldPersistence: AnyObject {
    /// Takes the answer of an exchange that has to wait, and hands it to the client once it may leave; false if it may now.
    func holds(_ exchange: Exchange, in group: ExchangeGroup) -> Bool
}

extension Emulator {
    /// Leaves an answer to the store where it tells of what is not on disk yet.
    func persist(_ exchange: Exchange) -> Progress {
        guard let persistence, !exchange.skipsStore, !exchange.isOpen, let group = exchange.group else { return .next }
        exchange.state = .awaitingStore
        return persistence.holds(exchange, in: group) ? .wait : .next
    }
}
