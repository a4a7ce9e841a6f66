/// All rules, in the order in which they are shown: the generic ones, then those of each API.
package enum RuleRegistry {
    static let all: [any ConductRule.Type] = generic + own

    static let generic: [any ConductRule.Type] = [
        CredentialMissing.self, MalformedCredential.self, SecretInURL.self, WrongTokenKind.self,
        CredentialWhereNoneAsked.self, RepeatAfter401.self, NoRefreshAfter401.self, RotatedRefreshTokenReused.self,
        ParallelRefresh.self, StaleTokenSent.self, DeadRefreshRetried.self, RefreshLoop.self, UsedAfterSignOut.self,
        OneTimeCodeReused.self,
        RetryAfterIgnored.self, NoPauseAfter429.self, SpentLimitIgnored.self, NoBackoff.self, UnboundedRetry.self,
        CreationRepeated.self, IdempotencyKeyChanged.self, IdempotencyKeyReused.self, RefusalRepeated.self,
        FreshFetchedAgain.self, NoValidatorSent.self, ValidatorOfAnother.self, TagRewritten.self,
        IdenticalInFlight.self, OverlappingWrites.self, DoubleSubmit.self, PollTooFast.self, PollNoSlowdown.self,
        PollAfterTheEnd.self, CursorChanged.self, PastTheEnd.self, LimitAboveMaximum.self, TimeoutTooShort.self,
        ConnectionsNotReused.self, BodyTypeMissing.self, BodyTypeWrong.self, AmbiguousJSON.self, BodyOnGet.self,
        UnknownRoute.self, DoubleEncoded.self, PersonalInURL.self, RequestIDReused.self,
    ]

    static let own: [any ConductRule.Type] = [
        SawaedNoBearerAfterDeadRefresh.self, SawaedSendsLanguage.self, SawaedContinuesConversation.self,
        SawaedCompleteChatBody.self, SawaedCachesReferenceData.self, SawaedCleanCode.self, SawaedResendPause.self,
        SawaedUploadInOrder.self, SawaedNoOriginHeader.self, SawaedNormalisedMail.self, SawaedBackendGaps.self,
        CarbScanRefreshesAhead.self, CarbScanRespectsQuota.self,
        CarbScanKnownPlatform.self, CarbScanKeepsServerTimestamp.self, CarbScanOneLocalID.self,
        CarbScanTakesServerVersion.self, CarbScanRespectsLimits.self, CarbScanStringCredentials.self,
        OmniChatRefreshesAhead.self, OmniChatKeepsOldRefreshToken.self, OmniChatNoNeedlessSignIn.self,
        OmniChatFirstSignInDetails.self, OmniChatNoBlankContent.self, OmniChatCompleteConversation.self,
        OmniChatChecksUploads.self, OmniChatOwnFilesOnly.self, TrafikskolaRecoversBeforeSignIn.self,
        TrafikskolaRefreshesStaleSession.self, TrafikskolaRefreshesOnlyOn401.self,
        TrafikskolaServerTroubleIsNoLogout.self, TrafikskolaStableDevice.self, TrafikskolaAppSecret.self,
        TrafikskolaConfigFallback.self, TrafikskolaBundledImages.self, TrafikskolaChecksTheDomain.self,
        TrafikskolaAvatarForm.self, TrafikskolaLeavesAfterKick.self, TrendyBoundedStatusRead.self,
        TrendySendsOnlyChanges.self, TrendyPushesUntilTheyArrive.self, TrendyCompletesOnce.self,
        TrendyKnownPermissions.self, TrendyDatesInUTC.self, TrendyReadsStatusOnce.self,
        TrendyReadsBeforeWriting.self, TrendyIdempotentCreates.self, TrendyUsesBatches.self,
        TrendyRepeatsOnlyTheFailed.self,
    ]

    /// The declarations of all rules.
    package static let declarations: [RuleDeclaration] = all.map { $0.declaration }

    /// The place of a rule by its id.
    static let places = Dictionary(uniqueKeysWithValues: declarations.enumerated().map { ($1.id, $0) })

    /// The declaration of a rule.
    package static func declaration(_ id: String) -> RuleDeclaration? { places[id].map { declarations[$0] } }
}
