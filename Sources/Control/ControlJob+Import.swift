package import Backend
package import HTTPMessage
package import Worlds

extension ControlJob {
    /// The import of a world from a document, which is read on a worker and replaces the world once it is complete.
    package struct Import {
        /// Reads the document.
        package let read: @Sendable () -> Result<World, Problem>
        /// Puts the world in its place and returns the response.
        package let finish: (Result<World, Problem>, HostTime) -> Response
    }
}
