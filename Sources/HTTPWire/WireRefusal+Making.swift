import HTTPMessage

extension WireRefusal {
    /// A 400: what RFC 9112 lets or makes a server refuse.
    static func malformed(_ reason: Reason, _ detail: String) -> WireRefusal {
        WireRefusal(reason: reason, status: .badRequest, detail: detail)
    }

    static var bareLineFeed: WireRefusal {
        malformed(.bareLineFeed, "A line ended in LF without CR (RFC 9112 section 2.2).")
    }

    static var bareCarriageReturn: WireRefusal {
        malformed(.bareCarriageReturn, "A CR was not followed by LF (RFC 9112 section 2.2).")
    }

    static func requestLineTooLong(_ limit: Int) -> WireRefusal {
        WireRefusal(
            reason: .requestLineTooLong,
            status: .uriTooLong,
            detail: "The request line exceeds \(limit) bytes."
        )
    }

    static func headerSectionTooLarge(_ limit: Int) -> WireRefusal {
        WireRefusal(
            reason: .headerSectionTooLarge,
            status: .headerFieldsTooLarge,
            detail: "The field lines exceed \(limit) bytes."
        )
    }

    static func tooManyHeaderFields(_ limit: Int) -> WireRefusal {
        WireRefusal(
            reason: .tooManyHeaderFields,
            status: .headerFieldsTooLarge,
            detail: "There are more than \(limit) field lines."
        )
    }

    /// There is no memory for one more body.
    package static var overload: WireRefusal {
        WireRefusal(
            reason: .overload,
            status: .serviceUnavailable,
            detail: "The requests that are coming in hold all the memory there is for them. Try again in a moment."
        )
    }

    static var headTimeout: WireRefusal {
        WireRefusal(reason: .headTimeout, status: .requestTimeout, detail: "The request head did not arrive in time.")
    }

    static var bodyTimeout: WireRefusal {
        WireRefusal(reason: .bodyTimeout, status: .requestTimeout, detail: "The content stopped arriving.")
    }
}
