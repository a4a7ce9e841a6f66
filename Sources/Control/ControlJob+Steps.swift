package import Backend
package import HTTPMessage

extension ControlJob {
    /// A call that acts on thousands of items.
    ///
    /// It runs in steps, and other connections are served between them.
    package struct Steps {
        /// Does the next step, and returns the response if it was the last.
        package let next: (HostTime) -> Response?

        /// Does all steps at once.
        func last(at hostTime: HostTime) -> Response {
            while true {
                if let response = next(hostTime) { return response }
            }
        }
    }
}
