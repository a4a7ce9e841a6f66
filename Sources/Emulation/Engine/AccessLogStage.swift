/// Writes a log line for each exchange that was answered.
package protocol AccessLogging: AnyObject {
    /// Logs an exchange that has its response.
    func log(_ exchange: Exchange)
}

extension Emulator {
    /// Logs the exchange, once.
    func log(_ exchange: Exchange) -> Progress {
        if let accessLog, !exchange.isLogged {
            exchange.isLogged = true
            accessLog.log(exchange)
        }
        return .next
    }
}
