/// Writes a line for each exchange that was answered.
package protocol AccessLogging: AnyObject {
    /// Logs an exchange whose answer is there.
    func log(_ exchange: Exchange)
}

extension Emulator {
    /// Has the owner's log note the exchange, once.
    func log(_ exchange: Exchange) -> Progress {
        if let accessLog, !exchange.isLogged {
            exchange.isLogged = true
            accessLog.log(exchange)
        }
        return .next
    }
}
