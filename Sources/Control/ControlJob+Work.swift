import Emulation
package import HTTPMessage
package import Locking

extension ControlJob {
    /// The rest of a control call once everything it needs of the worlds has been taken.
    ///
    /// A list of ten thousand worlds or of a full journal takes longer to write out than other connections may be kept
    /// waiting (control contract, section 17): a worker does it, over what this holds, and the worlds go on meanwhile. The
    /// answer is that of the moment in which the call came.
    package struct Work: Sendable {
        /// The line in which it waits for a worker.
        package enum Line: Sendable {
            /// Answers of any length, which are written out.
            case answers
            /// A walk over the journal that comes to a few lines.
            case searches
        }

        /// Whether it is done in less time than it takes to hand it over.
        let isShort: Bool
        package let line: Line
        private let make: @Sendable (Wanted) throws(Problem) -> Response

        /// The answer of `make` does not matter once it is not wanted any more.
        init(
            isShort: Bool,
            _ line: Line = .answers,
            _ make: @escaping @Sendable (Wanted) throws(Problem) -> Response
        ) {
            self.isShort = isShort
            self.line = line
            self.make = make
        }

        /// What a call that has this left to do comes to.
        var reply: ControlDecision { isShort ? .now(response()) : .job(.work(self)) }

        /// Does it, and answers.
        package func response(_ wanted: Wanted = Wanted()) -> Response {
            do throws(Problem) {
                return try make(wanted)
            } catch {
                return error.response
            }
        }
    }
}
