package import CivilTime
import HTTPWire

extension Server {
    /// Stops: no new connections are accepted, responses may end within that time, then the rest is cut.
    ///
    /// Held connections are cut at once, because they would never end. A second call cuts everything at once.
    package func beginStop(gracefulWithin grace: Interval) {
        guard state == .running else {
            cutAll()
            return
        }
        stopAccepting()
        state = .draining
        listening = []
        _ = timers.add(at: time.monotonic() + grace, .stop)
        for connection in connections.all where connection.isOpen {
            connection.wire.beginDrain()
            connection.forEachChannel { if $0.phase == .holding { markCancelled($0) } }
            makeReady(connection)
        }
        application.stopping()
    }

    /// Ends everything that is still open.
    func cutAll() {
        for connection in connections.all where connection.isOpen {
            if connection.hasExchange {
                resetConnection(connection)
            } else {
                endInOrder(connection)
            }
        }
    }
}
