package import Emulation

extension ControlJob {
    /// A long order of a verification: it is read elsewhere, and the call goes on when it has been.
    package struct Reading {
        /// An order as it was read, or what is wrong with it.
        package struct Outcome: Sendable {
            let result: Result<Verification, Problem>
        }

        /// Reads it.
        package let read: @Sendable () -> Outcome
        /// Goes on with the call.
        package let finish: (Outcome, HostTime) -> ControlDecision
    }
}
