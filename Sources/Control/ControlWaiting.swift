import Backend
import CivilTime
import Conditions
import Engine
import Journal
import Worlds

/// The condition that a control call waits for.
package struct ControlWaiting: Sendable {
    /// Returns the time for which the call may still wait; nil as soon as it can be answered.
    let patience: @Sendable (ControlCall) throws(Problem) -> Interval?
    /// Tells that it waits for requests; its body is the order of a verification, which may be long.
    var isVerification = false
}
