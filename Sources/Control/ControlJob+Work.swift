package import Backend
package import Basics
package import HTTPMessage

extension ControlJob {
    /// The rest of a control call that has taken everything it needs from the worlds.
    ///
    /// A list of ten thousand worlds or of a full journal takes longer to write than other connections may wait
    /// (control contract, section 17). A worker writes it from the values in this structure while the worlds continue.
    /// The response is that of the moment in which the call came.
    package struct Work: Sendable {
        /// The queue in which it waits for a worker.
        package enum Line: Sendable {
            /// Responses of any length, which are written out.
            case answers
            /// Searches of the journal with a short result.
            case searches
        }

        /// The failure of the work.
        package typealias Failure = Problem

        /// Tells whether doing it is quicker than handing it over.
        let isShort: Bool
        package let line: Line
        /// Tells whether it is done also where its queue is full: the call has changed the world by then.
        package let mustRun: Bool
        private let make: @Sendable (Wanted) throws(Failure) -> Response

        /// Creates the work.
        ///
        /// The response of `make` is dropped once it is no longer wanted.
        package init(
            isShort: Bool,
            _ line: Line = .answers,
            mustRun: Bool = false,
            _ make: @escaping @Sendable (Wanted) throws(Failure) -> Response
        ) {
            self.isShort = isShort
            self.line = line
            self.mustRun = mustRun
            self.make = make
        }

        /// The decision of a call for which only this work remains.
        package var reply: ControlDecision { isShort ? .now(response()) : .job(.work(self)) }

        /// Does the work and returns the response.
        package func response(_ wanted: Wanted = Wanted()) -> Response {
            do throws(Problem) {
                return try make(wanted)
            } catch {
                return error.response
            }
        }
    }
}
