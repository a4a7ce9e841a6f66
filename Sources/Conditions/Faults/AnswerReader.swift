package import Backend
package import Basics
package import HTTPMessage

/// Reads the content of an answer for the faults that may act on it, before the loop needs to know what is in it (control
/// contract, section 17).
///
/// It decides as the loop is going to, in copies. Where the loop decides otherwise after all, it finds nothing here and
/// reads for itself.
package struct AnswerReader: Sendable {
    private let ground: FaultGround
    /// The call as it is when faults are decided on.
    private let call: Call
    private let api: String
    /// The fault that is known to act.
    private let main: ActiveFault?
    /// The faults that are still to be decided on; nil if none are.
    private let faults: FaultRegistry?
    private let moment: FaultRegistry.Moment
    /// Tells whether the content is coded for the client.
    private let isCoded: Bool
    /// The length of the longest content that a fault may send in place of it, to be coded too.
    private let ownLength: Int
    /// The number of times that the content is read.
    private let readings: Int

    /// Creates the reader for a call; nil if nothing is going to read the content of its answer.
    package init?(
        _ ground: FaultGround,
        _ call: Call,
        _ subject: MatchSubject,
        _ main: ActiveFault?,
        _ faults: FaultRegistry?,
        _ moment: FaultRegistry.Moment,
        isCoded: Bool = false
    ) {
        self.isCoded = isCoded
        ownLength =
            isCoded
            ? max(main?.spec.effect.ownLength ?? 0, faults?.faults.lazy.map(\.spec.effect.ownLength).max() ?? 0) : 0
        self.ground = ground
        self.call = call
        api = subject.api
        self.main = main
        self.faults = faults
        self.moment = moment
        var readings = main?.spec.effect.readsContent == true ? 1 : 0
        if var faults, faults.readsContent {
            _ = faults.decide(
                subject,
                moment,
                obstacle: { fault in
                    if fault.spec.effect.readsContent { readings += 1 }
                    // The next one may read it too.
                    return "not known yet"
                }
            )
        }
        guard readings > 0 || isCoded else { return nil }
        self.readings = readings
    }

    /// The length of content that the loop reads itself, all readings together.
    private static let longestInPlace = 32 * 1_024

    /// The length of content that the loop codes itself.
    private static let longestCodedInPlace = 16 * 1_024

    /// Returns whether the loop can't spare the time to read an answer, or to code it: how long coded content takes depends
    /// on what it hides.
    package func takesLong(_ answer: Response) -> Bool {
        if isCoded, answer.body.length > Self.longestCodedInPlace, answer.isCodable { return true }
        if ownLength > Self.longestCodedInPlace { return true }
        return readings > 0 && answer.fields.contains(.contentEncoding) || takesLong(answer.body.length)
    }

    /// Returns whether the loop can't spare the time to read plain content of a length.
    package func takesLong(_ length: Int) -> Bool { length * readings > Self.longestInPlace }

    /// Reads an answer, on any thread.
    package func read(_ answer: Response) -> HandedOver<AnswerReading> {
        let reading = AnswerReading()
        var answer = answer
        if isCoded { reading.compress(&answer, of: nil, for: call.request.head) }
        var untied = answer
        untied.dropEffects()
        var main = main
        if var faults {
            let subject = MatchSubject(call, api: api, user: call.user)
            let verdicts = faults.decide(
                subject,
                moment,
                obstacle: { ground.obstacle(to: $0, call, reading) { untied } }
            )
            for verdict in verdicts where verdict.acts && !verdict.fault.spec.behavior.isAdditive {
                main = ground.active(verdict.fault, call)
            }
        }
        if isCoded, let main, main.spec.effect.ownLength > 0 {
            var application = ground.application(main, on: answer.status, reading)
            var made = application.apply(to: answer)
            reading.compress(&made, of: nil, for: call.request.head)
        }
        if let main, main.spec.effect.readsContent {
            let answer = main.spec.phase == .before ? untied : answer
            var application = ground.application(main, on: answer.status, reading)
            _ = application.apply(to: answer)
        }
        reading.forgetForms()
        return HandedOver(reading)
    }
}

extension Response.Body {
    /// The number of bytes of content in it.
    fileprivate var length: Int {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .steps(let steps):
            steps.reduce(0) { sum, step in if case .bytes(let bytes) = step { sum + bytes.count } else { sum } }
        }
    }
}
