import Foundation
import Testing

@testable import TrendyOnboarding

/// `OnboardingCache` (Trendy contract, section 11.2).
@Suite struct CacheTests {
    let store = MemoryStore()
    var cache: OnboardingCache { OnboardingCache(store: store) }
    let lower = "7e4d0000-0000-4000-8000-00000000000a"
    var upper: String { lower.uppercased() }

    private func status(_ id: String, completed: Bool = false) -> CachedOnboardingStatus {
        CachedOnboardingStatus(userId: id, completed: completed, welcomeCompletedAt: noon, lastUpdatedAt: noon)
    }

    private func text(_ id: String, completed: Bool = false) -> String {
        #"{"user_id":"\#(id)","completed":\#(completed),"last_updated_at":"2025-01-01T12:00:00Z"}"#
    }

    @Test func `T01 an empty store reads nil`() {
        expectNil(cache.read(lower))
        expectEqual(store.writtenKeys, [])
    }

    @Test func `T02 the entry of one user is not another's`() throws {
        try cache.write(status(lower))
        expectNil(cache.read("7e4d0000-0000-4000-8000-00000000000b"))
        // An entry that lies under the key of another user is nobody's.
        store["onboarding_status_b"] = text("a")
        expectNil(cache.read("b"))
    }

    @Test func `T03 L3 an id in capitals writes the entry that one in lower case reads`() throws {
        try cache.write(status(upper))
        expectEqual(cache.read(lower), status(lower))
        expectEqual(cache.read(upper), status(lower))
        expectEqual(store.keys, ["onboarding_status_\(lower)"])
    }

    @Test(arguments: [true, false])
    func `T04 L3 an old entry under a key with capitals moves`(wholly: Bool) {
        let former = wholly ? upper : "7E4d0000-0000-4000-8000-00000000000A"
        store["onboarding_status_\(former)"] = text(former)
        expectEqual(cache.read(lower)?.userId, lower)
        expectEqual(store.keys, ["onboarding_status_\(lower)"])
        #expect(cache.read(lower) != nil)
    }

    @Test func `T04 a newer entry in lower case is not replaced by an old one in capitals`() throws {
        store["onboarding_status_\(upper)"] = text(upper)
        store["onboarding_status_\(lower)"] = text(lower, completed: true)
        expectEqual(cache.read(lower)?.completed, true)
        try cache.write(status(lower))
        expectEqual(store.keys, ["onboarding_status_\(lower)"])
    }

    @Test(arguments: ["", "{", "[]", "null", "\u{0}\u{1}", #"{"user_id":1}"#, #"{"completed":true}"#])
    func `T05 damaged bytes are no entry, and crash nothing`(bytes: String) {
        store["onboarding_status_\(lower)"] = bytes
        expectNil(cache.read(lower))
        #expect(!cache.hasAnyUserCompletedOnboarding())
    }

    @Test func `T06 a completed entry raises the flag, which needs no scan`() throws {
        try cache.write(status(lower, completed: true))
        #expect(store["onboarding_any_user_completed"] != nil)
        let listed = store.listedPrefixes
        #expect(cache.hasAnyUserCompletedOnboarding())
        expectEqual(store.listedPrefixes, listed)
    }

    @Test func `T07 without the flag a completed entry raises it`() {
        store["onboarding_status_\(lower)"] = text(lower, completed: true)
        store["onboarding_status_x"] = "damaged"
        store["other_status_y"] = text("y", completed: true)
        #expect(cache.hasAnyUserCompletedOnboarding())
        #expect(store["onboarding_any_user_completed"] != nil)
        #expect(cache.hasAnyUserCompletedOnboarding())
        // The scan has read nothing but entries and the flag.
        #expect(Set(store.readKeys.map { $0.prefix(18) }).isSubset(of: ["onboarding_status_", "onboarding_any_use"]))
    }

    @Test func `T08 clearing a user keeps the flag`() throws {
        try cache.write(status(lower, completed: true))
        store["onboarding_pending_\(lower)"] = "{}"
        try cache.clear(upper)
        expectNil(cache.read(lower))
        #expect(cache.hasAnyUserCompletedOnboarding())
        expectEqual(store.keys, ["onboarding_any_user_completed"])
    }

    @Test func `T09 clearing all leaves nothing of onboarding, and the rest alone`() throws {
        try cache.write(status("a", completed: true))
        try cache.write(status("b"))
        store["onboarding_pending_b"] = "{}"
        store["theme"] = "dark"
        try cache.clearAll()
        expectNil(cache.read("a"))
        expectNil(cache.read("b"))
        #expect(!cache.hasAnyUserCompletedOnboarding())
        expectEqual(store.keys, ["theme"])
    }

    @Test func `T10 an empty id has no entry`() throws {
        try cache.write(status("", completed: true))
        try cache.clear("")
        expectEqual(store.keys, [])
        expectNil(cache.read(""))
    }

    @Test func `L23 an entry of a newer version is read, and one without a required member is none`() {
        store["onboarding_status_a"] = """
            {"user_id":"a","completed":true,"last_updated_at":"2025-01-01T12:00:00Z","theme":{"dark":true},"version":9}
            """
        expectEqual(cache.read("a")?.completed, true)
        store["onboarding_status_a"] = #"{"user_id":"a","completed":true}"#
        expectNil(cache.read("a"))
        // The first version wrote no more than these: whatever a later one adds has to be optional.
        store["onboarding_status_a"] = text("a")
        expectEqual(cache.read("a"), CachedOnboardingStatus(userId: "a", lastUpdatedAt: noon))
    }

    @Test func `11-2 an entry survives its way through the store`() throws {
        var entry = status(lower)
        entry.authCompletedAt = noon.addingTimeInterval(90)
        entry.permissionsCompletedAt = noon.addingTimeInterval(240)
        entry.lastSyncedAt = noon.addingTimeInterval(300)
        try cache.write(entry)
        expectEqual(cache.read(lower), entry)
    }
}
