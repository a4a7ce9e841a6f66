package import CivilTime
package import Transport

/// The choices on device mode (transport contract, section 8).
package struct LocalNetwork: Sendable {
    /// The one address to listen on besides loopback, with others of its interface; nil for all addresses.
    package var only: NetworkChoice?
    /// The time after which the listeners beyond loopback close.
    package var life = Interval.hours(12)
    /// Tells whether modes with a real backend are allowed.
    package var sharesUpstream = false
    /// The world that devices are paired for; nil to pair none.
    package var pairedWorld: String?
    /// `HOST.local`; nil where the machine has no name.
    package var name: String?

    package init() {}
}
