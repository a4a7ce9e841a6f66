package import Backend
import Engine
package import ForwardProxy
import Worlds

extension ControlCall {
    /// The forward proxy; calls about it are refused without one (proxy contract, section 1).
    package func forwardProxy() throws(Problem) -> ForwardProxyState {
        guard let proxy = host.forwardProxy else {
            throw Problem(.proxyOff, "The server was started without the forward proxy. Start it with --proxy.")
        }
        return proxy
    }

    /// The other hosts that clients of the call's world asked the forward proxy for, the first ones first.
    func otherHosts() throws(Problem) -> [String] {
        try forwardProxy().seen.list(world: try world().world.name, othersOnly: true).reversed().map(\.key.text)
    }
}
