package import Backend

extension ControlJob {
    /// A long order of a verification, or a long stub, which is read on a worker before the call continues.
    package struct Reading {
        /// An order as it was read, or its problem.
        package struct Outcome: Sendable {
            let value: Value
        }

        enum Value: Sendable {
            case verification(Result<Verification, Problem>)
            case stub(StubDraft)
        }

        /// Reads the order.
        package let read: @Sendable () -> Outcome
        /// Continues the call.
        package let finish: (Outcome, HostTime) -> ControlDecision
    }
}
