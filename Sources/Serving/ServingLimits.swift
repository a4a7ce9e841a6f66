/// The limits of control contract, section 17 that an `EmulatorService` keeps.
package struct ServingLimits: Sendable {
    /// Bytes of a body; an endpoint's own limit counts where it is smaller.
    package var body: Int
    /// Bytes of the body of a control call, a world to be imported aside.
    package var controlBody: Int
    /// Bytes of a world to be imported.
    package var state: Int
    /// Control calls that wait for something to happen.
    package var waitingCalls: Int
    /// Requests in each line for a worker.
    package var jobs: Int

    package init(body: Int, controlBody: Int, state: Int, waitingCalls: Int, jobs: Int) {
        self.body = body
        self.controlBody = controlBody
        self.state = state
        self.waitingCalls = waitingCalls
        self.jobs = jobs
    }
}
