package import Backend
import HTTPMessage

/// A fault that acts on a request, with its random stream.
package struct ActiveFault {
    package var spec: FaultSpec
    package var stream: SeededStream

    package init(spec: FaultSpec, stream: SeededStream) {
        self.spec = spec
        self.stream = stream
    }
}
