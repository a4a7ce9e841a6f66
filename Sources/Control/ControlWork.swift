package import Emulation
package import HTTPMessage
package import Locking

/// What is left to do of a control call once everything it needs of the worlds has been taken.
///
/// A list of ten thousand worlds or of a full journal takes longer to write out than other connections may be kept
/// waiting (control contract, section 17): a worker does it, over what this holds, and the worlds go on meanwhile. The
/// answer is that of the moment in which the call came.
package struct ControlWork: Sendable {
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
    var reply: ControlDecision { isShort ? .now(response()) : .elsewhere(self) }

    /// Does it, and answers.
    package func response(_ wanted: Wanted = Wanted()) -> Response {
        do throws(Problem) {
            return try make(wanted)
        } catch {
            return error.response
        }
    }
}

/// A world that comes in a document: it is read elsewhere, and takes its place when it is whole.
package struct ControlImport {
    /// Reads the document.
    package let read: @Sendable () -> Result<World, Problem>
    /// Puts the world in its place and answers.
    package let finish: (Result<World, Problem>, HostTime) -> Response
}

/// A call that acts on thousands of things, of which each takes a moment: it is done in steps, and others have their turn
/// between two of them.
package struct ControlSteps {
    /// Does the next step; the answer if it was the last.
    package let next: (HostTime) -> Response?

    /// Does all of them at once.
    func last(at hostTime: HostTime) -> Response {
        while true {
            if let response = next(hostTime) { return response }
        }
    }
}

/// A long order of a verification: it is read elsewhere, and the call goes on when it has been.
package struct ControlReading {
    /// An order as it was read, or what is wrong with it.
    package struct Outcome: Sendable {
        let result: Result<Verification, Problem>
    }

    /// Reads it.
    package let read: @Sendable () -> Outcome
    /// Goes on with the call.
    package let finish: (Outcome, HostTime) -> ControlDecision
}
