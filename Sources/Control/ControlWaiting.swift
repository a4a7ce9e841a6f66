import CivilTime
import Emulation

/// How a control call waits for something to happen in its world.
struct ControlWaiting: Sendable {
    /// How much longer the call may be put off; nil as soon as it can be answered.
    let patience: @Sendable (ControlCall) throws(Problem) -> Interval?
    /// It waits for requests; its body is the order of a verification, which may be long.
    var isVerification = false
}
