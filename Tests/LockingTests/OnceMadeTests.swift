import Locking
import Testing

/// `OnceMade`.
@Suite struct OnceMadeTests {
    private final class Thing: Sendable {}

    @Test func `whoever asks first, all get the same object`() async {
        let holder = Holder()
        let seen = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<64 { group.addTask { ObjectIdentifier(holder.thing) } }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(seen == [ObjectIdentifier(holder.thing)])
    }

    @Test func `nothing is made before somebody asks`() {
        let holder = Holder()
        #expect(!holder.isMade)
        _ = holder.thing
        #expect(holder.isMade)
    }

    private final class Holder: Sendable {
        private let once = OnceMade<Thing>()

        var isMade: Bool { once.isMade }
        var thing: Thing { once.value { Thing() } }
    }
}
