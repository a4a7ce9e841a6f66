package import Emulation
package import HTTPMessage

extension ControlJob {
    /// A world that comes in a document: it is read elsewhere, and takes its place when it is whole.
    package struct Import {
        /// Reads the document.
        package let read: @Sendable () -> Result<World, Problem>
        /// Puts the world in its place and answers.
        package let finish: (Result<World, Problem>, HostTime) -> Response
    }
}
