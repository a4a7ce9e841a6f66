package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// The form of injected failures (contract, sections 2 and 3; control contract, section 8).
extension CarbScanAPI {
    /// The failure envelope, with the code that section 3 has for the status unless the fault names one.
    package static func faultAnswer(_ order: InjectedStatus, state: CarbScanState, call: Call) -> Response {
        let code = order.code ?? code(of: order.status, call)
        let failure = APIError(
            order.status,
            code: code,
            order.message ?? message(of: code),
            details: quotaDetails(of: code, state, call)
        )
        return render(failure, state: state, call: call)
    }

    /// The code for a status.
    ///
    /// A 403 has no code but those of the quotas.
    private static func code(of status: Status, _ call: Call) -> String {
        switch (status, call.route) {
        case (.forbidden, base + "/analyze"): Code.noScans
        case (.forbidden, base + "/chat"): Code.chatLimit
        default: Code.of(status)
        }
    }

    static func message(of code: String) -> String {
        switch code {
        case Code.validation: APIError.validation([]).message
        case Code.unauthorized: APIError.unauthorized.message
        case Code.invalidToken: APIError.appleRefused.message
        case Code.noScans: "You have used all scans of this period"
        case Code.chatLimit: "You have asked all questions of today"
        case Code.notFound: APIError.notFound.message
        case Code.methodNotAllowed: "This path takes other methods"
        case Code.tooLarge: APIError.tooLarge.message
        case Code.configuration: APIError.appleNotConfigured.message
        case Code.auth: "Signing in failed"
        case Code.config: "The configuration could not be loaded"
        case Code.registration: "The device could not be registered"
        case Code.notImplemented: APIError.notImplemented.message
        case Code.rateLimited: "There were too many requests; try again later"
        case Code.unavailable: "The service is not available at the moment"
        case Code.invalidGrant: APIError.invalidGrant.message
        case Code.invalidReceipt: APIError.invalidReceipt("").message
        case Code.receiptInUse: APIError.receiptInUse.message
        default: APIError.serverError.message
        }
    }

    /// The numbers in the details of both quota errors, for the account of the credential.
    private static func quotaDetails(
        of code: String,
        _ state: CarbScanState,
        _ call: Call
    ) -> [(field: String, reason: String)] {
        guard Code.withNumbers.contains(code), let user = call.user.flatMap({ state.users[$0.id] }) else { return [] }
        let quotas = state.quotas(of: user, now: call.now, epoch: call.epoch)
        if code == Code.noScans {
            return [
                ("remainingScans", "0"), ("scanResetDate", quotas.scanReset.iso8601(.milliseconds)),
                ("subscriptionTier", quotas.tier.rawValue),
            ]
        }
        return [
            ("remainingChats", "0"), ("dailyLimit", "\(quotas.chatLimit ?? unlimited)"),
            ("subscriptionTier", quotas.tier.rawValue),
        ]
    }

    /// Ends one token of CarbScan or of the Apple stand-in; the other tokens of its user stay valid.
    package static func endCredential(
        _ credential: String,
        _ manner: TokenEnding.Manner,
        state: inout CarbScanState,
        core: inout WorldCore
    ) -> Bool {
        if state.magicLinks.remove(credential) != nil || state.browserCodes.remove(credential) != nil { return true }
        guard
            state.tokens.verify(credential) != nil
                || AppleIdentityToken.examine(credential, state, now: core.now) != nil
        else { return false }
        state.endCredential(credential)
        return true
    }
}
