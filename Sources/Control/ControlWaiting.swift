import CivilTime
import Emulation
package import HTTPMessage

/// How a control call waits for something to happen in its world.
struct ControlWaiting: Sendable {
    /// How much longer the call may be put off; nil as soon as it can be answered.
    let patience: @Sendable (ControlCall) throws(ControlFault) -> Interval?
    /// How it looks whether it is settled, where that takes long; nil where `patience` says it at once.
    var look: (@Sendable (ControlCall) throws(ControlFault) -> ControlLook?)?
}

/// A look at what a call waits for, where it takes long.
package struct ControlLook: Sendable {
    /// The answer if the call is settled.
    package let response: @Sendable () -> Response?
}
