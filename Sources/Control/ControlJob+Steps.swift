package import Emulation
package import HTTPMessage

extension ControlJob {
    /// A call that acts on thousands of things, of which each takes a moment: it is done in steps, and others have their turn
    /// between two of them.
    package struct Steps {
        /// Does the next step; the answer if it was the last.
        package let next: (HostTime) -> Response?

        /// Does all of them at once.
        func last(at hostTime: HostTime) -> Response {
            while true {
                if let response = next(hostTime) { return response }
            }
        }
    }
}
