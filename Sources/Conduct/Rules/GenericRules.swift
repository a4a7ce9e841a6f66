package import ConductKit

/// The rules that hold for every API.
package enum GenericRules {
    /// In the order in which they are listed.
    package static let all: [any ConductRule.Type] = [
        CredentialMissing.self, MalformedCredential.self, SecretInURL.self, WrongTokenKind.self,
        CredentialWhereNoneAsked.self, RepeatAfter401.self, NoRefreshAfter401.self, RotatedRefreshTokenReused.self,
        ParallelRefresh.self, StaleTokenSent.self, DeadRefreshRetried.self, RefreshLoop.self, UsedAfterSignOut.self,
        OneTimeCodeReused.self,
        RetryAfterIgnored.self, NoPauseAfter429.self, SpentLimitIgnored.self, NoBackoff.self, UnboundedRetry.self,
        CreationRepeated.self, IdempotencyKeyChanged.self, IdempotencyKeyReused.self, RefusalRepeated.self,
        WrongPartJoined.self, CodingRefused.self,
        FreshFetchedAgain.self, NoValidatorSent.self, ValidatorOfAnother.self, TagRewritten.self,
        IdenticalInFlight.self, OverlappingWrites.self, DoubleSubmit.self, PollTooFast.self, PollNoSlowdown.self,
        PollAfterTheEnd.self, CursorChanged.self, PastTheEnd.self, LimitAboveMaximum.self, TimeoutTooShort.self,
        ConnectionsNotReused.self, BodyTypeMissing.self, BodyTypeWrong.self, AmbiguousJSON.self,
        BodyOnGet.self,
        UnknownRoute.self, DoubleEncoded.self, OtherHost.self, PersonalInURL.self, RequestIDReused.self,
    ]
}
