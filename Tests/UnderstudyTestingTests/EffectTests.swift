import Foundation
import TestSupport
import Testing
import UnderstudyServer

/// The builders of effects: their names are public, and each makes the order that the contract has.
@Suite struct EffectTests {
    private static let built: [(Effect, String)] = [
        (.status(503), #"{"status":503}"#),
        (
            .status(429, retryAfter: 30, code: "c", message: "m"),
            #"{"code":"c","message":"m","retryAfter":30,"status":429}"#
        ),
        (.delay(.milliseconds(5)), #"{"delay":{"ms":5}}"#),
        (.delay(.uniform(1...2, maximum: 2)), #"{"delay":{"max":2,"uniform":[1,2]}}"#),
        (.throttle(bytesPerSecond: 9), #"{"throttle":{"bytesPerSecond":9}}"#),
        (.dribble(chunks: 4, over: 400), #"{"dribble":{"chunks":4,"overMs":400}}"#),
        (.connection(.malformedChunk), #"{"connection":"malformed-chunk"}"#),
        (.connection(.reset, afterBytes: 3), #"{"afterBytes":3,"connection":"reset"}"#),
        (.connection(.stall, forMilliseconds: 5), #"{"connection":"stall","forMs":5}"#),
        (.body(.wrongContentType), #"{"body":"wrong-content-type"}"#),
        (.driftRemove("a.b"), #"{"drift":{"remove":"a.b"}}"#),
        (.driftSet("a", to: .null), #"{"drift":{"set":"a","to":null}}"#),
        (.driftNull("a"), #"{"drift":{"null":"a"}}"#),
        (.driftAdd("a", ["b": 1]), #"{"drift":{"add":{"path":"a","value":{"b":1}}}}"#),
        (.driftRetype("a", as: "string"), #"{"drift":{"as":"string","retype":"a"}}"#),
        (.drift(.breaking), #"{"drift":{"auto":"breaking"}}"#),
        (.streamCut(afterEvents: 1), #"{"stream":{"cutAfterEvents":1}}"#),
        (.streamError(afterEvents: 1), #"{"stream":{"errorAfterEvents":1}}"#),
        (.streamGap(milliseconds: 5), #"{"stream":{"gapMs":5}}"#),
        (.streamGap(milliseconds: 5, afterEvents: 2), #"{"stream":{"afterEvents":2,"gapMs":5}}"#),
        (.streamDuplicate(event: 1), #"{"stream":{"duplicate":1}}"#),
        (.streamSplitUTF8, #"{"stream":{"splitUtf8":true}}"#),
        (.uploadRead(bytesPerSecond: 9), #"{"upload":{"readBytesPerSecond":9}}"#),
        (.uploadStop(afterBytes: 9), #"{"upload":{"stopAfterBytes":9}}"#),
        (.uploadReject(413), #"{"upload":{"rejectEarly":413}}"#),
        (.uploadReset(afterBytes: 9), #"{"upload":{"resetAfterBytes":9}}"#),
        (.tokens(.revoke), #"{"tokens":"revoke"}"#),
        (Effect(["status": 500]), #"{"status":500}"#),
    ]

    @Test(arguments: built.indices)
    func `8 a builder makes the order of the contract`(number: Int) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let (effect, wanted) = Self.built[number]
        expectEqual(String(decoding: try encoder.encode(effect), as: UTF8.self), wanted)
    }
}
