package import Backend
package import CivilTime
package import HTTPMessage

/// The point of an exchange at which a fault acts (control contract, section 8).
///
/// The engine decides by it alone, not by the names of effects.
package enum FaultBehavior: Sendable {
    /// Replaces the endpoint's response. In the phase `after` the endpoint has run, and its response is dropped.
    case replacesEndpoint(Replacement)
    /// Changes the endpoint's response.
    case shapesAnswer(Selectivity)
    /// Changes only the times at which the bytes of a response leave; adds up with every other effect.
    case shapesDelivery(Delivery)
    /// Decided when the head has come, before the content is read.
    case actsOnUpload(UploadAction)
    /// Ends the credentials of the request; the response is that to ended credentials.
    case actsOnCredentials(TokenEnding.Manner)

    package enum Replacement: Sendable {
        /// The status in the API's own error form.
        case apiError(InjectedStatus)
        /// The effect's own response.
        case ownAnswer
    }

    /// The responses that the effect changes.
    package enum Selectivity: Sendable {
        case every
        /// Every response, whose content is left as it is.
        case everyEnd
        /// Responses with content.
        case withContent
        /// Server-sent events, even while they arrive piece by piece (`FaultEffect.flow`).
        case eventStreams
        /// Responses with content that the effect can change, by the endpoint's schema.
        case byContent
        /// Files and pictures, by the ranges and conditions of the request.
        case contents(needsRange: Bool)
    }

    package enum Delivery: Sendable {
        /// The first byte is delayed.
        case firstByte
        /// Interim responses are sent before it.
        case interim
        /// The content is sent at a rate, piece by piece as it arrives.
        case rate(bytesPerSecond: Int)
        /// The content is spread over a time, which takes all of it.
        case layout
    }

    package enum UploadAction: Sendable, Equatable {
        case read(bytesPerSecond: Int)
        case stop(afterBytes: Int)
        case reject(Status)
        case reset(afterBytes: Int)
        /// `100 Continue` is written that much later, or never, and the content is awaited.
        case withholdContinue(until: Interval?)
    }
}

extension FaultBehavior {
    /// Tells whether it adds up with another effect instead of winning over those after it.
    package var isAdditive: Bool {
        switch self {
        case .shapesDelivery, .actsOnUpload(.read): true
        case .replacesEndpoint, .shapesAnswer, .actsOnUpload, .actsOnCredentials: false
        }
    }

    /// Tells whether it needs the endpoint's response; the others replace it.
    package var transformsAnswer: Bool {
        switch self {
        case .shapesAnswer, .shapesDelivery: true
        case .replacesEndpoint, .actsOnUpload, .actsOnCredentials: false
        }
    }

    /// Tells whether the endpoint has to run, in either phase.
    package var wantsAnswer: Bool {
        switch self {
        case .shapesAnswer, .shapesDelivery, .actsOnCredentials: true
        case .replacesEndpoint, .actsOnUpload: false
        }
    }

    /// Tells whether the API makes a new response, without the changes to the former one.
    package var remakesAnswer: Bool {
        switch self {
        case .replacesEndpoint(.apiError), .actsOnCredentials: true
        case .replacesEndpoint(.ownAnswer), .shapesAnswer, .shapesDelivery, .actsOnUpload: false
        }
    }

    /// Tells whether it leaves some responses unchanged, so that it has to see one before it acts.
    var maySpareAnswer: Bool {
        switch self {
        case .shapesAnswer(.eventStreams), .shapesAnswer(.byContent), .shapesAnswer(.contents): true
        case .shapesAnswer(.withContent), .shapesDelivery(.rate), .shapesDelivery(.layout): true
        case .shapesAnswer(.every), .shapesAnswer(.everyEnd), .replacesEndpoint, .shapesDelivery(.firstByte),
            .shapesDelivery(.interim), .actsOnUpload, .actsOnCredentials:
            false
        }
    }

    /// Tells whether the content of a response decides if it acts.
    package var looksAtContent: Bool {
        if case .shapesAnswer(.byContent) = self { return true }
        return false
    }

    /// Tells whether it changes server-sent events, which need not be complete for that.
    package var changesEventStreams: Bool {
        if case .shapesAnswer(.eventStreams) = self { return true }
        return false
    }

    /// Tells whether it acts on the content of a response, so that one without content leaves it nothing to do.
    package var actsOnContent: Bool {
        switch self {
        case .shapesAnswer(.withContent), .shapesAnswer(.byContent), .shapesDelivery(.rate), .shapesDelivery(.layout):
            true
        case .shapesAnswer(.every), .shapesAnswer(.everyEnd), .shapesAnswer(.eventStreams), .shapesAnswer(.contents),
            .shapesDelivery(.firstByte), .shapesDelivery(.interim), .replacesEndpoint, .actsOnUpload,
            .actsOnCredentials:
            false
        }
    }

    /// Returns the reason why a request alone leaves it nothing to do; nil if the response decides.
    package func obstacle(to request: MatchSubject) -> String? {
        if actsOnContent, request.method == .head { return "no content" }
        guard case .shapesAnswer(.contents(needsRange: true)) = self else { return nil }
        return request.method == .get && ByteRange(request.fields) != nil ? nil : "no range"
    }

    /// Tells whether it needs the whole content before the first byte leaves.
    package var laysOutContent: Bool {
        if case .shapesDelivery(.layout) = self { return true }
        return false
    }

    /// Tells whether the content may pass as it arrives, because the effect leaves it as it is.
    package var leavesContent: Bool {
        if case .shapesAnswer(.everyEnd) = self { return true }
        return false
    }

    /// Tells whether it adds responses before the one that it acts on.
    package var addsInterim: Bool {
        if case .shapesDelivery(.interim) = self { return true }
        return false
    }

    /// Tells whether it is decided at that point; an upload without content ends at its head, but is told there of no
    /// fault.
    func isDecided(atHead isAtHead: Bool, of subject: MatchSubject) -> Bool {
        if !isAtHead, case .actsOnUpload(.withholdContinue) = self { return !subject.announcesContent }
        return isUpload == isAtHead
    }

    var isUpload: Bool {
        if case .actsOnUpload = self { return true }
        return false
    }

    var endsCredentials: Bool {
        if case .actsOnCredentials = self { return true }
        return false
    }
}
