import HTTPMessage

/// The point of an exchange at which a fault acts (control contract, section 8).
///
/// The engine decides by it alone; it knows no effect by name.
enum FaultBehavior: Sendable {
    /// Answers in the endpoint's place. In the phase `after` the endpoint has run, and its answer is dropped.
    case replacesEndpoint(Replacement)
    /// Changes the endpoint's answer.
    case shapesAnswer(Selectivity)
    /// Changes only when the bytes of an answer leave; adds up with every other effect.
    case shapesDelivery(Delivery)
    /// Decided when the head has come, before the content is read.
    case actsOnUpload(UploadAction)
    /// Ends the credentials of the request, which the endpoint then answers to.
    case actsOnCredentials(TokenEnding.Manner)

    enum Replacement: Sendable {
        /// The status in the API's own error form.
        case apiError(InjectedStatus)
        /// The effect's own answer.
        case ownAnswer
    }

    /// The answers that the effect changes.
    enum Selectivity: Sendable {
        case every
        /// Server-sent events, also while they arrive piece by piece (`FaultEffect.flow`).
        case eventStreams
        /// Those whose content has something to change, by the endpoint's schema.
        case byContent
    }

    enum Delivery: Sendable {
        /// The first byte comes later.
        case firstByte
        /// The content comes at a rate, piece by piece as it arrives.
        case rate(bytesPerSecond: Int)
        /// The content is laid out over time, which takes all of it.
        case layout
    }

    enum UploadAction: Sendable, Equatable {
        case read(bytesPerSecond: Int)
        case stop(afterBytes: Int)
        case reject(Status)
        case reset(afterBytes: Int)
    }
}

extension FaultBehavior {
    /// Tells that it adds up with one other effect instead of winning over those after it.
    var isAdditive: Bool {
        switch self {
        case .shapesDelivery, .actsOnUpload(.read): true
        case .replacesEndpoint, .shapesAnswer, .actsOnUpload, .actsOnCredentials: false
        }
    }

    /// Tells that it needs the endpoint's answer; the others take its place.
    var transformsAnswer: Bool {
        switch self {
        case .shapesAnswer, .shapesDelivery: true
        case .replacesEndpoint, .actsOnUpload, .actsOnCredentials: false
        }
    }

    /// Tells that the endpoint is asked for an answer, in whatever phase.
    var wantsAnswer: Bool {
        switch self {
        case .shapesAnswer, .shapesDelivery, .actsOnCredentials: true
        case .replacesEndpoint, .actsOnUpload: false
        }
    }

    /// Tells that the API makes the answer anew, without what was done to the former one.
    var remakesAnswer: Bool {
        switch self {
        case .replacesEndpoint(.apiError), .actsOnCredentials: true
        case .replacesEndpoint(.ownAnswer), .shapesAnswer, .shapesDelivery, .actsOnUpload: false
        }
    }

    /// Tells that there are answers that it leaves as they are, so that it has to see one before it acts.
    var maySpareAnswer: Bool {
        switch self {
        case .shapesAnswer(.eventStreams), .shapesAnswer(.byContent): true
        case .shapesAnswer(.every), .replacesEndpoint, .shapesDelivery, .actsOnUpload, .actsOnCredentials: false
        }
    }

    /// Tells that the content of an answer decides if it acts.
    var looksAtContent: Bool {
        if case .shapesAnswer(.byContent) = self { return true }
        return false
    }

    /// Tells that it changes server-sent events, which need not be there in full.
    var changesEventStreams: Bool {
        if case .shapesAnswer(.eventStreams) = self { return true }
        return false
    }

    /// Tells that it slows content, of which an answer to HEAD has none.
    var slowsContent: Bool {
        switch self {
        case .shapesDelivery(.rate), .shapesDelivery(.layout): true
        case .shapesDelivery(.firstByte), .replacesEndpoint, .shapesAnswer, .actsOnUpload, .actsOnCredentials: false
        }
    }

    /// Tells that the whole content has to be there before its first byte leaves.
    var laysOutContent: Bool {
        if case .shapesDelivery(.layout) = self { return true }
        return false
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
